// Losses of lists, from the scores of their crucial pairs. Like those of runoff/ranking/losses.hpp.
#pragma once

#include "runoff/pairs/crucial_pairs.hpp"
#include "runoff/ranking/losses.hpp"

namespace runoff::pairs {

enum class PairLoss { logistic, squared_hinge };

// Mean over the crucial pairs of a list of log(1 + exp(-m)) or max(0, 1 - m)^2, m = score of the
// better - score of the worse: all lists weigh the same, however many pairs they have.
void pair_loss(const CrucialPairs &pairs, PairLoss loss, std::span<const double> scores,
               ranking::LossOut out, const base::Threads &threads);

// How well probabilities 1 / (1 + exp(-slope * m)) fit the crucial pairs, taken both ways round
// with the targets `target` and 1 - `target`: per list the mean loss and its first and second
// derivative by the slope.
struct SlopeOut {
  std::span<double> losses, first, second; // lists
};
void slope_loss(const CrucialPairs &pairs, std::span<const double> scores, double slope,
                double target, SlopeOut out, const base::Threads &threads);

} // namespace runoff::pairs
