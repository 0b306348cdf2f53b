// Examples with the scores that trees give them, and the weights that follow from these.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/decision_trees/ensemble.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::decision_trees {

// Weights are whole multiples of 1 / scale, 52 bits for all biases together, so that sums are exact
// and depend neither on threads nor on the order of examples.
class ScoredExamples {
public:
  // y is 1 or -1, bias not negative; start: h before the first tree, or nothing for 0. Throws
  // std::invalid_argument where they are not, or differ in length. The memory of y and bias
  // outlives this.
  ScoredExamples(std::span<const std::int8_t> y, std::span<const float> bias,
                 std::span<const double> start);

  std::size_t size() const { return h_.size(); }
  std::span<const std::int8_t> y() const { return y_; }
  std::span<const float> bias() const { return bias_; }
  std::span<const double> h() const { return h_; }
  std::span<const std::int64_t> weights() const { return weights_; } // b / (1 + exp(y h))
  double scale() const { return scale_; }
  std::int64_t units_of(double lambda) const; // at least 1
  double loss() const;                        // the sum of b ln(1 + exp(-y h))

  // Finds the values of a tree's leaves and adds them to the scores; leaves: the leaf of each
  // example. False, and nothing changes, if the leaves gain no more than `enough` times lambda.
  bool add(Tree &tree, std::span<const std::uint32_t> leaves, std::int64_t lambda,
           const base::Threads &threads);

  // Takes other scores.
  void set(std::vector<double> h, const base::Threads &threads);

  static constexpr double enough = 0.01;

private:
  void weigh(std::size_t example);
  std::vector<std::int64_t> leaf_sums(std::size_t nodes, std::span<const std::uint32_t> leaves,
                                      const base::Threads &threads) const;
  double value_of(std::span<const std::uint32_t> examples, std::int64_t lambda,
                  const base::Threads &threads) const;
  void raise(std::span<const std::uint32_t> examples, double value, const base::Threads &threads);

  const std::span<const std::int8_t> y_;
  const std::span<const float> bias_;
  const double scale_;
  std::vector<double> h_;
  std::vector<std::int64_t> weights_; // in units
};

} // namespace runoff::decision_trees
