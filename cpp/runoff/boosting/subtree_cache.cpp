#include "runoff/boosting/subtree_cache.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::boosting {

// Extends subtrees; has room for a count of every node that may be added.
class SubtreeCache::Extender {
public:
  explicit Extender(const trees::SharedTrees &trees)
      : trees_(trees), labels_(static_cast<std::uint32_t>(trees.labels())),
        counts_(trees.size() * trees.labels()) {}

  // The nodes by which an entry can be extended so that it occurs in enough lists, in order, and
  // the occurrences of each.
  std::vector<Entry> children(const Entry &parent, std::uint32_t number) {
    find_hits(parent);
    added_.clear();
    for (const auto &hit : hits_) {
      auto &count = counts_[hit.key];
      if (count.occurrences++ == 0)
        added_.push_back(hit.key);
      const auto list = trees_.groups()[trees_.roots()[hit.root].group].list;
      count.lists += count.last_list != list;
      count.last_list = list;
    }
    std::ranges::sort(added_);
    std::vector<Entry> children;
    for (const auto key : added_)
      if (auto &count = counts_[key]; count.lists >= trees_.frequency()) {
        count.child = static_cast<std::uint32_t>(children.size());
        children.push_back({.parent = number,
                            .label = key % labels_,
                            .depth = static_cast<std::uint16_t>(key / labels_),
                            .size = static_cast<std::uint16_t>(parent.size + 1),
                            .live = 0,
                            .roots = {},
                            .leaves = {}});
        children.back().roots.reserve(count.occurrences);
      }
    for (const auto &hit : hits_)
      if (const auto child = counts_[hit.key].child; child != none)
        add(children[child], hit.root, hit.leaf);
    for (const auto key : added_)
      counts_[key] = {};
    return children;
  }

private:
  struct Count {
    std::uint32_t last_list = none, occurrences = 0, lists = 0, child = none;
  };

  struct Hit {
    std::uint32_t key, root;
    std::uint16_t leaf;
  };

  // An occurrence is found once for each of the parent's that it extends.
  void add(Entry &child, std::uint32_t root, std::uint16_t leaf) const {
    if (child.size == trees_.size()) { // it will not be extended
      if (child.roots.empty() || child.roots.back() != root)
        child.roots.push_back(root);
      return;
    }
    for (auto i = child.roots.size(); i-- > 0 && child.roots[i] == root;)
      if (child.leaves[i] == leaf)
        return;
    child.roots.push_back(root);
    child.leaves.push_back(leaf);
  }

  // Every node that may be added to an occurrence.
  void find_hits(const Entry &parent) {
    constexpr std::size_t ahead = 8; // occurrences whose shapes are fetched in advance
    hits_.clear();
    for (std::size_t i = 0; i < parent.roots.size(); ++i) {
      if (i + ahead < parent.roots.size())
        trees_.prefetch(trees_.roots()[parent.roots[i + ahead]]);
      const auto root = parent.roots[i];
      const auto shape = trees_.shape(trees_.roots()[root].shape);
      trees::visit_extensions(
          parent.leaves[i], shape.size(), [&](std::size_t at) { return shape[at].end; },
          [&](std::size_t at) {
            hits_.push_back({shape[at].depth * labels_ + shape[at].label, root,
                             static_cast<std::uint16_t>(at)});
          });
    }
  }

  const trees::SharedTrees &trees_;
  const std::uint32_t labels_;
  std::vector<Count> counts_; // by depth and label
  std::vector<std::uint32_t> added_;
  std::vector<Hit> hits_;
};

SubtreeCache::SubtreeCache(const trees::SharedTrees &trees, const PairWeights &pairs)
    : trees_(trees), pairs_(pairs) {
  if (trees.size() * trees.labels() >= none)
    throw std::invalid_argument("too many labels for subtrees of this size");
  for (std::uint32_t label = 0; label < trees.labels(); ++label) {
    const auto roots = trees.roots_of(label);
    if (roots.empty())
      continue;
    Entry entry{.parent = none,
                .label = label,
                .depth = 0,
                .size = 1,
                .live = 0,
                .roots = {roots.begin(), roots.end()},
                .leaves = std::vector<std::uint16_t>(roots.size(), 0)};
    part_live(entry);
    if (entry.live > 0) {
      bytes_ += bytes_of(entry);
      entries_.push_back(std::move(entry));
    }
  }
  single_nodes_ = static_cast<std::uint32_t>(entries_.size());
}

// Whether a subtree at this root, and nowhere else in the list, tells a pair apart.
bool SubtreeCache::tells(std::uint32_t root) const {
  const auto &own = trees_.roots()[root];
  Reach reach;
  reach.add(own.candidates);
  return reach.told(pairs_.pairs(own.group)) != 0;
}

// Puts the roots of lists in which a root tells something to the front.
void SubtreeCache::part_live(Entry &entry) const {
  const auto list_of = [&](std::uint32_t root) {
    return trees_.groups()[trees_.roots()[root].group].list;
  };
  std::vector<std::uint32_t> live, dead; // occurrences
  for (std::uint32_t begin = 0, end = 0; begin < entry.roots.size(); begin = end) {
    bool is_live = false;
    for (; end < entry.roots.size() && list_of(entry.roots[end]) == list_of(entry.roots[begin]);
         ++end)
      is_live = is_live || tells(entry.roots[end]);
    for (auto &part = is_live ? live : dead; begin < end; ++begin)
      part.push_back(begin);
  }
  entry.live = static_cast<std::uint32_t>(live.size());
  if (entry.size < trees_.size()) // the others only tell how often its children occur
    live.insert(live.end(), dead.begin(), dead.end());
  std::vector<std::uint32_t> roots(live.size());
  std::ranges::transform(live, roots.begin(), [&](std::uint32_t i) { return entry.roots[i]; });
  entry.roots = std::move(roots);
  if (!entry.leaves.empty()) {
    std::vector<std::uint16_t> leaves(live.size());
    std::ranges::transform(live, leaves.begin(), [&](std::uint32_t i) { return entry.leaves[i]; });
    entry.leaves = std::move(leaves);
  }
}

std::size_t SubtreeCache::bytes_of(const Entry &entry) {
  return 4 * entry.roots.size() + 2 * entry.leaves.size();
}

void SubtreeCache::extend(std::span<const std::uint32_t> entries, const base::Threads &threads) {
  std::vector<std::vector<Entry>> made(entries.size());
  std::vector<std::unique_ptr<Extender>> idle;
  std::mutex mutex;
  base::in_blocks(entries.size(), 1, threads, [&](std::size_t begin, std::size_t) {
    std::unique_ptr<Extender> extender;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        extender = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!extender)
      extender = std::make_unique<Extender>(trees_);
    made[begin] = children(entries[begin], *extender);
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(extender));
  });
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto &parent = entries_[entries[i]];
    parent.first_child = static_cast<std::uint32_t>(entries_.size());
    parent.children = static_cast<std::uint32_t>(made[i].size());
    bytes_ -= bytes_of(parent);
    parent.roots.resize(parent.live);
    parent.roots.erase(std::unique(parent.roots.begin(), parent.roots.end()), parent.roots.end());
    parent.roots.shrink_to_fit();
    parent.live = static_cast<std::uint32_t>(parent.roots.size());
    parent.leaves = {};
    bytes_ += bytes_of(parent);
    extended_.push_back(entries[i]);
    for (auto &child : made[i]) {
      bytes_ += bytes_of(child);
      entries_.push_back(std::move(child));
    }
  }
  if (entries_.size() >= none)
    throw std::length_error("too many subtrees for 32-bit numbers");
}

std::vector<SubtreeCache::Entry> SubtreeCache::children(std::uint32_t entry,
                                                        Extender &extender) const {
  auto children = extender.children(entries_[entry], entry);
  for (auto &child : children)
    part_live(child);
  std::erase_if(children, [](const Entry &child) { return child.live == 0; });
  return children;
}

void SubtreeCache::extend_again(std::span<const std::uint32_t> entries,
                                const base::Threads &threads) {
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end] < entries_.size() &&
           entries_[entries[end]].size < trees_.size() && !entries_[entries[end]].is_extended())
      ++end;
    if (begin == end)
      throw std::invalid_argument("the subtrees to extend are broken");
    extend(entries.subspan(begin, end - begin), threads);
  }
}

std::uint32_t SubtreeCache::add(const SubtreeCache &other, std::uint32_t entry,
                                const base::Threads &threads) {
  const auto &wanted = other[entry];
  std::uint32_t first = 0, count = single_nodes_;
  if (wanted.parent != none) {
    const std::uint32_t parent = add(other, wanted.parent, threads);
    if (!entries_[parent].is_extended())
      extend({&parent, 1}, threads);
    first = entries_[parent].first_child;
    count = entries_[parent].children;
  }
  while (entries_[first].label != wanted.label || entries_[first].depth != wanted.depth)
    if (++first, --count == 0)
      throw std::logic_error("a subtree is not in the other cache");
  return first;
}

SubtreeSums SubtreeCache::sums(std::uint32_t entry, const PairWeights &weights) const {
  SubtreeSums sums;
  visit_groups(entry, [&](std::uint32_t group, const Reach &reach) {
    const auto pairs = weights.pairs(group);
    const auto told = reach.told(pairs);
    const auto own = weights.sum(group, told);
    (reach.has_best() ? sums.plus : sums.minus) += own;
    const auto with = reach.with & pairs, without = reach.without & pairs;
    const bool best = reach.has_best();
    sums.reach_plus += best && with == told ? own : weights.sum(group, with);
    sums.reach_minus += !best && without == told ? own : weights.sum(group, without);
  });
  return sums;
}

void SubtreeCache::write(std::uint32_t entry, std::vector<std::uint32_t> &labels,
                         std::vector<std::uint16_t> &depths) const {
  const auto first = static_cast<std::ptrdiff_t>(labels.size());
  for (; entry != none; entry = entries_[entry].parent) {
    labels.push_back(entries_[entry].label);
    depths.push_back(entries_[entry].depth);
  }
  std::reverse(labels.begin() + first, labels.end());
  std::reverse(depths.begin() + first, depths.end());
}

bool SubtreeCache::precedes(std::uint32_t one, std::uint32_t other) const {
  if (entries_[one].size != entries_[other].size)
    return entries_[one].size < entries_[other].size;
  std::vector<std::uint32_t> labels, other_labels;
  std::vector<std::uint16_t> depths, other_depths;
  write(one, labels, depths);
  write(other, other_labels, other_depths);
  return depths != other_depths ? depths < other_depths : labels < other_labels;
}

} // namespace runoff::boosting
