// Crucial pairs (Ji, Rudin & Grishman 2006): two candidates of one list, one better than the other.
#pragma once

#include "runoff/base/threads.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace runoff::pairs {

// Which pairs of two candidates are let through.
struct PairLimits {
  double closest = 0.0;                                     // gaps in quality must exceed it
  double largest = std::numeric_limits<double>::infinity(); // and must not exceed this
  double closest_logprob = 0.0; // distances in log-probability must reach it
};

// One of several disjoint subsets of the pairs. The places of the two among the members of their
// list, and a shift that depends on the seed and the number of the list, are added up: every subset
// has its share of the pairs of every list and of every candidate.
struct PairSubset {
  std::uint64_t of = 1, number = 0, seed = 0;
};

// What the pairs are made from.
struct PairSource {
  std::span<const std::int64_t> list_offsets;
  std::span<const double> qualities;
  std::span<const double> logprobs;
  std::span<const std::uint8_t> kept;         // 0 for a candidate that is left out
  std::span<const std::int64_t> list_numbers; // tell the lists apart, whatever their order

  // Throws std::invalid_argument unless the arrays fit together.
  void check() const;
};

// The pairs themselves are never stored, since their number is quadratic. The candidates of a list
// that are kept, its members, are sorted by falling quality; those that make a pair with a worse
// one then stand side by side.
class CrucialPairs {
public:
  CrucialPairs(const PairSource &source, PairLimits limits, PairSubset subset);

  std::span<const std::int64_t> list_offsets() const { return list_offsets_; }
  std::size_t lists() const { return list_offsets_.size() - 1; }
  std::size_t candidates() const { return static_cast<std::size_t>(list_offsets_.back()); }
  std::span<const std::uint32_t> members(std::size_t list) const {
    return std::span(members_).subspan(first_of(list), first_of(list + 1) - first_of(list));
  }

  // visit(better) for every member that makes a pair with the worse one; both are places among the
  // members.
  template <typename Visit>
  void each_better(std::size_t list, std::size_t worse, const Visit &visit) const {
    const std::size_t first = first_of(list);
    const auto [begin, end] = better_[first + worse];
    const auto of = static_cast<std::size_t>(subset_.of);
    const std::size_t skipped = (shift_[list] + of - (worse + begin) % of) % of;
    for (std::size_t better = begin + skipped; better < end; better += of)
      if (limits_.closest_logprob <= 0 || far_apart(first + better, first + worse))
        visit(better);
  }

private:
  struct Range {
    std::uint32_t begin, end;
  };

  std::size_t first_of(std::size_t list) const {
    return static_cast<std::size_t>(member_offsets_[list]);
  }
  void add_list(const PairSource &source, std::size_t list);
  bool far_apart(std::size_t better, std::size_t worse) const {
    return std::fabs(logprobs_[better] - logprobs_[worse]) >= limits_.closest_logprob;
  }

  PairLimits limits_;
  PairSubset subset_;
  std::vector<std::int64_t> list_offsets_;
  std::vector<std::uint32_t> shift_; // of each list: what places of a pair add up to, modulo `of`
  std::vector<std::int64_t> member_offsets_; // lists + 1
  std::vector<std::uint32_t> members_;       // candidates
  std::vector<double> logprobs_;             // of the members
  std::vector<Range> better_;                // of the members
};

// The values of some candidates, side by side.
inline std::vector<double> values_of(std::span<const std::uint32_t> members,
                                     std::span<const double> values) {
  std::vector<double> own(members.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    own[i] = values[members[i]];
  return own;
}

} // namespace runoff::pairs
