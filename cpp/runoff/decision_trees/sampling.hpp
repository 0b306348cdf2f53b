// Priority sampling (Duffield, Lund & Thorup 2005): a few weighted examples whose sums are
// unbiased.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::decision_trees {

// Names one draw: the same numbers give the same sample, whatever the threads.
struct Draw {
  std::uint64_t seed, number;

  // u of an example, uniform in (0, 1].
  double uniform(std::uint64_t example) const;
};

struct Sample {
  std::vector<std::uint32_t> examples; // rising
  std::vector<std::int64_t> weights;   // their estimates
  double lost = 0.0;                   // the share of all weight that is not in the sample
};

// The `size` examples of the highest priority weight / u, ties to the lower number, with the
// estimates max(weight, tau), where tau is the highest priority outside. Examples of weight 0 are
// never taken. Where there are no more than `size` others, all are taken with their own weights.
// Time is linear in the examples.
Sample priority_sample(std::span<const std::int64_t> weights, std::size_t size, const Draw &draw,
                       const base::Threads &threads);

} // namespace runoff::decision_trees
