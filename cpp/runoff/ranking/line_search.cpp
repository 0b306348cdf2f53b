#include "runoff/ranking/line_search.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace runoff::ranking {

namespace {

constexpr std::size_t LISTS_PER_BLOCK = 64;

struct Corner {
  double place;
  std::size_t candidate; // best from here on
};

// The upper envelope of lines: the first has no corner, its place is meaningless.
void envelope(std::span<const double> slopes, std::span<const double> intercepts,
              std::span<const double> second, std::size_t first, std::size_t last,
              std::vector<std::size_t> &order, std::vector<Corner> &found) {
  order.resize(last - first);
  std::iota(order.begin(), order.end(), first);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { // of equal slopes, the best first
    if (slopes[a] != slopes[b])
      return slopes[a] < slopes[b];
    if (intercepts[a] != intercepts[b])
      return intercepts[a] > intercepts[b];
    return second[a] != second[b] ? second[a] > second[b] : a < b;
  });
  found.clear();
  for (const std::size_t line : order) {
    double place = 0;
    if (!found.empty() && slopes[found.back().candidate] == slopes[line])
      continue;
    while (!found.empty()) {
      const std::size_t before = found.back().candidate;
      place = (intercepts[before] - intercepts[line]) / (slopes[line] - slopes[before]);
      if (found.size() == 1 || place > found.back().place)
        break;
      found.pop_back();
    }
    found.push_back({place, line});
  }
}

} // namespace

PicksOnLine picks_on_line(std::span<const std::int64_t> list_offsets,
                          std::span<const std::int64_t> order, std::span<const double> slopes,
                          std::span<const double> intercepts, std::span<const double> second,
                          std::span<const double> statistics, std::size_t columns,
                          const base::Threads &threads) {
  struct Change {
    double place;
    std::size_t list, from, to;
  };
  constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  std::vector<std::size_t> starts(order.size(), nothing);
  std::vector<std::vector<Change>> blocks((order.size() + LISTS_PER_BLOCK - 1) / LISTS_PER_BLOCK);
  base::in_blocks(order.size(), LISTS_PER_BLOCK, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> lines;
    std::vector<Corner> found;
    auto &changes = blocks[begin / LISTS_PER_BLOCK];
    for (std::size_t i = begin; i < end; ++i) {
      const auto list = base::at(order[i]);
      envelope(slopes, intercepts, second, base::at(list_offsets[list]),
               base::at(list_offsets[list + 1]), lines, found);
      if (found.empty())
        continue;
      starts[i] = found[0].candidate;
      for (std::size_t k = 1; k < found.size(); ++k)
        changes.push_back({found[k].place, i, found[k - 1].candidate, found[k].candidate});
    }
  });
  std::vector<Change> changes;
  for (const auto &own : blocks)
    changes.insert(changes.end(), own.begin(), own.end());
  std::ranges::sort(changes, [](const Change &a, const Change &b) {
    return a.place != b.place ? a.place < b.place : a.list < b.list;
  });
  PicksOnLine made;
  std::vector<double> totals(columns, 0);
  for (const std::size_t candidate : starts)
    for (std::size_t k = 0; k < columns && candidate != nothing; ++k)
      totals[k] += statistics[candidate * columns + k];
  made.totals = totals;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    for (std::size_t k = 0; k < columns; ++k)
      totals[k] +=
          statistics[changes[i].to * columns + k] - statistics[changes[i].from * columns + k];
    if (i + 1 < changes.size() && changes[i + 1].place == changes[i].place)
      continue;
    made.corners.push_back(changes[i].place);
    made.totals.insert(made.totals.end(), totals.begin(), totals.end());
  }
  return made;
}

} // namespace runoff::ranking
