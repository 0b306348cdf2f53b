#include "runoff/decision_trees/ensemble.hpp"

#include "runoff/base/offsets.hpp"

#include <bit>
#include <limits>
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

Scorer::Scorer(const Ensemble &ensemble) : ensemble_(ensemble) {
  std::size_t n_atoms = 0;
  for (const auto &node : ensemble.nodes())
    if (!node.is_leaf())
      n_atoms = std::max(n_atoms, node.atom + std::size_t{1});
  starts_.assign(n_atoms + 2, 0);
  for (const auto &node : ensemble.nodes())
    if (!node.is_leaf())
      ++starts_[node.atom + std::size_t{2}];
  for (std::size_t atom = 2; atom < starts_.size(); ++atom)
    starts_[atom] += starts_[atom - 1];
  tests_.resize(starts_.back());
  words_.push_back(0);
  std::vector<std::uint32_t> bits; // of one tree: leaves before each node
  for (std::size_t number = 0; number < ensemble.trees(); ++number) {
    const auto tree = ensemble.tree(number);
    const auto first = words_.back() * 64,
               root = static_cast<std::uint32_t>(ensemble.offsets()[number]);
    leaves_.resize(first);
    bits.clear();
    for (std::uint32_t at = 0; at < tree.size(); ++at) {
      bits.push_back(static_cast<std::uint32_t>(leaves_.size()));
      if (tree[at].is_leaf())
        leaves_.push_back(root + at);
    }
    for (std::uint32_t at = 0; at < tree.size(); ++at)
      if (!tree[at].is_leaf())
        tests_[starts_[tree[at].atom + std::size_t{1}]++] = {bits[at], bits[tree[at].yes]};
    words_.push_back(static_cast<std::uint32_t>((leaves_.size() + 63) / 64));
  }
  starts_.pop_back();
}

template <typename Visit>
void Scorer::reach(std::span<const Atom> atoms, Room &room, Visit &&visit) const {
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  room.assign(words_.back(), all);
  for (const auto atom : atoms) {
    if (atom + std::size_t{1} >= starts_.size())
      continue;
    for (auto at = starts_[atom]; at < starts_[atom + std::size_t{1}]; ++at) {
      const auto [begin, end] = tests_[at];
      for (auto word = begin / 64; word * 64 < end; ++word) {
        const auto low = word * 64 < begin ? begin % 64 : 0;
        const auto high = (word + 1) * 64 > end ? end % 64 : 64;
        room[word] &= ~((high == 64 ? all : (std::uint64_t{1} << high) - 1) & (all << low));
      }
    }
  }
  for (std::size_t number = 0; number < ensemble_.trees(); ++number) {
    auto word = words_[number];
    while (room[word] == 0)
      ++word;
    visit(leaves_[word * 64 + static_cast<std::uint32_t>(std::countr_zero(room[word]))]);
  }
}

double Scorer::score(std::span<const Atom> atoms, Room &room) const {
  double sum = 0.0;
  reach(atoms, room, [&](std::uint32_t node) { sum += ensemble_.nodes()[node].value; });
  return sum;
}

std::uint32_t Scorer::leaf(std::span<const Atom> atoms, Room &room) const {
  std::uint32_t found = 0;
  reach(atoms, room, [&](std::uint32_t node) { found = node; });
  return found;
}

void Scorer::leaves(std::span<const Atom> atoms, Room &room,
                    std::vector<std::uint32_t> &nodes) const {
  nodes.clear();
  reach(atoms, room, [&](std::uint32_t node) {
    if (ensemble_.nodes()[node].value != 0.0)
      nodes.push_back(node);
  });
}

} // namespace runoff::decision_trees
