#include "runoff/ranking/voting.hpp"

#include "runoff/base/offsets.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace runoff::ranking {
namespace {

constexpr std::size_t lists_between_polls = 16;

struct Entry {
  std::uint32_t id;
  std::uint32_t candidate; // place in the list
  double value;
};

struct Range {
  std::uint32_t begin = 0, end = 0;
};

// The candidates of one list by feature. Made once, filled for list after list.
class ListIndex {
public:
  ListIndex(const Problem &problem, std::size_t n_features)
      : problem_(problem), ranges_(n_features) {}

  void fill(std::size_t begin, std::size_t end) {
    for (const auto &entry : entries_)
      ranges_[entry.id] = {};
    entries_.clear();
    for (std::size_t j = begin; j < end; ++j)
      for (auto at = static_cast<std::size_t>(problem_.feature_offsets[j]);
           at < static_cast<std::size_t>(problem_.feature_offsets[j + 1]); ++at)
        entries_.push_back(
            {problem_.feature_ids[at], static_cast<std::uint32_t>(j - begin), problem_.value(at)});
    std::ranges::sort(entries_, {}, &Entry::id);
    for (std::uint32_t place = 0; place < entries_.size(); ++place) {
      auto &range = ranges_[entries_[place].id];
      range = {range.end == 0 ? place : range.begin, place + 1};
    }
  }

  // scores[candidate] += weight * value, for the candidates that have the feature.
  void add(std::uint32_t id, double weight, std::span<double> scores) const {
    const auto range = ranges_[id];
    for (auto place = range.begin; place < range.end; ++place)
      scores[entries_[place].candidate] += weight * entries_[place].value;
  }

private:
  const Problem &problem_;
  std::vector<Range> ranges_; // a feature's entries; empty where the list does not have it
  std::vector<Entry> entries_;
};

} // namespace

std::size_t first_choice(std::span<const double> scores, std::span<const double> logprobs) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < scores.size(); ++j)
    if (scores[j] > scores[best] || (scores[j] == scores[best] && logprobs[j] > logprobs[best]))
      best = j;
  return best;
}

void vote(std::span<const double> scores, std::span<const double> logprobs, double survivals,
          std::span<double> votes) {
  const auto best = first_choice(scores, logprobs);
  for (std::size_t j = best; j < scores.size(); ++j)
    if (scores[j] == scores[best] && logprobs[j] == logprobs[best])
      votes[j] += survivals;
}

void Voters::check(std::size_t n_features) const {
  base::check_offsets(offsets, ids.size(), "update_offsets");
  if (values.size() != ids.size() || logprobs.size() + 1 != offsets.size() ||
      survivals.size() != offsets.size())
    throw std::invalid_argument("the updates differ in length");
  for (const auto id : ids)
    if (id >= n_features)
      throw std::invalid_argument("feature id " + std::to_string(id) + " is not below " +
                                  std::to_string(n_features));
}

void add_votes(const Problem &problem, std::size_t n_features, const Voters &voters,
               std::span<double> scores, std::span<double> votes, const base::Poll &poll) {
  ListIndex index(problem, n_features);
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    if (i % lists_between_polls == 0)
      poll();
    const auto begin = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto size = static_cast<std::size_t>(problem.list_offsets[i + 1]) - begin;
    if (size == 0)
      continue;
    index.fill(begin, begin + size);
    const auto own = scores.subspan(begin, size);
    const auto logprobs = problem.logprobs.subspan(begin, size);
    vote(own, logprobs, voters.survivals[0], votes.subspan(begin, size));
    for (std::size_t t = 0; t < voters.logprobs.size(); ++t) {
      for (std::size_t j = 0; j < size; ++j)
        own[j] += voters.logprobs[t] * logprobs[j];
      for (auto at = static_cast<std::size_t>(voters.offsets[t]);
           at < static_cast<std::size_t>(voters.offsets[t + 1]); ++at)
        index.add(voters.ids[at], voters.values[at], own);
      vote(own, logprobs, voters.survivals[t + 1], votes.subspan(begin, size));
    }
  }
}

} // namespace runoff::ranking
