// The trees of n-best lists, what candidates of a list have in common held once.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/trees/trees.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::trees {

// A subtree of at most s nodes with a given root sees of a candidate what lies less than s levels
// below that root. That much of a tree, under any of its nodes, is a *shape*. Candidates of a list
// have most shapes in common, so a list holds each of its shapes once, as a *root*, with the set of
// candidates that have it: a word of 64 bits. For that, a list is cut into *groups* of at most 64
// candidates, of which the first is always the list's best.
//
// Nodes whose label occurs in fewer than `frequency` lists, and what is below them, are left out of
// shapes: no frequent subtree has them.
class SharedTrees {
public:
  static constexpr std::size_t most_nodes = 64; // of a subtree

  struct Node {
    std::uint32_t label;
    std::uint16_t depth, end; // end: the node after its subtree
  };
  struct Root {
    std::uint64_t candidates; // bit k is candidate k of the group
    std::uint32_t group, shape;
  };
  struct Group {
    std::uint32_t list;
    std::uint32_t size;  // its candidates, the list's best among them
    std::uint64_t first; // its candidates are members [first, first + size)

    std::uint64_t rivals() const { // all of them but the best
      return (size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1) & ~std::uint64_t{1};
    }
  };

  // best: the place of the best candidate in each list that is not empty. Trees have been checked
  // with n_labels. Throws std::invalid_argument if they are too large. Time is linear in the nodes
  // times the depth of trees.
  SharedTrees(std::span<const std::int64_t> list_offsets, const Trees &trees,
              std::span<const std::int64_t> best, std::size_t n_labels, std::size_t size,
              std::size_t frequency, const base::Poll &poll);

  std::size_t size() const { return size_; }           // s: the most nodes of a subtree
  std::size_t frequency() const { return frequency_; } // f: the fewest lists that have one
  std::size_t labels() const { return n_labels_; }
  std::size_t candidates() const { return candidates_; }
  std::span<const Group> groups() const { return groups_; }
  std::span<const std::uint32_t> members() const { return members_; } // candidates of all groups
  std::span<const Root> roots() const { return roots_; }              // group by group
  // The nodes of a shape, which is known by where they begin.
  std::span<const Node> shape(std::uint32_t first) const {
    return {nodes_.data() + first, nodes_[first].end};
  }
  [[gnu::always_inline]] void prefetch(const Root &root) const {
    __builtin_prefetch(&nodes_[root.shape]);
  }
  std::size_t shapes() const { return n_shapes_; }
  // The roots with a label, rising.
  std::span<const std::uint32_t> roots_of(std::uint32_t label) const {
    return {by_label_.data() + label_start_[label], by_label_.data() + label_start_[label + 1]};
  }
  std::size_t bytes() const;

  // The candidates that have a subtree, rising.
  std::vector<std::uint32_t> candidates_with(const Trees::View &subtree) const;

private:
  class Builder;

  std::size_t size_, frequency_, n_labels_, candidates_, n_shapes_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> members_;
  std::vector<Root> roots_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> by_label_;
  std::vector<std::uint64_t> label_start_;
};

// Where the rightmost leaf of a subtree can be in a shape, if its root is the shape's.
class RightmostLeaves {
public:
  // The places, rising; the next call overwrites them.
  std::span<const std::uint32_t> find(const Trees::View &subtree,
                                      std::span<const SharedTrees::Node> shape);

private:
  std::vector<std::uint32_t> places_, next_;
};

} // namespace runoff::trees
