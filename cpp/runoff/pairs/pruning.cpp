#include "runoff/pairs/pruning.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace runoff::pairs {
namespace {

constexpr std::size_t candidates_between_polls = 1024;

// A candidate is pruned if the (beta + 1)-th largest score of the others lies far enough above its
// own. Where a candidate counts as worse than itself, it is among those counted: one more.
void prune(std::span<const double> scores, Thresholds by, std::span<std::uint8_t> kept) {
  std::fill(kept.begin(), kept.end(), std::uint8_t{1});
  const std::size_t place = by.beta + (by.worse > 0 ? 1 : 0);
  if (place >= scores.size())
    return;
  std::vector<double> sorted(scores.begin(), scores.end());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(place),
                   sorted.end(), std::greater<>());
  for (std::size_t i = 0; i < scores.size(); ++i)
    kept[i] = !(scores[i] - sorted[place] < by.worse);
}

// The first and the last that remain are compared until neither gives way.
void select(std::span<const double> scores, Thresholds by, std::span<std::uint8_t> kept) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i])
      left.push_back(i);
  for (std::size_t i = 0, n = left.size(); i + 1 < n;) {
    const double difference = scores[left[i]] - scores[left[n - 1]];
    if (difference > by.better)
      kept[left[--n]] = 0;
    else if (difference < by.worse)
      kept[left[i++]] = 0;
    else
      break;
  }
}

double log_probability(double m) { return std::min(m, 0.0) - std::log1p(std::exp(-std::fabs(m))); }

} // namespace

void prune_and_select(std::span<const std::int64_t> list_offsets, std::span<const double> scores,
                      Thresholds thresholds, std::span<std::uint8_t> kept) {
  for (std::size_t list = 0; list + 1 < list_offsets.size(); ++list) {
    const auto begin = static_cast<std::size_t>(list_offsets[list]);
    const auto size = static_cast<std::size_t>(list_offsets[list + 1]) - begin;
    prune(scores.subspan(begin, size), thresholds, kept.subspan(begin, size));
    select(scores.subspan(begin, size), thresholds, kept.subspan(begin, size));
  }
}

void add_pair_votes(std::span<const std::int64_t> list_offsets, std::span<const double> scores,
                    double slope, std::span<double> votes, const base::Poll &poll) {
  std::vector<double> sorted;
  std::size_t since_poll = 0;
  for (std::size_t list = 0; list + 1 < list_offsets.size(); ++list) {
    const auto begin = static_cast<std::size_t>(list_offsets[list]);
    const auto end = static_cast<std::size_t>(list_offsets[list + 1]);
    const auto own = scores.subspan(begin, end - begin);
    sorted.assign(own.begin(), own.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = begin; i < end; ++i) {
      double sum = std::log(2.0); // takes back the comparison with itself
      for (const double other : sorted)
        sum += log_probability(slope * (scores[i] - other));
      votes[i] += sum;
      if (++since_poll == candidates_between_polls) {
        since_poll = 0;
        poll();
      }
    }
  }
}

} // namespace runoff::pairs
