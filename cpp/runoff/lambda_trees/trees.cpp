#include "runoff/lambda_trees/trees.hpp"

#include <stdexcept>

namespace runoff::lambda_trees {
namespace {

// Calls step(column, change) for every step of a row's path through a tree; returns the root.
template <typename Step>
void walk(const Trees &trees, std::size_t root, std::span<const double> row, const Step &step) {
  for (auto node = root; trees.above[node] != 0;) {
    const auto column = trees.columns[node];
    const auto next = row[column] <= trees.cuts[node] ? node + 1 : root + trees.above[node];
    step(column, trees.values[next] - trees.values[node]);
    node = next;
  }
}

template <typename Visit>
void each_row(const Trees &trees, std::span<const double> rows, std::size_t n_columns,
              const Visit &visit) {
  for (std::size_t row = 0; row * n_columns < rows.size(); ++row)
    for (std::size_t tree = 0; tree + 1 < trees.offsets.size(); ++tree)
      visit(row, static_cast<std::size_t>(trees.offsets[tree]),
            rows.subspan(row * n_columns, n_columns));
}

} // namespace

void Trees::check(std::size_t n_columns) const {
  const auto require = [](bool condition) {
    if (!condition)
      throw std::invalid_argument("a path leads outside its tree");
  };
  const auto n = columns.size();
  require(above.size() == n && cuts.size() == n && values.size() == n);
  require(!offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<long>(n));
  for (std::size_t tree = 0; tree + 1 < offsets.size(); ++tree) {
    require(offsets[tree] < offsets[tree + 1]);
    const auto root = static_cast<std::size_t>(offsets[tree]);
    const auto size = static_cast<std::size_t>(offsets[tree + 1]) - root;
    for (std::size_t node = 0; node < size; ++node)
      if (const auto next = above[root + node]; next != 0)
        require(next > node + 1 && next < size && columns[root + node] < n_columns);
  }
}

void Trees::add_scores(std::span<const double> rows, std::size_t n_columns,
                       std::span<double> scores) const {
  each_row(*this, rows, n_columns, [&](std::size_t row, std::size_t root, auto own) {
    double score = values[root];
    walk(*this, root, own, [&](std::uint32_t, double change) { score += change; });
    scores[row] += score;
  });
}

void Trees::add_contributions(std::span<const double> rows, std::size_t n_columns,
                              std::span<double> parts) const {
  each_row(*this, rows, n_columns, [&](std::size_t row, std::size_t root, auto own) {
    walk(*this, root, own,
         [&](std::uint32_t column, double change) { parts[row * n_columns + column] += change; });
  });
}

} // namespace runoff::lambda_trees
