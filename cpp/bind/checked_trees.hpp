// Trees as the bindings take them.
#pragma once

#include "checked_problem.hpp"
#include "runoff/trees/trees.hpp"

using Depths = Vec<const std::uint16_t>;

inline runoff::trees::Trees checked_trees(const Offsets &offsets, const Ids &labels,
                                          const Depths &depths, std::size_t n_labels) {
  const runoff::trees::Trees trees{view(offsets), view(labels), view(depths)};
  trees.check(n_labels);
  return trees;
}
