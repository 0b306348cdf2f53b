// LambdaRank: how much each candidate's score should rise, from pairs of different quality.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::lambda_trees {

// The first and second derivative of the loss by a candidate's score.
struct Slope {
  double first = 0, second = 0;
};

// The loss of a list is the sum over pairs, i better than j, of w log(1 + exp(s_j - s_i)); w is the
// difference of their qualities times what it is worth that the two change places in the present
// order: the difference of 1 / log2(2 + rank) (Burges, Ragno & Le 2006). Pairs of which neither is
// among the first `top` are left out.
class Lambdas {
public:
  explicit Lambdas(std::size_t top) : top_(top) {}

  // Adds the slopes of one list.
  void add(std::span<const double> qualities, std::span<const double> scores,
           std::span<Slope> slopes);

private:
  std::size_t top_;
  std::vector<std::size_t> order_;
};

} // namespace runoff::lambda_trees
