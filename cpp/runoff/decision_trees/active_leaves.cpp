#include "runoff/decision_trees/active_leaves.hpp"

#include <bit>

namespace runoff::decision_trees {
namespace {

constexpr std::uint32_t bits = 64;

// Where the entries of each atom begin; they are sorted.
template <typename Entry>
std::vector<std::uint32_t> starts(std::vector<Entry> &entries, std::size_t n_atoms) {
  std::ranges::stable_sort(entries, {}, &Entry::atom);
  std::vector<std::uint32_t> at(n_atoms + 1);
  for (const auto &entry : entries)
    ++at[entry.atom + 1];
  for (std::size_t atom = 0; atom < n_atoms; ++atom)
    at[atom + 1] += at[atom];
  return at;
}

} // namespace

ActiveLeaves::ActiveLeaves(std::span<const Ensemble> ensembles) {
  std::size_t n_atoms = 0;
  for (const auto &ensemble : ensembles) {
    for (std::size_t number = 0; number < ensemble.trees(); ++number)
      add_tree(ensemble.tree(number), static_cast<std::uint32_t>(ensemble.offsets()[number]));
    for (const auto &node : ensemble.nodes())
      n_atoms = std::max<std::size_t>(n_atoms, node.atom + std::size_t{1});
    end_word();
    leaves_.resize((leaves_.size() + bits - 1) / bits * bits);
    words_.push_back(static_cast<std::uint32_t>(leaves_.size() / bits));
    first_.resize(words_.back());
  }
  ruled_at_ = starts(ruled_, n_atoms);
  needed_at_ = starts(needed_, n_atoms);
}

void ActiveLeaves::add_tree(std::span<const Node> tree, std::uint32_t first) {
  Literals path;
  std::vector<std::pair<std::uint32_t, std::size_t>> open; // yes children, with the path above
  for (std::uint32_t at = 0; at < tree.size(); ++at) {
    if (!open.empty() && open.back().first == at) {
      path.resize(open.back().second);
      path.back().second = true;
      open.pop_back();
    }
    if (!tree[at].is_leaf()) {
      path.emplace_back(tree[at].atom, false);
      open.emplace_back(tree[at].yes, path.size());
    } else if (tree[at].value != 0.0) {
      add({tree[at].value, first + at, 0}, path);
    }
  }
}

void ActiveLeaves::add(const Leaf &leaf, const Literals &literals) {
  const auto number = static_cast<std::uint32_t>(leaves_.size());
  if (number % bits == 0) {
    end_word();
    first_.push_back(0);
  }
  leaves_.push_back(leaf);
  for (const auto &[atom, present] : literals)
    if (present) {
      needed_.push_back({atom, number});
      ++leaves_.back().needed;
    } else {
      word_.emplace_back(atom, std::uint64_t{1} << (number % bits));
    }
  if (leaves_.back().needed == 0)
    first_.back() |= std::uint64_t{1} << (number % bits);
}

void ActiveLeaves::end_word() {
  std::ranges::sort(word_);
  for (const auto &[atom, leaf] : word_) {
    const auto word = static_cast<std::uint32_t>(first_.size() - 1);
    if (ruled_.empty() || ruled_.back().atom != atom || ruled_.back().word != word)
      ruled_.push_back({atom, word, 0});
    ruled_.back().leaves |= leaf;
  }
  word_.clear();
}

void ActiveLeaves::reach(std::span<const Atom> atoms, Room &room) const {
  room.reached.assign(first_.begin(), first_.end());
  room.found.resize(leaves_.size());
  const auto n_atoms = needed_at_.size() - 1;
  for (const auto atom : atoms)
    if (atom < n_atoms)
      for (auto at = needed_at_[atom]; at < needed_at_[atom + 1]; ++at) {
        const auto leaf = needed_[at].leaf;
        if (++room.found[leaf] == leaves_[leaf].needed)
          room.reached[leaf / bits] |= std::uint64_t{1} << (leaf % bits);
      }
  for (const auto atom : atoms)
    if (atom < n_atoms) {
      for (auto at = ruled_at_[atom]; at < ruled_at_[atom + 1]; ++at)
        room.reached[ruled_[at].word] &= ~ruled_[at].leaves;
      for (auto at = needed_at_[atom]; at < needed_at_[atom + 1]; ++at)
        room.found[needed_[at].leaf] = 0;
    }
}

template <typename Visit>
void ActiveLeaves::each(std::size_t ensemble, const Room &room, const Visit &visit) const {
  for (auto word = words_[ensemble]; word < words_[ensemble + 1]; ++word)
    for (auto left = room.reached[word]; left != 0; left &= left - 1)
      visit(leaves_[word * bits + static_cast<std::uint32_t>(std::countr_zero(left))]);
}

double ActiveLeaves::score(std::size_t ensemble, const Room &room) const {
  double sum = 0.0;
  each(ensemble, room, [&](const Leaf &leaf) { sum += leaf.value; });
  return sum;
}

void ActiveLeaves::leaves(std::size_t ensemble, const Room &room,
                          std::vector<std::uint32_t> &nodes) const {
  nodes.clear();
  each(ensemble, room, [&](const Leaf &leaf) { nodes.push_back(leaf.node); });
}

} // namespace runoff::decision_trees
