// Crucial pairs (Ji, Rudin & Grishman 2006): two candidates of one list, one better than the other.
#pragma once

#include "runoff/ranking.hpp"

#include <cmath>
#include <limits>

namespace runoff {

// All crucial pairs that the guards let through, or one of several subsets of them; never stored,
// since their number is quadratic. The memory belongs to the caller.
struct CrucialPairs {
  std::span<const std::int64_t> list_offsets;
  std::span<const double> qualities;
  std::span<const double> logprobs;
  std::span<const std::uint8_t> kept;         // 0 for a candidate that is left out
  std::span<const std::int64_t> list_numbers; // tells the lists apart, whatever their order
  double closest = 0.0;                       // gaps in quality must exceed it
  double closest_logprob = 0.0;               // distances in log-probability must reach it
  double largest = std::numeric_limits<double>::infinity(); // gaps in quality must not exceed it
  std::uint64_t subsets = 1, subset = 0, seed = 0;

  std::size_t lists() const { return list_offsets.size() - 1; }
  std::size_t begin(std::size_t list) const { return static_cast<std::size_t>(list_offsets[list]); }
  std::size_t end(std::size_t list) const { return begin(list + 1); }

  // visit(better) for every candidate of the list that makes a crucial pair with this one.
  template <typename Visit>
  void each_better(std::size_t list, std::size_t worse, const Visit &visit) const {
    if (!kept[worse])
      return;
    for (std::size_t better = begin(list); better < end(list); ++better)
      if (crucial(better, worse) && in_subset(list, better, worse))
        visit(better);
  }

private:
  bool crucial(std::size_t better, std::size_t worse) const {
    const double gap = qualities[better] - qualities[worse];
    return gap > closest && gap <= largest && kept[better] &&
           std::fabs(logprobs[better] - logprobs[worse]) >= closest_logprob;
  }

  bool in_subset(std::size_t list, std::size_t better, std::size_t worse) const {
    if (subsets == 1)
      return true;
    std::uint64_t hash = mixed(seed + static_cast<std::uint64_t>(list_numbers[list]));
    hash = mixed(hash + (better - begin(list)));
    hash = mixed(hash + (worse - begin(list)));
    return hash % subsets == subset;
  }

  static std::uint64_t mixed(std::uint64_t z) { // splitmix64
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
};

} // namespace runoff
