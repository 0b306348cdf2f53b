// A ranking problem by features: where each one occurs. Gradients are sums over its rows.
#pragma once

#include "runoff/ranking.hpp"

#include <vector>

namespace runoff {

// Row k holds the candidates that have feature k, with the values; the last row, one more than
// there are features, holds all candidates with their log-probabilities, relative to their list's
// first. Rows go through the lists in the order that was given, so that a sum over a row has the
// same bits wherever the lists stand.
class FeatureIndex {
public:
  FeatureIndex(const Problem &problem, std::size_t n_features, std::span<const std::int64_t> order);

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t candidates() const { return candidates_; }

  // The candidates of a row, list by list.
  std::span<const std::uint32_t> row(std::size_t number) const {
    return {entries_.data() + offsets_[number], entries_.data() + offsets_[number + 1]};
  }

  // gradient[k] = sum over row k of value * coefficients[candidate].
  void gradient(std::span<const double> coefficients, std::span<double> gradient,
                const Threads &threads) const;

  // Writes the values of a row to the places of its candidates; the others stay as they are.
  void scatter(std::size_t row, std::span<double> values) const;

private:
  double sum(std::size_t row, std::span<const double> coefficients) const;
  const double *values_of(std::size_t row) const; // null where all are 1

  std::vector<std::int64_t> offsets_;
  std::vector<std::uint32_t> entries_; // candidates, row by row
  std::vector<double> values_;         // of all rows, or of the last alone: the others are binary
  std::size_t candidates_;
};

} // namespace runoff
