// Ranking problems as arrays, and what every linear ranker does with them.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::ranking {

// Lists laid end to end. List i holds the candidates [list_offsets[i], list_offsets[i + 1]);
// candidate j has the features [feature_offsets[j], feature_offsets[j + 1]). Without values, every
// feature present has the value 1. The memory belongs to the caller.
struct Problem {
  std::span<const std::int64_t> list_offsets;    // lists + 1
  std::span<const std::int64_t> feature_offsets; // candidates + 1
  std::span<const std::uint32_t> feature_ids;
  std::span<const double> feature_values; // empty, or as long as feature_ids
  std::span<const double> logprobs;       // candidates

  std::size_t lists() const { return list_offsets.size() - 1; }
  std::size_t candidates() const { return feature_offsets.size() - 1; }
  double value(std::size_t at) const { return feature_values.empty() ? 1.0 : feature_values[at]; }

  // Throws std::invalid_argument unless the arrays fit together and all ids are below n_features.
  // `between` is called now and then: what was read is not needed again soon.
  void check(std::size_t n_features, const base::Poll &between = [] {}) const;
};

// scores[j] = logprob_weight * logprobs[j] + sum over features of weight * value.
void linear_scores(const Problem &problem, std::span<const double> weights, double logprob_weight,
                   std::span<double> scores, const base::Threads &threads = {});

// The place in each list of the candidate with the highest key; ties go to the higher second key,
// then to the lower place; -1 for an empty list.
void argmax_lists(std::span<const std::int64_t> list_offsets, std::span<const double> keys,
                  std::span<const double> second, std::span<std::int64_t> places);

// A permutation of 0..n-1 that depends on the seed alone, the same on every machine.
void shuffled(std::uint64_t seed, std::span<std::int64_t> order);

// Root mean square, per feature, of the distance from the list's mean, over the lists in which the
// feature occurs; 1 for features that are only present or absent, or
// never vary. The last entry is the log-probability's. Lists are visited in the given order.
void feature_scales(const Problem &problem, std::span<const std::int64_t> order,
                    std::span<double> scales);

} // namespace runoff::ranking
