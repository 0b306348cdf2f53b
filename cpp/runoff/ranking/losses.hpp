// Losses of lists, from the scores of their candidates. Each writes one loss per list, and per
// candidate the derivative of its list's loss; lists are independent, so any number of threads
// gives the same bits.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::ranking {

// Where a loss is written.
struct LossOut {
  std::span<double> losses;       // lists
  std::span<double> coefficients; // candidates: d loss / d score
};

// LogLoss (Collins & Koo 2005, section 4.2.2): -sum of target * log p, p the softmax of the scores.
// Targets of a list sum to 1; a negative one leaves its candidate out.
void log_loss(std::span<const std::int64_t> list_offsets, std::span<const double> targets,
              std::span<const double> scores, LossOut out, const base::Threads &threads);

// Every candidate is a sample: mean over a list of log(1 + exp(-sign * score)); sign 0 leaves a
// candidate out.
void sample_loss(std::span<const std::int64_t> list_offsets, std::span<const double> signs,
                 std::span<const double> scores, LossOut out, const base::Threads &threads);

} // namespace runoff::ranking
