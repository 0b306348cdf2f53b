// Subtrees that a search has seen, with their occurrences.
#pragma once

#include "runoff/boosting/pair_weights.hpp"

#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

namespace runoff::boosting {

// Sums of the weights of pairs, for one subtree t.
struct SubtreeSums {
  std::int64_t plus = 0, minus = 0; // W+, W-: the best candidate alone has t; the other alone
  // The same of pairs that a larger subtree with t in it may tell apart, by any of its occurrences:
  // no such subtree has larger W+ and W- than these.
  std::int64_t reach_plus = 0, reach_minus = 0;

  double gain() const {
    return std::abs(std::sqrt(static_cast<double>(plus)) - std::sqrt(static_cast<double>(minus)));
  }
  // mu: no subtree that is grown from t by rightmost extension has a higher gain.
  double bound() const { return std::sqrt(static_cast<double>(std::max(reach_plus, reach_minus))); }
};

// The tree of rightmost extensions, as far as it has been grown: each entry is a subtree that
// occurs in at least f lists and tells some pair apart, or may do so once it has been extended.
// Numbers of entries depend on the order in which entries were extended, on nothing else.
//
// An entry keeps where it occurs: the root, 4 bytes, and until it is extended the place of the
// rightmost leaf, which is all that extending it depends on, 2 more. A root is there once for each
// such place.
class SubtreeCache {
public:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Entry {
    std::uint32_t parent, label;
    std::uint16_t depth; // of the last node
    std::uint16_t size;  // nodes
    std::uint32_t live;  // so many occurrences are in lists where something can be told apart
    std::uint32_t first_child = none, children = 0;
    std::vector<std::uint32_t> roots;  // of occurrences, list by list, the live ones first
    std::vector<std::uint16_t> leaves; // of the same occurrences; none once it is extended

    bool is_extended() const { return first_child != none; }
  };

  SubtreeCache(const trees::SharedTrees &trees, const PairWeights &pairs);

  std::size_t size() const { return entries_.size(); }
  const Entry &operator[](std::uint32_t entry) const { return entries_[entry]; }
  std::uint32_t single_nodes() const { return single_nodes_; }          // the first entries
  std::span<const std::uint32_t> extended() const { return extended_; } // in their order
  std::size_t bytes() const { return bytes_; }                          // of all occurrences

  // Makes the children of entries that have none yet.
  void extend(std::span<const std::uint32_t> entries, const base::Threads &threads);
  // Extends entries in an order that an earlier cache of the same trees had.
  void extend_again(std::span<const std::uint32_t> entries, const base::Threads &threads);

  // The entry of a subtree of another cache of the same trees; what leads to it is extended.
  std::uint32_t add(const SubtreeCache &other, std::uint32_t entry, const base::Threads &threads);

  SubtreeSums sums(std::uint32_t entry, const PairWeights &weights) const;

  // Calls visit(group, has_best, told) for the groups in which the subtree tells pairs apart: those
  // of the candidates `told`, in favour of the best one if that one has the subtree.
  template <typename Visit> void visit_told(std::uint32_t entry, const Visit &visit) const {
    visit_groups(entry, [&](std::uint32_t group, const Reach &reach) {
      if (reach.told(pairs_.pairs(group)) != 0)
        visit(group, reach.has_best(), reach.told(pairs_.pairs(group)));
    });
  }

  void write(std::uint32_t entry, std::vector<std::uint32_t> &labels,
             std::vector<std::uint16_t> &depths) const;
  // Whether one of two subtrees comes first: it has fewer nodes, or less deep ones, or labels of
  // lower numbers.
  bool precedes(std::uint32_t one, std::uint32_t other) const;

private:
  struct Reach {
    std::uint64_t has = 0;               // candidates with the subtree
    std::uint64_t with = 0, without = 0; // those told apart by a root that the best has, or lacks

    void add(std::uint64_t candidates) {
      has |= candidates;
      (candidates & 1 ? with : without) |= candidates & 1 ? ~candidates : candidates;
    }
    bool has_best() const { return has & 1; }
    std::uint64_t told(std::uint64_t pairs) const { return (has & 1 ? ~has : has) & pairs; }
  };
  template <typename Visit> void visit_groups(std::uint32_t entry, const Visit &visit) const {
    const auto &own = entries_[entry];
    const auto roots = trees_.roots();
    for (std::size_t i = 0; i < own.live;) {
      const auto group = roots[own.roots[i]].group;
      Reach reach;
      do
        reach.add(roots[own.roots[i]].candidates);
      while (++i < own.live && roots[own.roots[i]].group == group);
      visit(group, reach);
    }
  }

  class Extender;
  std::vector<Entry> children(std::uint32_t entry, Extender &extender) const;
  void part_live(Entry &entry) const;
  static std::size_t bytes_of(const Entry &entry);
  bool tells(std::uint32_t root) const;

  const trees::SharedTrees &trees_;
  const PairWeights &pairs_;
  std::vector<Entry> entries_;
  std::uint32_t single_nodes_ = 0;
  std::vector<std::uint32_t> extended_;
  std::size_t bytes_ = 0;
};

} // namespace runoff::boosting
