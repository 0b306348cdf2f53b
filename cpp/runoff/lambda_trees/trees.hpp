// Regression trees over real-valued columns: scores, and what each column contributed to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::lambda_trees {

// Trees laid end to end, each in preorder: the child for values up to the cut follows its parent.
// The memory belongs to the caller.
struct Trees {
  std::span<const std::int64_t> offsets;  // trees + 1
  std::span<const std::uint32_t> columns; // what each node asks for
  std::span<const std::uint32_t> above;   // the child for larger values, from the root; 0 in leaves
  std::span<const double> cuts;
  std::span<const double> values; // of all nodes: what a tree that ended there would give

  // Throws std::invalid_argument unless every path leads to a leaf of its tree.
  void check(std::size_t n_columns) const;

  // Adds to each row's score the values of the leaves that it reaches; rows are laid end to end.
  void add_scores(std::span<const double> rows, std::size_t n_columns,
                  std::span<double> scores) const;

  // Adds to each entry what its column contributed: at every step of a path the value changes, and
  // the change is the column's that was asked (Saabas 2014). Without the values of the roots, which
  // all rows share, a row's contributions sum to its score.
  void add_contributions(std::span<const double> rows, std::size_t n_columns,
                         std::span<double> parts) const;
};

} // namespace runoff::lambda_trees
