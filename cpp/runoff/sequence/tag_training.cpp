#include "runoff/sequence/tag_training.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff::sequence {
namespace {

constexpr std::size_t sentences_per_poll = 256;

// Calls one(at, sentence, history) for every word that has a choice of tags, its own among them.
template <typename One>
void each_decision(const TagSets &sets, const TagCorpus &corpus, std::span<const Tag> gold,
                   const base::Poll &poll, const One &one) {
  const auto outside = static_cast<Tag>(sets.n_tags());
  for (std::size_t i = 0; i < corpus.sentences(); ++i) {
    if (i % sentences_per_poll == 0)
      poll();
    const TagSentence sentence(corpus, i);
    const auto tags = gold.subspan(static_cast<std::size_t>(corpus.offsets[i]), sentence.size());
    for (std::size_t at = 0; at < sentence.size(); ++at) {
      const auto set = sets[sentence.set(at)];
      if (set.size() > 1 && std::ranges::binary_search(set, tags[at]))
        one(sentence, at, tags[at],
            TagHistory{at > 0 ? tags[at - 1] : outside, at > 1 ? tags[at - 2] : outside});
    }
  }
}

} // namespace

TagProblem::TagProblem(const TagTemplates &templates, const TagSets &sets, const TagCorpus &corpus,
                       std::span<const Tag> gold, std::size_t min_count, const base::Poll &poll)
    : sets_(sets) {
  const auto n_templates = static_cast<std::uint32_t>(templates.size());
  FeatureKey key;
  each_decision(sets, corpus, gold, poll, [&](const auto &sentence, auto at, Tag tag, auto before) {
    decisions_.push_back({sentence.set(at), tag});
    features_.open();
    for (std::uint32_t pattern = 0; pattern < n_templates; ++pattern)
      if (templates.find(pattern, sentence, at, before, key))
        features_.add(key);
  });
  features_.finish(min_count);
  count_pairs();
}

void TagProblem::count_pairs() {
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    for (const auto feature : features_[i])
      pairs.push_back(std::uint64_t{feature} << 16 | decisions_[i].gold);
    if (pairs.size() > (1u << 24) || i + 1 == decisions_.size()) {
      std::ranges::sort(pairs);
      pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    }
  }
  pair_offsets_.assign(keys().size() + 1, 0);
  for (const auto pair : pairs) {
    ++pair_offsets_[(pair >> 16) + 1];
    pair_tags_.push_back(static_cast<Tag>(pair & 0xffff));
  }
  std::partial_sum(pair_offsets_.begin(), pair_offsets_.end(), pair_offsets_.begin());
}

double TagProblem::loss(std::span<const double> weights, std::span<double> gradient,
                        const base::Threads &threads) const {
  return base::sharded_loss(gradient, shard_gradients_, threads,
                            [&](std::size_t shard, std::size_t shards, std::span<double> own) {
                              return shard_loss(shard, shards, weights, own);
                            });
}

double TagProblem::shard_loss(std::size_t shard, std::size_t shards,
                              std::span<const double> weights, std::span<double> gradient) const {
  std::ranges::fill(gradient, 0.0);
  std::vector<double> scores(sets_.n_tags()), coefficients(sets_.n_tags());
  double loss = 0.0;
  const std::size_t first = decisions_.size() * shard / shards,
                    last = decisions_.size() * (shard + 1) / shards;
  const auto pairs = [&](std::uint32_t feature) {
    return std::pair(static_cast<std::size_t>(pair_offsets_[feature]),
                     static_cast<std::size_t>(pair_offsets_[feature + 1]));
  };
  for (std::size_t i = first; i < last; ++i) {
    const auto set = sets_[decisions_[i].set];
    const Tag gold = decisions_[i].gold;
    std::ranges::fill(scores, 0.0);
    for (const auto feature : features_[i])
      for (auto [pair, end] = pairs(feature); pair < end; ++pair)
        scores[pair_tags_[pair]] += weights[pair];
    double highest = scores[set[0]], sum = 0.0;
    for (const Tag tag : set)
      highest = std::max(highest, scores[tag]);
    for (const Tag tag : set)
      sum += coefficients[tag] = std::exp(scores[tag] - highest);
    for (const Tag tag : set)
      coefficients[tag] /= sum;
    coefficients[gold] -= 1.0;
    loss += std::log(sum) - (scores[gold] - highest);
    for (const auto feature : features_[i])
      for (auto [pair, end] = pairs(feature); pair < end; ++pair)
        gradient[pair] += coefficients[pair_tags_[pair]];
    for (const Tag tag : set)
      coefficients[tag] = 0.0;
  }
  return loss;
}

} // namespace runoff::sequence
