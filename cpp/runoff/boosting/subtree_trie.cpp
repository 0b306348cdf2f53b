#include "runoff/boosting/subtree_trie.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace runoff::boosting {

SubtreeTrie::SubtreeTrie(const trees::Trees &subtrees, std::size_t n_labels)
    : n_subtrees_(subtrees.size()), roots_(n_labels + 1, none),
      steps_(std::bit_ceil(2 * std::max<std::size_t>(subtrees.labels.size(), 1))) {
  const auto add = [&] {
    subtree_.push_back(none);
    has_children_.push_back(0);
    return static_cast<std::uint32_t>(subtree_.size() - 1);
  };
  for (std::size_t number = 0; number < subtrees.size(); ++number) {
    const auto own = subtrees[number];
    if (own.size() == 0 || own.size() > most_nodes)
      throw std::invalid_argument("a subtree is empty or larger than 255 nodes");
    if (std::ranges::find(own.labels, n_labels) != own.labels.end())
      throw std::invalid_argument("a label of a subtree is not known");
    auto &root = roots_[own.labels[0]];
    if (root == none)
      root = add();
    auto node = root;
    for (std::size_t i = 1; i < own.size(); ++i) {
      auto &step = steps_[place(node, own.depths[i], own.labels[i])];
      if (step.is_free()) {
        has_children_[node] = 1;
        step = {(std::uint64_t{node} << 16) | own.depths[i], own.labels[i], add()};
      }
      node = step.child;
    }
    if (subtree_[node] != none)
      throw std::invalid_argument("a subtree is there twice");
    subtree_[node] = static_cast<std::uint32_t>(number);
  }
}

// Where the step is, or the free place where it would be.
std::size_t SubtreeTrie::place(std::uint32_t node, std::uint32_t depth, std::uint32_t label) const {
  const std::uint64_t key = (std::uint64_t{node} << 16) | depth;
  std::uint64_t hash = (key * 0x9e3779b97f4a7c15) ^ (label * 0xd6e8feb86659fd93);
  hash = (hash ^ (hash >> 29)) * 0xff51afd7ed558ccd;
  return steps_.place(
      hash >> 32, [&](const Slot &one) { return one.node_and_depth == key && one.label == label; });
}

void SubtreeFinder::find(const trees::Trees::View &tree, std::vector<std::uint32_t> &found) {
  tree_ = tree;
  trees::find_ends(tree.depths, ends_);
  make_room(tree.size());
  own_.resize(tree.size());
  for (std::size_t node = tree.size(); node-- > 0;) {
    own_[node] = part(node);
    const auto &one = parts_[own_[node]];
    for (auto i = one.found; i < one.found + one.n_found; ++i)
      has_[found_[i] / 64] |= std::uint64_t{1} << found_[i] % 64;
  }
  for (std::size_t word = 0; word < has_.size(); ++word)
    for (auto &rest = has_[word]; rest != 0; rest &= rest - 1)
      found.push_back(static_cast<std::uint32_t>(64 * word) +
                      static_cast<std::uint32_t>(std::countr_zero(rest)));
}

// Forgets all parts unless there is room for so many more.
void SubtreeFinder::make_room(std::size_t nodes) {
  if (numbers_.fits(parts_.size() + nodes))
    return;
  parts_.clear();
  contents_.clear();
  found_.clear();
  numbers_ = base::HashIndex<base::NumberSlot>(2 * std::bit_ceil(std::max(nodes, least_parts)));
}

// The part that a node is the root of; those of the nodes below are known.
std::uint32_t SubtreeFinder::part(std::size_t node) {
  const std::size_t begin = contents_.size();
  contents_.push_back(tree_.labels[node]);
  for (std::size_t below = node + 1; below < ends_[node]; below = ends_[below])
    contents_.push_back(own_[below]);
  const std::span<const std::uint32_t> own(contents_.data() + begin, contents_.size() - begin);
  std::uint64_t hash = own.size();
  for (const auto value : own)
    hash = (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29);
  auto &slot = numbers_[numbers_.place(hash ^ (hash >> 32), [&](base::NumberSlot known) {
    const auto &other = parts_[known.number];
    return std::ranges::equal(own, std::span(contents_).subspan(other.begin, other.size));
  })];
  if (!slot.is_free()) {
    contents_.resize(begin);
    return slot.number;
  }
  slot.number = static_cast<std::uint32_t>(parts_.size());
  const std::size_t found = found_.size();
  if (const auto first = trie_.roots_[tree_.labels[node]]; first != none) {
    root_ = node;
    steps_.assign(1, {first, static_cast<std::uint32_t>(node)});
    walk(first, 0);
  }
  parts_.push_back({begin, found, static_cast<std::uint32_t>(contents_.size() - begin),
                    static_cast<std::uint32_t>(found_.size() - found)});
  return slot.number;
}

// The steps from `first` on have led to this node of the trie: one for each place of the rightmost
// leaf.
void SubtreeFinder::walk(std::uint32_t node, std::size_t first) {
  if (trie_.subtree_[node] != none)
    found_.push_back(trie_.subtree_[node]);
  if (!trie_.has_children_[node])
    return;
  const std::size_t last = steps_.size();
  for (std::size_t i = first; i < last; ++i)
    trees::visit_extensions(
        steps_[i].second, ends_[root_], [this](std::size_t at) { return ends_[at]; },
        [&](std::size_t at) {
          const auto depth = static_cast<std::uint32_t>(tree_.depths[at] - tree_.depths[root_]);
          const auto next = trie_.steps_[trie_.place(node, depth, tree_.labels[at])].child;
          if (next != none)
            steps_.emplace_back(next, static_cast<std::uint32_t>(at));
        });
  std::sort(steps_.begin() + static_cast<std::ptrdiff_t>(last), steps_.end());
  steps_.erase(std::unique(steps_.begin() + static_cast<std::ptrdiff_t>(last), steps_.end()),
               steps_.end());
  // The runs of equal trie nodes, from the back: each is the top of the stack while it is walked.
  while (steps_.size() > last) {
    std::size_t begin = steps_.size() - 1;
    const auto next = steps_[begin].first;
    while (begin > last && steps_[begin - 1].first == next)
      --begin;
    walk(next, begin);
    steps_.resize(begin);
  }
}

} // namespace runoff::boosting
