#include "runoff/lambda_trees/grower.hpp"

#include <algorithm>

namespace runoff::lambda_trees {

Grower::Grower(std::span<const Bin> bins, std::size_t rows, const Growth &growth)
    : bins_(bins), n_rows_(rows), growth_(growth) {}

std::vector<Node> Grower::grow(std::vector<std::uint32_t> rows,
                               std::span<const std::uint32_t> columns,
                               std::span<const Slope> slopes) {
  rows_ = std::move(rows);
  columns_ = columns;
  leaves_.clear();
  leaves_.push_back({0, rows_.size(), {}, {}, {}});
  count(leaves_[0], slopes);
  find_split(leaves_[0]);
  for (std::size_t leaves = 1; leaves < growth_.leaves; ++leaves) {
    const auto best = std::ranges::max_element(leaves_, std::less{},
                                               [](const Leaf &leaf) { return leaf.split.gain; });
    if (best->split.gain <= 0)
      break;
    split(static_cast<std::size_t>(best - leaves_.begin()), slopes);
  }
  std::vector<Node> tree;
  write(0, tree);
  return tree;
}

void Grower::add_scores(std::span<const Node> tree, std::span<double> scores) const {
  for (std::size_t row = 0; row < n_rows_; ++row) {
    std::size_t node = 0;
    while (tree[node].above != 0)
      node =
          bins_[tree[node].column * n_rows_ + row] <= tree[node].cut ? node + 1 : tree[node].above;
    scores[row] += tree[node].value;
  }
}

void Grower::count(Leaf &leaf, std::span<const Slope> slopes) {
  leaf.histogram.assign(columns_.size() * most_bins, {});
  for (std::size_t at = leaf.begin; at < leaf.end; ++at) {
    const auto &slope = slopes[rows_[at]];
    leaf.sums.first += slope.first;
    leaf.sums.second += slope.second;
    ++leaf.sums.rows;
  }
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    const auto column = bins_.subspan(columns_[place] * n_rows_, n_rows_);
    const auto own = std::span(leaf.histogram).subspan(place * most_bins, most_bins);
    for (std::size_t at = leaf.begin; at < leaf.end; ++at) {
      auto &sums = own[column[rows_[at]]];
      const auto &slope = slopes[rows_[at]];
      sums.first += slope.first;
      sums.second += slope.second;
      ++sums.rows;
    }
  }
}

void Grower::find_split(Leaf &leaf) const {
  leaf.split = {};
  if (leaf.sums.rows < 2 * growth_.least_rows)
    return;
  const double whole = loss_saved(leaf.sums);
  for (std::size_t place = 0; place < columns_.size(); ++place) {
    Sums low;
    for (std::size_t bin = 0; bin + 1 < most_bins; ++bin) {
      const auto &own = leaf.histogram[place * most_bins + bin];
      if (own.rows == 0)
        continue;
      low = {low.first + own.first, low.second + own.second, low.rows + own.rows};
      if (low.rows < growth_.least_rows)
        continue;
      const Sums high{leaf.sums.first - low.first, leaf.sums.second - low.second,
                      leaf.sums.rows - low.rows};
      if (high.rows < growth_.least_rows)
        break;
      const double gain = loss_saved(low) + loss_saved(high) - whole;
      if (gain > leaf.split.gain + 1e-9 * whole)
        leaf.split = {gain, place, static_cast<Bin>(bin)};
    }
  }
}

void Grower::split(std::size_t number, std::span<const Slope> slopes) {
  auto parent = std::move(leaves_[number]);
  const auto column = bins_.subspan(columns_[parent.split.place] * n_rows_, n_rows_);
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(parent.begin);
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(parent.end);
  const auto middle = std::stable_partition(
      begin, end, [&](std::uint32_t row) { return column[row] <= parent.split.cut; });
  const auto place = static_cast<std::size_t>(middle - rows_.begin());
  Leaf low{parent.begin, place, {}, {}, {}}, high{place, parent.end, {}, {}, {}};
  auto &smaller = middle - begin < end - middle ? low : high;
  auto &larger = &smaller == &low ? high : low;
  count(smaller, slopes);
  larger.histogram = std::move(parent.histogram);
  for (std::size_t at = 0; at < larger.histogram.size(); ++at) {
    larger.histogram[at].first -= smaller.histogram[at].first;
    larger.histogram[at].second -= smaller.histogram[at].second;
    larger.histogram[at].rows -= smaller.histogram[at].rows;
  }
  larger.sums = {parent.sums.first - smaller.sums.first, parent.sums.second - smaller.sums.second,
                 parent.sums.rows - smaller.sums.rows};
  find_split(low);
  find_split(high);
  parent.low = leaves_.size();
  parent.high = parent.low + 1;
  parent.histogram.clear();
  parent.split.gain = 0; // it is no leaf any more
  leaves_[number] = std::move(parent);
  leaves_.push_back(std::move(low));
  leaves_.push_back(std::move(high));
}

void Grower::write(std::size_t number, std::vector<Node> &tree) const {
  const auto &leaf = leaves_[number];
  const auto at = tree.size();
  tree.push_back({0, 0, 0, -growth_.rate * leaf.sums.first / (leaf.sums.second + growth_.l2)});
  if (leaf.low == 0)
    return;
  tree[at].column = columns_[leaf.split.place];
  tree[at].cut = leaf.split.cut;
  write(leaf.low, tree);
  tree[at].above = static_cast<std::uint32_t>(tree.size());
  write(leaf.high, tree);
}

} // namespace runoff::lambda_trees
