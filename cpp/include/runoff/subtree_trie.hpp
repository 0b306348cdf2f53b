// Which of many subtrees a tree has, by one walk of a trie of all of them.
#pragma once

#include "runoff/trees.hpp"

#include <utility>
#include <vector>

namespace runoff {

// A path of the trie is a subtree in preorder, so each step is a rightmost extension. Where a step
// leads is found by hashing, and nothing is enumerated that no subtree of the trie begins with.
class SubtreeTrie {
public:
  static constexpr std::size_t most_nodes = 255; // of a subtree

  // The subtrees are trees that have been checked, none of them empty or larger than most_nodes,
  // and all labels known. Throws std::invalid_argument otherwise, or if one is there twice.
  SubtreeTrie(const Trees &subtrees, std::size_t n_labels);

  // Appends the numbers of the subtrees that a tree has, rising.
  void find(const Trees::View &tree, std::vector<std::uint32_t> &found);

private:
  static constexpr std::uint32_t none = 0xffffffff;

  void walk(std::uint32_t node, std::size_t first);

  struct Slot {
    std::uint64_t node_and_depth = ~std::uint64_t{0};
    std::uint32_t label = 0, child = none;
  };
  std::size_t slot(std::uint32_t node, std::uint32_t depth, std::uint32_t label) const;

  std::vector<std::uint32_t> roots_;       // by label
  std::vector<std::uint32_t> subtree_;     // of each trie node, or none
  std::vector<std::uint8_t> has_children_; // whether a trie node has some
  std::vector<Slot> slots_;                // a power of two, at most half full
  // of the tree being walked
  Trees::View tree_;
  std::vector<std::uint32_t> ends_;
  std::size_t root_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_; // a stack: trie node, tree node
  std::vector<std::uint32_t> found_;
};

} // namespace runoff
