#include "runoff/ranking/line_search.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <limits>

namespace runoff::ranking {

namespace {

constexpr std::size_t LISTS_PER_BLOCK = 64;

struct Corner {
  double place;
  std::size_t candidate; // best from here on
};

struct Line {
  double slope, intercept, second;
  std::size_t candidate;

  // Of equal slopes, the better line: the higher one, or the first of equals.
  bool over(const Line &other) const {
    if (intercept != other.intercept)
      return intercept > other.intercept;
    return second != other.second ? second > other.second : candidate < other.candidate;
  }
};

// The upper envelope of lines: the first has no corner, its place is meaningless. From each line,
// the next one is looked for among the steeper ones: an envelope has few lines, so this is less
// work than sorting all of them.
void envelope(std::vector<Line> &lines, std::vector<Corner> &found) {
  found.clear();
  if (lines.empty())
    return;
  const auto flatter = [](const Line &a, const Line &b) {
    return a.slope != b.slope ? a.slope < b.slope : a.over(b);
  };
  Line best = *std::ranges::min_element(lines, flatter);
  double place = 0;
  while (true) {
    found.push_back({place, best.candidate});
    const Line last = best;
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t steeper = 0;
    for (const Line &line : lines) {
      const double rise = line.slope - last.slope;
      if (!(rise > 0))
        continue;
      lines[steeper++] = line;
      const double crossing = (last.intercept - line.intercept) / rise;
      if (crossing > nearest)
        continue;
      if (crossing < nearest || line.slope > best.slope ||
          (line.slope == best.slope && line.over(best)))
        best = line;
      nearest = crossing;
    }
    lines.resize(steeper);
    if (steeper == 0)
      return;
    // Places rise, but for rounding where lines cross in one point.
    place = found.size() == 1 ? nearest : std::max(nearest, place);
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
    std::vector<Line> lines;
    std::vector<Corner> found;
    auto &changes = blocks[begin / LISTS_PER_BLOCK];
    for (std::size_t i = begin; i < end; ++i) {
      const auto list = base::at(order[i]);
      lines.clear();
      for (std::size_t c = base::at(list_offsets[list]); c < base::at(list_offsets[list + 1]); ++c)
        lines.push_back({slopes[c], intercepts[c], second[c], c});
      envelope(lines, found);
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
