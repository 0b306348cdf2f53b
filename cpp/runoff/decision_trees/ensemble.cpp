#include "runoff/decision_trees/ensemble.hpp"

#include "runoff/base/offsets.hpp"

#include <stdexcept>

namespace runoff::decision_trees {
namespace {

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// Reads a tree in preorder; the ends of the subtrees that are still open lie on the stack.
void check_tree(std::span<const Node> tree, std::size_t n_atoms) {
  require(!tree.empty(), "a tree has no nodes");
  std::vector<std::size_t> ends{tree.size()};
  for (std::size_t at = 0; at < tree.size(); ++at) {
    const auto &node = tree[at];
    if (node.is_leaf()) {
      require(node.atom == 0, "a leaf tests an atom");
      require(ends.back() == at + 1, "the nodes of a tree are not in preorder");
      ends.pop_back();
      continue;
    }
    require(node.atom < n_atoms, "a node tests an atom that is not there");
    require(node.value == 0.0, "a node that is split has a value");
    require(node.yes > at + 1 && node.yes < ends.back(), "a child lies outside its subtree");
    ends.push_back(node.yes);
  }
  require(ends.empty(), "a tree lacks leaves");
}

} // namespace

Ensemble::Ensemble(std::vector<std::int64_t> offsets, std::vector<Node> nodes, std::size_t n_atoms)
    : offsets_(std::move(offsets)), nodes_(std::move(nodes)) {
  require(nodes_.size() < none, "there are too many nodes");
  base::check_offsets(offsets_, nodes_.size(), "trees");
  for (std::size_t number = 0; number < trees(); ++number)
    check_tree(tree(number), n_atoms);
}

void Ensemble::append(const Tree &tree) {
  if (nodes_.size() + tree.size() >= none)
    throw std::length_error("the trees have too many nodes");
  nodes_.insert(nodes_.end(), tree.begin(), tree.end());
  offsets_.push_back(static_cast<std::int64_t>(nodes_.size()));
}

double Ensemble::score(const AtomSource &source, std::uint64_t pointer, std::size_t first) const {
  double sum = 0.0;
  for (std::size_t number = first; number < trees(); ++number) {
    const auto nodes = tree(number);
    sum += nodes[leaf_of(nodes, [&](Atom atom) { return source.test(pointer, atom); })].value;
  }
  return sum;
}

} // namespace runoff::decision_trees
