// Ensembles of confidence-rated decision trees over yes/no atoms.
#pragma once

#include "runoff/decision_trees/atoms.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::decision_trees {

constexpr std::uint32_t none = 0xFFFFFFFF;

// A node of a tree that is laid out in preorder: the child for examples without the atom comes
// right after its parent, the one for examples with it at `yes`, counted from the root.
struct Node {
  Atom atom;         // 0 in a leaf
  std::uint32_t yes; // 0 in a leaf
  double value;      // 0 in a node that is split

  bool is_leaf() const { return yes == 0; }
};

using Tree = std::vector<Node>;

// The leaf that is reached where `present(atom)` says which atoms there are.
template <typename Present> std::uint32_t leaf_of(std::span<const Node> tree, Present &&present) {
  std::uint32_t at = 0;
  while (!tree[at].is_leaf())
    at = present(tree[at].atom) ? tree[at].yes : at + 1;
  return at;
}

// Trees end to end; a score is the sum of the values of the leaves that an example reaches.
class Ensemble {
public:
  Ensemble() = default;
  // Throws std::invalid_argument unless every part of `nodes` is a tree in preorder whose atoms lie
  // below n_atoms; so walking it ends, whatever a file holds.
  Ensemble(std::vector<std::int64_t> offsets, std::vector<Node> nodes, std::size_t n_atoms);

  std::size_t trees() const { return offsets_.size() - 1; }
  std::span<const std::int64_t> offsets() const { return offsets_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Node> tree(std::size_t number) const {
    const auto begin = static_cast<std::size_t>(offsets_[number]);
    return std::span(nodes_).subspan(begin, static_cast<std::size_t>(offsets_[number + 1]) - begin);
  }
  void append(const Tree &tree);

  // By a walk of each tree from `first` on, in their order; tests are asked of the source.
  double score(const AtomSource &source, std::uint64_t pointer, std::size_t first = 0) const;

private:
  std::vector<std::int64_t> offsets_{0};
  std::vector<Node> nodes_;
};

} // namespace runoff::decision_trees
