#include "runoff/pairs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace runoff {
namespace {

std::span<const std::uint32_t> features_of(const Problem &problem, std::size_t candidate) {
  const auto begin = static_cast<std::size_t>(problem.feature_offsets[candidate]);
  const auto end = static_cast<std::size_t>(problem.feature_offsets[candidate + 1]);
  return problem.feature_ids.subspan(begin, end - begin);
}

// Calls visit(feature, side) for every feature that one of the two sorted sets lacks: side 0 where
// only the first has it, 1 where only the second.
template <typename Visit>
void differing(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
               Visit visit) {
  std::size_t i = 0, j = 0;
  while (i < first.size() && j < second.size()) {
    if (first[i] == second[j]) {
      ++i;
      ++j;
    } else if (first[i] < second[j]) {
      visit(first[i++], 0u);
    } else {
      visit(second[j++], 1u);
    }
  }
  while (i < first.size())
    visit(first[i++], 0u);
  while (j < second.size())
    visit(second[j++], 1u);
}

void check_binary_and_sorted(const Problem &problem) {
  for (const double value : problem.feature_values)
    if (value != 1.0)
      throw std::invalid_argument("features must be present or absent");
  for (std::size_t j = 0; j < problem.candidates(); ++j) {
    const auto own = features_of(problem, j);
    for (std::size_t at = 1; at < own.size(); ++at)
      if (own[at] <= own[at - 1])
        throw std::invalid_argument("feature ids must rise within a candidate");
  }
}

} // namespace

PairIndex::PairIndex(const Problem &problem, std::size_t n_features,
                     std::span<const double> qualities, std::span<const std::int64_t> best) {
  check_binary_and_sorted(problem);
  if (problem.candidates() >= std::numeric_limits<std::uint32_t>::max() ||
      n_features >= std::numeric_limits<std::int32_t>::max() / 2)
    throw std::invalid_argument("too many candidates or features for 32-bit numbers");

  std::vector<std::uint32_t> frequency(n_features, 0);
  b_start_.push_back(0);
  group_start_.push_back(0);
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    const auto first = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto last = static_cast<std::size_t>(problem.list_offsets[i + 1]);
    if (first == last)
      continue;
    const auto top = first + static_cast<std::size_t>(best[i]);
    const auto own = features_of(problem, top);
    for (std::size_t j = first; j < last; ++j) {
      if (!(qualities[top] > qualities[j]))
        continue;
      std::uint64_t size = 0;
      differing(own, features_of(problem, j), [&](std::uint32_t feature, std::uint32_t) {
        ++frequency[feature];
        ++size;
      });
      worse_.push_back(static_cast<std::uint32_t>(j));
      group_.push_back(static_cast<std::uint32_t>(best_.size()));
      b_start_.push_back(b_start_.back() + size);
    }
    if (worse_.size() > group_start_.back()) {
      best_.push_back(static_cast<std::uint32_t>(top));
      group_start_.push_back(static_cast<std::uint32_t>(worse_.size()));
    }
  }

  for (std::uint32_t k = 0; k < n_features; ++k)
    if (frequency[k] > 0)
      feature_.push_back(k);
  std::stable_sort(feature_.begin(), feature_.end(), [&](std::uint32_t one, std::uint32_t other) {
    return frequency[one] > frequency[other];
  });
  rank_.assign(n_features, -1);
  for (std::size_t rank = 0; rank < feature_.size(); ++rank)
    rank_[feature_[rank]] = static_cast<std::int32_t>(rank);
  frequency = {};

  b_.resize(b_start_.back());
  a_start_.assign(2 * feature_.size() + 1, 0);
  for (std::size_t pair = 0; pair < pairs(); ++pair) {
    auto at = b_start_[pair];
    differing(features_of(problem, best_[group_[pair]]), features_of(problem, worse_[pair]),
              [&](std::uint32_t feature, std::uint32_t side) {
                b_[at] = 2 * static_cast<std::uint32_t>(rank_[feature]) + side;
                ++a_start_[b_[at++] + 1];
              });
  }
  std::partial_sum(a_start_.begin(), a_start_.end(), a_start_.begin());

  a_.resize(b_.size());
  // Filled from the front, a_start_ moves up to the end of each side, and is then moved back.
  for (std::size_t pair = 0; pair < pairs(); ++pair)
    for (const auto side : b(pair))
      a_[a_start_[side]++] = static_cast<std::uint32_t>(pair);
  std::copy_backward(a_start_.begin(), a_start_.end() - 1, a_start_.end());
  a_start_.front() = 0;
}

std::size_t PairIndex::bytes() const {
  return 4 * (a_.size() + b_.size()) + 8 * (a_start_.size() + b_start_.size());
}

} // namespace runoff
