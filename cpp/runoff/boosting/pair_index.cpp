#include "runoff/boosting/pair_index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace runoff::boosting {
namespace {

constexpr std::size_t groups_between = 4096;

std::span<const std::uint32_t> features_of(const ranking::Problem &problem, std::size_t candidate) {
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

void check_binary_and_sorted(const ranking::Problem &problem) {
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

PairIndex::PairIndex(const ranking::Problem &problem, std::size_t n_features,
                     std::span<const double> qualities, std::span<const std::int64_t> best,
                     const base::Poll &between)
    : candidates_(problem.candidates()) {
  check_binary_and_sorted(problem);
  if (problem.candidates() >= std::numeric_limits<std::uint32_t>::max() ||
      n_features >= std::numeric_limits<std::int32_t>::max() / 2)
    throw std::invalid_argument("too many candidates or features for 32-bit numbers");
  find_pairs(problem, qualities, best);
  between();
  rank_features(problem, n_features, between);
  fill_b(problem, between);
}

void PairIndex::find_pairs(const ranking::Problem &problem, std::span<const double> qualities,
                           std::span<const std::int64_t> best) {
  worse_.reserve(problem.candidates());
  group_.reserve(problem.candidates());
  group_start_.push_back(0);
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    const auto first = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto last = static_cast<std::size_t>(problem.list_offsets[i + 1]);
    const auto top = first + static_cast<std::size_t>(best[i]);
    for (std::size_t j = first; j < last; ++j) {
      if (!(qualities[top] > qualities[j]))
        continue;
      worse_.push_back(static_cast<std::uint32_t>(j));
      group_.push_back(static_cast<std::uint32_t>(best_.size()));
    }
    if (worse_.size() > group_start_.back()) {
      best_.push_back(static_cast<std::uint32_t>(top));
      group_start_.push_back(static_cast<std::uint32_t>(worse_.size()));
    }
  }
}

void PairIndex::rank_features(const ranking::Problem &problem, std::size_t n_features,
                              const base::Poll &between) {
  std::vector<std::uint32_t> frequency(n_features, 0);
  b_start_.assign(pairs() + 1, 0);
  for (std::size_t pair = 0; pair < pairs(); ++pair) {
    if (pair > 0 && group(pair) > group(pair - 1) && group(pair) % groups_between == 0)
      between();
    std::uint64_t size = 0;
    differing(features_of(problem, best(pair)), features_of(problem, worse(pair)),
              [&](std::uint32_t feature, std::uint32_t) {
                ++frequency[feature];
                ++size;
              });
    b_start_[pair + 1] = b_start_[pair] + size;
  }
  for (std::uint32_t feature = 0; feature < n_features; ++feature)
    if (frequency[feature] > 0)
      feature_.push_back(feature);
  std::stable_sort(feature_.begin(), feature_.end(), [&](std::uint32_t one, std::uint32_t other) {
    return frequency[one] > frequency[other];
  });
  rank_.assign(n_features, -1);
  for (std::size_t rank = 0; rank < feature_.size(); ++rank)
    rank_[feature_[rank]] = static_cast<std::int32_t>(rank);
}

void PairIndex::fill_b(const ranking::Problem &problem, const base::Poll &between) {
  b_.resize(b_start_.back());
  a_start_.assign(2 * ranks() + 1, 0);
  side_start_.push_back(0);
  std::vector<std::uint32_t> row, slot_of(2 * ranks()), seen_in(2 * ranks(), 0);
  for (std::size_t group = 0; group < groups(); ++group) {
    if (group % groups_between == 0)
      between();
    row.clear(); // the sides of all pairs of the group, one after another
    const std::size_t first = side_.size();
    for (auto pair = group_start(group); pair < group_start(group + 1); ++pair)
      differing(features_of(problem, best(pair)), features_of(problem, worse(pair)),
                [&](std::uint32_t feature, std::uint32_t sign) {
                  const auto side = 2 * static_cast<std::uint32_t>(rank_[feature]) + sign;
                  row.push_back(side);
                  ++a_start_[side + 1];
                  if (seen_in[side] != group + 1) {
                    seen_in[side] = static_cast<std::uint32_t>(group + 1);
                    side_.push_back(side);
                  }
                });
    const std::size_t size = side_.size() - first;
    if (size > std::numeric_limits<Slot>::max())
      throw std::invalid_argument("a list has more than 65,535 features that differ");
    most_sides_ = std::max(most_sides_, size);
    side_start_.push_back(side_.size());
    std::sort(side_.begin() + static_cast<std::ptrdiff_t>(first), side_.end());
    for (std::size_t slot = 0; slot < size; ++slot)
      slot_of[side_[first + slot]] = static_cast<std::uint32_t>(slot);
    std::transform(row.begin(), row.end(),
                   b_.begin() + static_cast<std::ptrdiff_t>(b_start_[group_start(group)]),
                   [&](std::uint32_t side) { return static_cast<Slot>(slot_of[side]); });
  }
  side_.shrink_to_fit();
}

void PairIndex::invert() {
  if (inverted())
    return;
  std::partial_sum(a_start_.begin(), a_start_.end(), a_start_.begin());
  a_.resize(b_.size());
  // Filled from the front, a_start_ moves up to the end of each side, and is then moved back.
  for (std::size_t pair = 0; pair < pairs(); ++pair) {
    const auto table = sides(group(pair));
    for (const auto slot : b(pair))
      a_[a_start_[table[slot]]++] = static_cast<std::uint32_t>(pair);
  }
  std::copy_backward(a_start_.begin(), a_start_.end() - 1, a_start_.end());
  a_start_.front() = 0;
}

std::size_t PairIndex::bytes() const {
  return 4 * (a_.size() + side_.size()) + 2 * b_.size() +
         8 * (a_start_.size() + b_start_.size() + side_start_.size());
}

} // namespace runoff::boosting
