// Pairs of a list's best candidate and a worse one, indexed both ways (Collins & Koo 2005, section
// 4.5): A leads from a feature to the pairs in which it differs, B from a pair to such features.
#pragma once

#include "runoff/ranking.hpp"

#include <vector>

namespace runoff {

// The symbols are the paper's: A+_k are the pairs whose best candidate alone has feature k, A-_k
// those whose worse candidate alone has it. Features are numbered by *rank*: the one that differs
// in most pairs is 0, so that the sums W which change most often lie side by side in the cache. A
// *side* is 2 * rank for "+" and 2 * rank + 1 for "-". Space: 8 bytes per element of A.
class PairIndex {
public:
  // Features must be present or absent only, their ids rising within a candidate.
  PairIndex(const Problem &problem, std::size_t n_features, std::span<const double> qualities,
            std::span<const std::int64_t> best);

  std::size_t pairs() const { return worse_.size(); }
  std::size_t ranks() const { return feature_.size(); }
  std::size_t n_features() const { return rank_.size(); }
  std::size_t entries() const { return b_.size(); } // T, equation 20

  std::span<const std::uint32_t> a(std::size_t side) const {
    return {a_.data() + a_start_[side], a_.data() + a_start_[side + 1]};
  }
  std::span<const std::uint32_t> b(std::size_t pair) const {
    return {b_.data() + b_start_[pair], b_.data() + b_start_[pair + 1]};
  }
  // A hint to fetch what b(pair) will read.
  void prefetch(std::size_t pair) const { __builtin_prefetch(b_.data() + b_start_[pair]); }

  std::span<const std::uint32_t> features() const { return feature_; } // by rank
  std::uint32_t feature(std::size_t rank) const { return feature_[rank]; }
  std::int64_t rank(std::size_t feature) const { return rank_[feature]; } // -1: never differs
  std::uint32_t best(std::size_t pair) const { return best_[group_[pair]]; }
  std::uint32_t worse(std::size_t pair) const { return worse_[pair]; }
  // The pairs of one list are a group; lists without pairs have none.
  std::size_t groups() const { return group_start_.size() - 1; }
  std::uint32_t group_start(std::size_t group) const { return group_start_[group]; }
  std::uint32_t group(std::size_t pair) const { return group_[pair]; }

  std::size_t bytes() const; // of A and B with their offsets

private:
  std::vector<std::uint32_t> a_, b_;
  std::vector<std::uint64_t> a_start_, b_start_;
  std::vector<std::uint32_t> feature_;
  std::vector<std::int32_t> rank_;
  std::vector<std::uint32_t> best_, worse_, group_, group_start_;
};

} // namespace runoff
