// Features as a list sees them: which rank a value has among those of its list.
#pragma once

#include "runoff/ranking/problem.hpp"

#include <vector>

namespace runoff::ranking {

// Numbers of one kind per candidate and column, a candidate's one after the other.
struct ListViews {
  std::size_t columns;
  std::vector<double> raw;   // the value; 0 where the candidate lacks the feature
  std::vector<double> rank;  // the share of the list's other values above it, half of equal ones
  std::vector<double> score; // its distance from the list's mean, in standard deviations
};

// The views of some features, whose ids rise; the log-probability is a last column. Time is that of
// sorting each column of each list.
ListViews list_views(const Problem &problem, std::span<const std::uint32_t> features,
                     const base::Poll &poll);

} // namespace runoff::ranking
