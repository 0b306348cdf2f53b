// Pairs of a list's best candidate and a worse one, indexed both ways (Collins & Koo 2005, section
// 4.5): A leads from a feature to the pairs in which it differs, B from a pair to such features.
#pragma once

#include "runoff/ranking/problem.hpp"

#include <vector>

namespace runoff::boosting {

// The symbols are the paper's: A+_k are the pairs whose best candidate alone has feature k, A-_k
// those whose worse candidate alone has it. Features are numbered by *rank*: the one that differs
// in most pairs is 0, so that the sums W which change most often lie side by side in the cache. A
// *side* is 2 * rank for "+" and 2 * rank + 1 for "-".
//
// The pairs of one list are a *group*. They share most of their features, so each group has a table
// of the sides that occur in it, and B holds places in that table, its *slots*: half the memory of
// sides, and what happens to the pairs of a group can be summed up by slot before it is scattered.
// Space: 4 bytes for each element of A, 2 for each of B, 4 for each slot.
class PairIndex {
public:
  using Slot = std::uint16_t;

  // B alone. Features must be present or absent only, their ids rising within a candidate. Calls
  // `between` now and then, between two lists: what has been read is not needed soon.
  PairIndex(const ranking::Problem &problem, std::size_t n_features,
            std::span<const double> qualities, std::span<const std::int64_t> best,
            const base::Poll &between);
  // Makes A, which is B the other way round. Apart, because the problem is not needed for it: it
  // may be gone by now, and its memory used for A.
  void invert();
  bool inverted() const { return a_.size() == b_.size(); }

  std::size_t pairs() const { return worse_.size(); }
  std::size_t candidates() const { return candidates_; }
  std::size_t groups() const { return best_.size(); }
  std::size_t ranks() const { return feature_.size(); }
  std::size_t n_features() const { return rank_.size(); }
  std::size_t entries() const { return b_.size(); } // T, equation 20

  std::span<const std::uint32_t> a(std::size_t side) const {
    return {a_.data() + a_start_[side], a_.data() + a_start_[side + 1]};
  }
  std::span<const Slot> b(std::size_t pair) const {
    return {b_.data() + b_start_[pair], b_.data() + b_start_[pair + 1]};
  }
  std::span<const std::uint32_t> sides(std::size_t group) const {
    return {side_.data() + side_start_[group], side_.data() + side_start_[group + 1]};
  }
  // Hints to fetch where b(pair) and the sides of its group are,
  [[gnu::always_inline]] void prefetch_places(std::size_t pair) const {
    __builtin_prefetch(&b_start_[pair]);
    __builtin_prefetch(&group_[pair]);
  }
  // and somewhat later what is there; of the sides only for the first pair of a group.
  [[gnu::always_inline]] void prefetch(std::size_t pair, std::size_t before) const {
    constexpr std::size_t line = 64;
    for (auto at = b_start_[pair]; at < b_start_[pair + 1]; at += line / sizeof(Slot))
      __builtin_prefetch(b_.data() + at);
    const auto own = group_[pair];
    if (own != group_[before])
      for (auto at = side_start_[own]; at < side_start_[own + 1]; at += line / sizeof(side_[0]))
        __builtin_prefetch(side_.data() + at);
  }
  std::size_t most_sides() const { return most_sides_; } // of a group

  // The pairs [group_start(g), group_start(g + 1)) belong to group g.
  std::uint32_t group_start(std::size_t group) const { return group_start_[group]; }
  std::uint32_t group(std::size_t pair) const { return group_[pair]; }
  std::uint32_t best(std::size_t pair) const { return best_[group_[pair]]; }
  std::uint32_t worse(std::size_t pair) const { return worse_[pair]; }

  std::span<const std::uint32_t> features() const { return feature_; }    // by rank
  std::int64_t rank(std::size_t feature) const { return rank_[feature]; } // -1: never differs

  std::size_t bytes() const; // of A and B with their offsets and slots

private:
  void find_pairs(const ranking::Problem &problem, std::span<const double> qualities,
                  std::span<const std::int64_t> best);
  void rank_features(const ranking::Problem &problem, std::size_t n_features,
                     const base::Poll &between);
  void fill_b(const ranking::Problem &problem, const base::Poll &between);

  std::vector<std::uint32_t> a_;
  std::vector<Slot> b_;
  std::vector<std::uint32_t> side_;
  std::vector<std::uint64_t> a_start_, b_start_, side_start_;
  std::vector<std::uint32_t> feature_; // by rank
  std::vector<std::int32_t> rank_;     // by feature
  std::vector<std::uint32_t> best_, worse_, group_, group_start_;
  std::size_t candidates_ = 0, most_sides_ = 0;
};

} // namespace runoff::boosting
