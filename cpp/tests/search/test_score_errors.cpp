#include "runoff/search/score_errors.hpp"

#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

using runoff::search::ScoreErrors;
using Values = std::vector<double>;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

// One target function with scores around 10 of deviation 2, whose normalised range is -1 to 1.
struct Example {
  Values centres{10}, scales{2}, lows{-1}, highs{1};
  Values means{0, 1, 2, 3}, deviations{1, 1, 3, 3}, correlations{1, 1};
  ScoreErrors::Arrays arrays() const {
    return {centres, scales, lows, highs, means, deviations, correlations};
  }
  ScoreErrors grid() const { return {arrays(), 2, 2}; }
};

void values_are_interpolated() {
  const auto grid = Example().grid();
  const auto found = grid.expected(0.5, Values{10}); // the middle of the grid
  CHECK(near(found.mean, 0 + 1.5) && near(found.variance, 4));
  const auto first = grid.expected(0, Values{12}); // normalised 1: the last column
  CHECK(near(first.mean, 1 + 1) && near(first.variance, 1));
}

void beyond_the_grid_is_its_border() {
  const auto grid = Example().grid();
  CHECK(near(grid.expected(0.25, Values{110}).mean, 50 + 1.5));
  CHECK(near(grid.expected(-3, Values{10}).mean, 0.5));
}

void complete_candidates_have_no_error() {
  const auto found = Example().grid().expected(1, Values{13});
  CHECK(found.mean == 1.5 && found.variance == 0);
}

void correlations_count() {
  Example two;
  for (Values *one : {&two.centres, &two.scales, &two.lows, &two.highs})
    one->push_back(one->front());
  for (Values *grid : {&two.means, &two.deviations})
    grid->insert(grid->end(), grid->begin(), grid->begin() + 4);
  two.correlations = {1, -1, -1, 1, 1, 0.5, 0.5, 1};
  const auto grid = two.grid();
  CHECK(near(grid.expected(0, Values{10, 10}).variance, 0)); // they cancel out
  CHECK(near(grid.expected(0.5, Values{10, 10}).variance, 2 * 4 * (1 - 0.25)));
}

void broken_grids_are_refused() {
  const auto refused = [](auto change, const char *why) {
    Example broken;
    change(broken);
    CHECK_THROWS(broken.grid(), std::invalid_argument, why);
  };
  refused([](Example &e) { e.scales[0] = 0; },
          "scales must be positive, and ranges must not be empty");
  refused([](Example &e) { e.lows.push_back(0); },
          "scales and ranges must have one entry per target function");
  refused([](Example &e) { e.means.pop_back(); },
          "means and deviations must have one entry per point of each grid");
  refused([](Example &e) { e.correlations.pop_back(); },
          "correlations must have one entry per pair of target functions and row");
  CHECK_THROWS(Example().grid().expected(0.5, Values{}), std::invalid_argument,
               "there must be one score per target function");
}

} // namespace

int main() {
  values_are_interpolated();
  beyond_the_grid_is_its_border();
  complete_candidates_have_no_error();
  correlations_count();
  broken_grids_are_refused();
  return check::result();
}
