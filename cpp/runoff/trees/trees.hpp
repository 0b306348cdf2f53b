// Labelled ordered trees as arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::trees {

// Trees laid end to end, nodes in preorder. Tree j has the nodes [offsets[j], offsets[j + 1]) and
// may have none. The memory belongs to the caller.
struct Trees {
  std::span<const std::int64_t> offsets; // trees + 1
  std::span<const std::uint32_t> labels; // nodes; the number of labels stands for an unknown one
  std::span<const std::uint16_t> depths; // nodes; 0 in a root

  std::size_t size() const { return offsets.size() - 1; }

  struct View {
    std::span<const std::uint32_t> labels;
    std::span<const std::uint16_t> depths;

    std::size_t size() const { return labels.size(); }
  };
  View operator[](std::size_t tree) const {
    const auto begin = static_cast<std::size_t>(offsets[tree]);
    const auto count = static_cast<std::size_t>(offsets[tree + 1]) - begin;
    return {labels.subspan(begin, count), depths.subspan(begin, count)};
  }

  // Throws std::invalid_argument unless the arrays fit together, all labels are known or unknown
  // ones, and depths are those of trees.
  void check(std::size_t n_labels) const;
};

// The node after each node's subtree.
void find_ends(std::span<const std::uint16_t> depths, std::vector<std::uint32_t> &ends);

// The nodes that a rightmost extension may add to a subtree whose rightmost leaf is `leaf`, which
// ends where the subtree's root does: its children, its right siblings, those of its parent, and so
// on; `ends(node)` is the node after a node's subtree. A node's depth says whose child it becomes.
template <typename Ends, typename Visit>
void visit_extensions(std::size_t leaf, std::size_t root_end, const Ends &ends,
                      const Visit &visit) {
  for (std::size_t node = leaf + 1; node < root_end; node = ends(node))
    visit(node);
}

} // namespace runoff::trees
