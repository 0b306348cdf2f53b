// What a linear ranker picks along a line of weights (Och 2003, "Minimum error rate training").
//
// On a line, the score of a candidate is intercept + g * slope. Which candidate of a list is best
// changes at the corners of the upper envelope of its candidates' lines, and there only. So the
// sums of statistics over picks are known for every g, exactly.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::ranking {

struct PicksOnLine {
  std::vector<double> corners; // values of g where picks change, rising
  std::vector<double> totals;  // sums of statistics before the first corner, and after each
};

// Statistics have `columns` numbers for each candidate. Of equal lines, the one with the higher
// `second` is picked, then the first. Lists are added up in the given order. Time: sorting the
// candidates of each list, and all corners.
PicksOnLine picks_on_line(std::span<const std::int64_t> list_offsets,
                          std::span<const std::int64_t> order, std::span<const double> slopes,
                          std::span<const double> intercepts, std::span<const double> second,
                          std::span<const double> statistics, std::size_t columns,
                          const base::Threads &threads);

} // namespace runoff::ranking
