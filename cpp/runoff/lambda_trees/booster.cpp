#include "runoff/lambda_trees/booster.hpp"

#include <algorithm>

namespace runoff::lambda_trees {
namespace {

// A number in [0, 1) that depends on its arguments alone (SplitMix64, Steele, Lea & Flood 2014).
double draw(std::uint64_t seed, std::uint64_t round, std::uint64_t number) {
  std::uint64_t z = (seed * 0x100000001b3 + round) * 0x100000001b3 + number;
  for (int turn = 0; turn < 2; ++turn) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-53;
}

constexpr std::uint64_t for_columns = 0x8000000000000000;

} // namespace

std::vector<std::vector<Node>> boost(std::span<const std::int64_t> list_offsets,
                                     std::span<const double> qualities, std::span<const Bin> bins,
                                     std::size_t n_columns, const Growth &growth,
                                     const Bagging &bagging, const base::Poll &poll) {
  const auto n = qualities.size();
  Grower grower(bins, n, growth);
  Lambdas lambdas(bagging.top);
  std::vector<double> scores(n);
  std::vector<Slope> slopes(n);
  std::vector<std::vector<Node>> trees;
  for (std::size_t round = 0; round < bagging.rounds; ++round) {
    poll();
    std::vector<std::uint32_t> rows, columns;
    std::ranges::fill(slopes, Slope{});
    for (std::size_t list = 0; list + 1 < list_offsets.size(); ++list) {
      if (draw(bagging.seed, round, list) >= bagging.lists)
        continue;
      const auto first = static_cast<std::size_t>(list_offsets[list]);
      const auto size = static_cast<std::size_t>(list_offsets[list + 1]) - first;
      lambdas.add(qualities.subspan(first, size), std::span(scores).subspan(first, size),
                  std::span(slopes).subspan(first, size));
      for (auto row = first; row < first + size; ++row)
        rows.push_back(static_cast<std::uint32_t>(row));
    }
    for (std::size_t column = 0; column < n_columns; ++column)
      if (draw(bagging.seed, round, for_columns + column) < bagging.columns)
        columns.push_back(static_cast<std::uint32_t>(column));
    trees.push_back(grower.grow(std::move(rows), columns, slopes));
    grower.add_scores(trees.back(), scores);
  }
  return trees;
}

} // namespace runoff::lambda_trees
