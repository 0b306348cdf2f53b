#include "runoff/trees/trees.hpp"

#include "runoff/base/offsets.hpp"

#include <limits>
#include <stdexcept>

namespace runoff::trees {

void Trees::check(std::size_t n_labels) const {
  base::check_offsets(offsets, labels.size(), "node");
  if (depths.size() != labels.size())
    throw std::invalid_argument("labels and depths of nodes differ in length");
  if (n_labels >= std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("too many labels for 32-bit numbers");
  for (const auto label : labels)
    if (label > n_labels)
      throw std::invalid_argument("the label of a node is out of range");
  for (std::size_t tree = 0; tree < size(); ++tree) {
    const auto own = (*this)[tree].depths;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (i == 0 ? own[i] != 0 : own[i] == 0 || own[i] > own[i - 1] + 1)
        throw std::invalid_argument("the depths of nodes are not those of a tree");
  }
}

void find_ends(std::span<const std::uint16_t> depths, std::vector<std::uint32_t> &ends) {
  ends.resize(depths.size());
  std::vector<std::uint32_t> open; // the last node of each depth
  for (std::uint32_t node = 0; node <= depths.size(); ++node) {
    const std::size_t depth = node < depths.size() ? depths[node] : 0;
    for (; open.size() > depth; open.pop_back())
      ends[open.back()] = node;
    open.push_back(node);
  }
}

} // namespace runoff::trees
