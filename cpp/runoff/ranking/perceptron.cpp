#include "runoff/ranking/perceptron.hpp"

#include <algorithm>

namespace runoff::ranking {
namespace {

constexpr std::size_t lists_between_polls = 256;

struct Pass {
  const Problem &problem;
  std::span<const double> scales;
  PerceptronState &state;

  double score(std::size_t candidate) const {
    const std::size_t logprob = scales.size() - 1;
    double sum = state.w[logprob] * (problem.logprobs[candidate] / scales[logprob]);
    for (auto at = static_cast<std::size_t>(problem.feature_offsets[candidate]);
         at < static_cast<std::size_t>(problem.feature_offsets[candidate + 1]); ++at) {
      const auto id = problem.feature_ids[at];
      sum += state.w[id] * (problem.value(at) / scales[id]);
    }
    return sum;
  }

  void add(std::size_t candidate, double sign) {
    const std::size_t logprob = scales.size() - 1;
    change(logprob, sign * (problem.logprobs[candidate] / scales[logprob]));
    for (auto at = static_cast<std::size_t>(problem.feature_offsets[candidate]);
         at < static_cast<std::size_t>(problem.feature_offsets[candidate + 1]); ++at) {
      const auto id = problem.feature_ids[at];
      change(id, sign * (problem.value(at) / scales[id]));
    }
  }

  void change(std::size_t id, double by) {
    state.w[id] += by;
    state.u[id] += static_cast<double>(state.t) * by;
  }
};

} // namespace

std::int64_t perceptron_epoch(const Problem &problem, std::span<const double> qualities,
                              std::span<const std::int64_t> best,
                              std::span<const std::int64_t> order, std::span<const double> scales,
                              PerceptronState &state, const base::Poll &poll,
                              std::span<std::int64_t> wrong_picks) {
  std::ranges::fill(wrong_picks, -1);
  Pass pass{problem, scales, state};
  std::int64_t wrong = 0;
  std::size_t since_poll = 0;
  for (std::size_t step = 0; step < order.size(); ++step) {
    if (++since_poll == lists_between_polls) {
      since_poll = 0;
      poll();
    }
    const auto i = static_cast<std::size_t>(order[step]);
    const auto begin = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto end = static_cast<std::size_t>(problem.list_offsets[i + 1]);
    if (begin == end)
      continue;
    std::size_t pick = begin;
    double highest = pass.score(begin);
    for (std::size_t j = begin + 1; j < end; ++j) {
      const double score = pass.score(j);
      if (score > highest || (score == highest && problem.logprobs[j] > problem.logprobs[pick])) {
        highest = score;
        pick = j;
      }
    }
    const auto target = begin + static_cast<std::size_t>(best[i]);
    if (qualities[pick] < qualities[target]) {
      ++wrong;
      if (!wrong_picks.empty())
        wrong_picks[step] = static_cast<std::int64_t>(pick - begin);
      pass.add(target, 1.0);
      pass.add(pick, -1.0);
    }
    ++state.t;
  }
  return wrong;
}

} // namespace runoff::ranking
