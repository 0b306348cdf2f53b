// A ranking problem by features: where each one occurs. Scores and gradients are sums over it.
#pragma once

#include "runoff/ranking/problem.hpp"

#include <utility>
#include <vector>

namespace runoff::ranking {

// Candidates of a list share most of what they have, so most features of a list occur in the same
// candidates as some other. What is kept is the *columns* of a list, each once: the candidates that
// have a feature, with its values. Row k holds the columns of feature k; a last row, one more than
// there are features, is that of the log-probabilities, relative to their list's first. Rows go
// through the lists in the order that was given, so that a sum over a row has the same bits
// wherever the lists stand. Lists that the order does not name are left out.
class FeatureIndex {
public:
  // `between` is called after every few lists: their part of the problem is not read again.
  FeatureIndex(
      const Problem &problem, std::size_t n_features, std::span<const std::int64_t> order,
      const base::Poll &between = [] {}, const base::Threads &threads = {});

  std::size_t rows() const { return row_offsets_.size(); }
  std::size_t candidates() const { return logprobs_.size(); }

  // The columns of a feature, one for each list in which it occurs.
  std::span<const std::uint32_t> row(std::size_t feature) const {
    return part(row_columns_, row_offsets_, feature);
  }

  // The candidates of a column, which are of one list.
  std::span<const std::uint32_t> column(std::size_t number) const {
    return part(candidates_, column_offsets_, number);
  }

  // scores[j] = sum over rows of weight * value; the last weight is the log-probability's. Those of
  // lists that are left out stay as they are.
  void scores(std::span<const double> weights, std::span<double> scores,
              const base::Threads &threads) const;

  // gradient[k] = sum over row k of value * coefficients[candidate].
  void gradient(std::span<const double> coefficients, std::span<double> gradient,
                const base::Threads &threads) const;

  // Writes the values of a row to the places of its candidates; the others stay as they are.
  void scatter(std::size_t row, std::span<double> values) const;

private:
  using Offsets = std::vector<std::int64_t>;
  class Columns;

  template <typename Item>
  static std::span<const Item> part(const std::vector<Item> &items, const Offsets &offsets,
                                    std::size_t number) {
    const auto begin = static_cast<std::size_t>(offsets[number]);
    return {items.data() + begin, static_cast<std::size_t>(offsets[number + 1]) - begin};
  }

  void append(const Columns &columns, bool binary);
  void fill_rows(std::size_t n_features);
  const double *values_of(std::size_t column) const; // null where all are 1
  double column_sum(std::size_t column, std::span<const double> coefficients) const;
  void score_list(std::size_t list, std::span<const double> weights,
                  std::span<double> scores) const;

  std::vector<double> logprobs_; // candidates: relative to their list's first
  std::vector<std::pair<std::int64_t, std::int64_t>> lists_; // in the given order: candidates
  Offsets list_columns_{0};                                  // the columns of each list
  Offsets column_offsets_{0};
  std::vector<std::uint32_t> candidates_; // column by column
  std::vector<double> values_;            // likewise; empty where all are 1
  Offsets feature_offsets_{0};
  std::vector<std::uint32_t> features_; // that have the column, column by column
  Offsets row_offsets_;
  std::vector<std::uint32_t> row_columns_; // row by row
};

} // namespace runoff::ranking
