#include "runoff/ranking/list_views.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff::ranking {
namespace {

// The raw values of all columns.
void gather(const Problem &problem, std::span<const std::uint32_t> features, ListViews &views) {
  for (std::size_t j = 0; j < problem.candidates(); ++j) {
    const auto row = std::span(views.raw).subspan(j * views.columns, views.columns);
    auto column = features.begin();
    const auto end = static_cast<std::size_t>(problem.feature_offsets[j + 1]);
    for (auto at = static_cast<std::size_t>(problem.feature_offsets[j]); at < end; ++at) {
      column = std::lower_bound(column, features.end(), problem.feature_ids[at]);
      if (column == features.end())
        break;
      if (*column == problem.feature_ids[at])
        row[static_cast<std::size_t>(column - features.begin())] = problem.value(at);
    }
    row.back() = problem.logprobs[j];
  }
}

class ColumnOfList {
public:
  explicit ColumnOfList(ListViews &views) : views_(views) {}

  void fill(std::size_t first, std::size_t last, std::size_t column) {
    const auto n = last - first;
    const auto place = [&](std::size_t k) { return (first + k) * views_.columns + column; };
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // equal values in the order of the list, so that sums have the same bits
    std::ranges::stable_sort(order_, std::greater{},
                             [&](std::size_t k) { return views_.raw[place(k)]; });
    double sum = 0;
    for (const auto k : order_)
      sum += views_.raw[place(k)];
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (const auto k : order_)
      squares += (views_.raw[place(k)] - mean) * (views_.raw[place(k)] - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(n));
    const double others = static_cast<double>(std::max<std::size_t>(n, 2) - 1);
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
      const double value = views_.raw[place(order_[begin])];
      while (end < n && views_.raw[place(order_[end])] == value)
        ++end;
      const double above = static_cast<double>(begin) + static_cast<double>(end - begin - 1) / 2;
      for (auto at = begin; at < end; ++at) {
        views_.rank[place(order_[at])] = above / others;
        views_.score[place(order_[at])] =
            deviation > 1e-12 * std::abs(mean) ? (value - mean) / deviation : 0;
      }
    }
  }

private:
  ListViews &views_;
  std::vector<std::size_t> order_;
};

} // namespace

ListViews list_views(const Problem &problem, std::span<const std::uint32_t> features,
                     const base::Poll &poll) {
  const auto columns = features.size() + 1;
  const auto size = problem.candidates() * columns;
  ListViews views{columns, std::vector<double>(size), std::vector<double>(size),
                  std::vector<double>(size)};
  gather(problem, features, views);
  ColumnOfList column_of_list(views);
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    poll();
    const auto first = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto last = static_cast<std::size_t>(problem.list_offsets[i + 1]);
    for (std::size_t column = 0; column < columns && first < last; ++column)
      column_of_list.fill(first, last, column);
  }
  return views;
}

} // namespace runoff::ranking
