// Which of many subtrees a tree has, by one walk of a trie of all of them.
#pragma once

#include "runoff/base/hash_index.hpp"
#include "runoff/trees/trees.hpp"

#include <utility>
#include <vector>

namespace runoff::boosting {

// A path of the trie is a subtree in preorder, so each step is a rightmost extension. Where a step
// leads is found by hashing, and nothing is enumerated that no subtree of the trie begins with.
class SubtreeTrie {
public:
  static constexpr std::size_t most_nodes = 255; // of a subtree

  // The subtrees are trees that have been checked, none of them empty or larger than most_nodes,
  // and all labels known. Throws std::invalid_argument otherwise, or if one is there twice.
  SubtreeTrie(const trees::Trees &subtrees, std::size_t n_labels);

  std::size_t size() const { return n_subtrees_; }

private:
  friend class SubtreeFinder;
  static constexpr std::uint32_t none = base::NumberSlot::none;

  struct Slot {
    std::uint64_t node_and_depth = ~std::uint64_t{0};
    std::uint32_t label = 0, child = none;

    bool is_free() const { return child == none; }
  };
  std::size_t place(std::uint32_t node, std::uint32_t depth, std::uint32_t label) const;

  std::size_t n_subtrees_;
  std::vector<std::uint32_t> roots_;       // by label
  std::vector<std::uint32_t> subtree_;     // of each trie node, or none
  std::vector<std::uint8_t> has_children_; // whether a trie node has some
  base::HashIndex<Slot> steps_;            // never grows: as large as all nodes may need
};

// Walks tree after tree. Candidates of a list have most of their parts in common, a part being a
// node with all below it, so what is found at the root of a part is remembered, and every part is
// walked once.
class SubtreeFinder {
public:
  explicit SubtreeFinder(const SubtreeTrie &trie)
      : trie_(trie), has_((trie.size() + 63) / 64), numbers_(2 * least_parts) {}

  // Appends the numbers of the subtrees that a tree has, rising.
  void find(const trees::Trees::View &tree, std::vector<std::uint32_t> &found);

private:
  static constexpr std::uint32_t none = base::NumberSlot::none;
  static constexpr std::size_t least_parts = 1
                                             << 16; // that are remembered, until all are forgotten

  struct Part {
    std::size_t begin, found; // where its label and the parts below it begin, and its subtrees
    std::uint32_t size, n_found;
  };

  void make_room(std::size_t nodes);
  std::uint32_t part(std::size_t node);
  void walk(std::uint32_t node, std::size_t first);

  const SubtreeTrie &trie_;
  std::vector<std::uint64_t> has_; // a bit per subtree
  std::vector<Part> parts_;
  std::vector<std::uint32_t> contents_, found_; // of all parts
  base::HashIndex<base::NumberSlot> numbers_;   // of parts
  // of the tree being walked
  trees::Trees::View tree_;
  std::vector<std::uint32_t> ends_, own_;
  std::size_t root_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_; // a stack: trie node, tree node
};

} // namespace runoff::boosting
