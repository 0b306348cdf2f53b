#include "runoff/ranking/problem.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace runoff::ranking {
namespace {

constexpr std::size_t candidates_per_block = 4096, ids_between_calls = 1 << 24;

} // namespace

void Problem::check(std::size_t n_features, const base::Poll &between) const {
  if (feature_offsets.empty())
    throw std::invalid_argument("feature_offsets must not be empty");
  base::check_offsets(list_offsets, candidates(), "list_offsets");
  base::check_offsets(feature_offsets, feature_ids.size(), "feature_offsets");
  if (!feature_values.empty() && feature_values.size() != feature_ids.size())
    throw std::invalid_argument("feature_values and feature_ids differ in length");
  if (logprobs.size() != candidates())
    throw std::invalid_argument("logprobs must have one entry per candidate");
  for (std::size_t at = 0; at < feature_ids.size(); ++at) {
    if (feature_ids[at] >= n_features)
      throw std::invalid_argument("feature id " + std::to_string(feature_ids[at]) +
                                  " is not below " + std::to_string(n_features));
    if (at % ids_between_calls == ids_between_calls - 1)
      between();
  }
}

void linear_scores(const Problem &problem, std::span<const double> weights, double logprob_weight,
                   std::span<double> scores, const base::Threads &threads) {
  base::in_blocks(problem.candidates(), candidates_per_block, threads,
                  [&](std::size_t first, std::size_t last) {
                    for (std::size_t j = first; j < last; ++j) {
                      const auto begin = static_cast<std::size_t>(problem.feature_offsets[j]);
                      const auto end = static_cast<std::size_t>(problem.feature_offsets[j + 1]);
                      double score = logprob_weight * problem.logprobs[j];
                      for (std::size_t at = begin; at < end; ++at)
                        score += weights[problem.feature_ids[at]] * problem.value(at);
                      scores[j] = score;
                    }
                  });
}

void argmax_lists(std::span<const std::int64_t> list_offsets, std::span<const double> keys,
                  std::span<const double> second, std::span<std::int64_t> places) {
  for (std::size_t i = 0; i + 1 < list_offsets.size(); ++i) {
    const auto begin = static_cast<std::size_t>(list_offsets[i]);
    const auto end = static_cast<std::size_t>(list_offsets[i + 1]);
    std::size_t best = begin;
    for (std::size_t j = begin; j < end; ++j)
      if (keys[j] > keys[best] || (keys[j] == keys[best] && second[j] > second[best]))
        best = j;
    places[i] = begin == end ? -1 : static_cast<std::int64_t>(best - begin);
  }
}

void shuffled(std::uint64_t seed, std::span<std::int64_t> order) {
  std::iota(order.begin(), order.end(), std::int64_t{0});
  // splitmix64: small, and fixed for ever, unlike std::shuffle.
  const auto next = [&seed] {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[next() % i]);
}

namespace {

// Sums, over lists, of squared distances from the list's mean, of features by number.
class Spreads {
public:
  explicit Spreads(std::size_t size)
      : squares_(size, 0.0), counts_(size, 0.0), sum_(size, 0.0), sum_of_squares_(size, 0.0),
        seen_(size, 0) {}

  void add(std::size_t id, double value) {
    if (!seen_[id]) {
      seen_[id] = 1;
      touched_.push_back(id);
    }
    sum_[id] += value;
    sum_of_squares_[id] += value * value;
  }
  // Ends a list of n candidates.
  void close_list(double n) {
    for (const auto id : touched_) {
      squares_[id] += std::fmax(0.0, sum_of_squares_[id] - sum_[id] * sum_[id] / n);
      counts_[id] += n;
      sum_[id] = sum_of_squares_[id] = 0.0;
      seen_[id] = 0;
    }
    touched_.clear();
  }
  // Root mean square, over the candidates of the lists that have the feature.
  double operator[](std::size_t id) const {
    return counts_[id] > 0 ? std::sqrt(squares_[id] / counts_[id]) : 0.0;
  }

private:
  std::vector<double> squares_, counts_;
  std::vector<double> sum_, sum_of_squares_; // of the list that is open
  std::vector<char> seen_;
  std::vector<std::size_t> touched_;
};

} // namespace

void feature_scales(const Problem &problem, std::span<const std::int64_t> order,
                    std::span<double> scales) {
  const std::size_t n_features = scales.size() - 1;
  std::vector<char> is_real(n_features, 0);
  for (std::size_t at = 0; at < problem.feature_values.size(); ++at)
    if (problem.feature_values[at] != 0.0 && problem.feature_values[at] != 1.0)
      is_real[problem.feature_ids[at]] = 1;
  Spreads spreads(scales.size());
  for (const auto list : order) {
    const auto first = base::at(problem.list_offsets[base::at(list)]);
    const auto last = base::at(problem.list_offsets[base::at(list) + 1]);
    for (std::size_t j = first; j < last; ++j) {
      // relative to the list's first, so that large log-probabilities lose no digits
      spreads.add(n_features, problem.logprobs[j] - problem.logprobs[first]);
      if (problem.feature_values.empty())
        continue;
      for (auto at = base::at(problem.feature_offsets[j]);
           at < base::at(problem.feature_offsets[j + 1]); ++at)
        if (is_real[problem.feature_ids[at]])
          spreads.add(problem.feature_ids[at], problem.value(at));
    }
    spreads.close_list(static_cast<double>(last - first));
  }
  for (std::size_t id = 0; id < scales.size(); ++id) {
    const bool only_present_or_absent = id < n_features && !is_real[id];
    scales[id] = only_present_or_absent || !(spreads[id] > 1e-12) ? 1.0 : spreads[id];
  }
}

} // namespace runoff::ranking
