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

// Finds the leaves of a sparse example by looking at its present atoms only, in time of the nodes
// that test one of them (the bit vectors of QuickScorer, Lucchese et al. 2015). A node whose atom
// is present rules out the leaves of its other side; the leaf that is reached is the first one
// left, since an example without atoms goes to the first leaf. The ensemble outlives it.
class Scorer {
public:
  explicit Scorer(const Ensemble &ensemble);

  // Room for one example; each thread has its own.
  using Room = std::vector<std::uint64_t>;

  // The sum of values, in the order of the trees; atoms in any order, unknown ones are allowed.
  double score(std::span<const Atom> atoms, Room &room) const;
  // The leaf that is reached in an ensemble of one tree.
  std::uint32_t leaf(std::span<const Atom> atoms, Room &room) const;
  // Nodes, counted over all trees, of the leaves that are reached and have a value.
  void leaves(std::span<const Atom> atoms, Room &room, std::vector<std::uint32_t> &nodes) const;

private:
  struct Test {
    std::uint32_t begin, end; // bits of the leaves without the atom
  };
  template <typename Visit>
  void reach(std::span<const Atom> atoms, Room &room, Visit &&visit) const;

  const Ensemble &ensemble_;
  std::vector<std::uint32_t> words_;  // trees + 1: where the bits of each begin
  std::vector<std::uint32_t> leaves_; // bits: the node of each leaf
  std::vector<std::uint32_t> starts_; // atoms + 1: where the tests of each begin
  std::vector<Test> tests_;
};

} // namespace runoff::decision_trees
