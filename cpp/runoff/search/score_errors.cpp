#include "runoff/search/score_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace runoff::search {

namespace {

// A place on an axis: the point before it, and how far it is from there to the next, in [0, 1].
struct Place {
  std::size_t point;
  double rest;
};

Place place_of(double share, std::size_t points) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(points - 1);
  const auto point = std::min(static_cast<std::size_t>(at), points - 2);
  return {point, at - static_cast<double>(point)};
}

double between(double first, double second, double rest) { return first + (second - first) * rest; }

void check(bool right, const char *what) {
  if (!right)
    throw std::invalid_argument(what);
}

constexpr std::size_t MOST_TARGETS = 64;

} // namespace

ScoreErrors::ScoreErrors(const Arrays &arrays, std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns) {
  const std::size_t targets = arrays.centres.size();
  check(targets > 0 && targets <= MOST_TARGETS, "there must be 1 to 64 target functions");
  check(rows > 1 && columns > 1, "a grid must have two points on each axis");
  for (const auto one : {arrays.scales, arrays.lows, arrays.highs})
    check(one.size() == targets, "scales and ranges must have one entry per target function");
  for (const auto grid : {arrays.means, arrays.deviations})
    check(grid.size() / rows / columns == targets && grid.size() % (rows * columns) == 0,
          "means and deviations must have one entry per point of each grid");
  check(arrays.correlations.size() / targets / targets == rows &&
            arrays.correlations.size() % (targets * targets) == 0,
        "correlations must have one entry per pair of target functions and row");
  for (std::size_t k = 0; k < targets; ++k)
    check(arrays.scales[k] > 0 && arrays.lows[k] <= arrays.highs[k],
          "scales must be positive, and ranges must not be empty");
  centres_.assign(arrays.centres.begin(), arrays.centres.end());
  scales_.assign(arrays.scales.begin(), arrays.scales.end());
  lows_.assign(arrays.lows.begin(), arrays.lows.end());
  highs_.assign(arrays.highs.begin(), arrays.highs.end());
  means_.assign(arrays.means.begin(), arrays.means.end());
  deviations_.assign(arrays.deviations.begin(), arrays.deviations.end());
  correlations_.assign(arrays.correlations.begin(), arrays.correlations.end());
}

Expected ScoreErrors::expected(double u, std::span<const double> scores) const {
  check(scores.size() == targets(), "there must be one score per target function");
  double sum = 0;
  if (u >= 1) { // complete: there is no error, whatever the estimate says there
    for (std::size_t k = 0; k < scores.size(); ++k)
      sum += normalised(k, scores[k]);
    return {sum, 0};
  }
  const Place row = place_of(u, rows_);
  std::array<double, MOST_TARGETS> deviations;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double score = normalised(k, scores[k]), range = highs_[k] - lows_[k];
    const Place column = place_of(range > 0 ? (score - lows_[k]) / range : 0, columns_);
    const std::size_t first = (k * rows_ + row.point) * columns_ + column.point;
    const auto at = [&](const std::vector<double> &grid) {
      return between(between(grid[first], grid[first + 1], column.rest),
                     between(grid[first + columns_], grid[first + columns_ + 1], column.rest),
                     row.rest);
    };
    sum += score + at(means_);
    deviations[k] = at(deviations_);
  }
  const std::size_t n = scores.size();
  double variance = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < n; ++l) {
      const std::size_t first = (row.point * n + k) * n + l;
      variance += deviations[k] * deviations[l] *
                  between(correlations_[first], correlations_[first + n * n], row.rest);
    }
  return {sum, std::max(variance, 0.0)};
}

} // namespace runoff::search
