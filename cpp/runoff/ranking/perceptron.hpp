// The averaged ranking perceptron (Collins & Duffy 2002, section 3.2; averaging after Freund &
// Schapire).
#pragma once

#include "runoff/ranking/problem.hpp"

namespace runoff::ranking {

// Learned state: current weights w and their weighted changes u, so that the average of w over all
// t steps is w - u / t. The last entry of both belongs to the log-probability.
struct PerceptronState {
  std::span<double> w; // features + 1
  std::span<double> u; // features + 1
  std::int64_t t;      // steps taken, one a list
};

// One pass over the lists in the given order. Where the candidate that scores highest is worse in
// quality than the best one, w moves by the difference of their feature vectors. Values are divided
// by scales. Returns the number of lists that were wrong. Time is linear in the features.
// wrong_picks is empty or as long as order: the place of each pick that was wrong, else -1.
std::int64_t perceptron_epoch(const Problem &problem, std::span<const double> qualities,
                              std::span<const std::int64_t> best,
                              std::span<const std::int64_t> order, std::span<const double> scales,
                              PerceptronState &state, const base::Poll &poll,
                              std::span<std::int64_t> wrong_picks = {});

} // namespace runoff::ranking
