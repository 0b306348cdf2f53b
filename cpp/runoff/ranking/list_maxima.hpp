// Features made boolean: true where they take their maximum in the list.
#pragma once

#include "runoff/ranking/problem.hpp"

#include <vector>

namespace runoff::ranking {

// The features of each candidate that no other candidate of its list has more of; a feature that
// is absent has the value 0. Those that are true of a whole list are left out, as they cannot
// change its order.
struct ListMaxima {
  std::vector<std::int64_t> feature_offsets; // candidates + 1
  std::vector<std::uint32_t> feature_ids;    // rising within a candidate
};

ListMaxima list_maxima(const Problem &problem);

// Per list and feature the largest minus the smallest value; ranges[k] is the largest of these,
// 1 for a feature that never varies. The last entry is the log-probability's.
void feature_ranges(const Problem &problem, std::span<double> ranges);

} // namespace runoff::ranking
