// From comparisons of pairs to the candidates that remain.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::pairs {

// When a candidate counts as better or worse than another: the difference of their scores lies
// above `better` or below `worse`.
struct Thresholds {
  double better, worse;
  std::size_t beta; // a candidate that is worse than more than this many is pruned
};

// Prune and select (Ji, Rudin & Grishman 2006, section 5.1.2): kept[j] is 1 for the candidates that
// remain. Time is linear in the candidates.
void prune_and_select(std::span<const std::int64_t> list_offsets, std::span<const double> scores,
                      Thresholds thresholds, std::span<std::uint8_t> kept);

// Adds, for every candidate, the sum over the others of its list of the logarithm of the
// probability that it is the better one, 1 / (1 + exp(-slope * difference of scores)). Sums go by
// rising score, so that the order of candidates leaves no trace in their bits.
void add_pair_votes(std::span<const std::int64_t> list_offsets, std::span<const double> scores,
                    double slope, std::span<double> votes, const base::Poll &poll);

} // namespace runoff::pairs
