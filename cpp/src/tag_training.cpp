#include "runoff/tag_training.hpp"

#include "runoff/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff {
namespace {

// Decisions are split into so many parts, whatever the threads; each part has its own gradient,
// and these are added up in order.
constexpr std::size_t shards = 8;
constexpr std::size_t sentences_per_poll = 256, weights_per_block = 1 << 14;

// Calls one(at, sentence, history) for every word that has a choice of tags, its own among them.
template <typename One>
void each_decision(const TagSets &sets, const TagCorpus &corpus, std::span<const Tag> gold,
                   const Poll &poll, const One &one) {
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
                       std::span<const Tag> gold, std::size_t min_count, const Poll &poll)
    : sets_(sets) {
  FeatureTable table;
  std::vector<std::uint32_t> counts;
  const auto n_templates = static_cast<std::uint32_t>(templates.size());
  FeatureKey key;
  each_decision(sets, corpus, gold, poll, [&](const auto &sentence, auto at, Tag tag, auto before) {
    decisions_.push_back({features_.size(), sentence.set(at), tag});
    for (std::uint32_t pattern = 0; pattern < n_templates; ++pattern) {
      if (!templates.find(pattern, sentence, at, before, key))
        continue;
      const auto number = table.insert(key);
      if (number == counts.size())
        counts.push_back(0);
      ++counts[number];
      features_.push_back(number);
    }
  });
  // What is seen often enough, in the order of keys.
  std::vector<std::uint32_t> kept;
  for (std::uint32_t number = 0; number < counts.size(); ++number)
    if (counts[number] >= min_count)
      kept.push_back(number);
  std::ranges::sort(kept, {}, [&](auto number) { return table.keys()[number]; });
  std::vector<std::uint32_t> renumbered(counts.size(), FeatureTable::none);
  for (std::uint32_t number = 0; number < kept.size(); ++number) {
    renumbered[kept[number]] = number;
    keys_.push_back(table.keys()[kept[number]]);
  }
  std::size_t end = 0;
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    const std::size_t first = decisions_[i].features;
    const std::size_t last =
        i + 1 < decisions_.size() ? decisions_[i + 1].features : features_.size();
    decisions_[i].features = end;
    for (std::size_t j = first; j < last; ++j)
      if (renumbered[features_[j]] != FeatureTable::none)
        features_[end++] = renumbered[features_[j]];
  }
  features_.resize(end);
  features_.shrink_to_fit();
  count_pairs();
}

std::span<const std::uint32_t> TagProblem::features(std::size_t decision) const {
  const std::size_t last =
      decision + 1 < decisions_.size() ? decisions_[decision + 1].features : features_.size();
  return std::span(features_).subspan(decisions_[decision].features,
                                      last - decisions_[decision].features);
}

void TagProblem::count_pairs() {
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    for (const auto feature : features(i))
      pairs.push_back(std::uint64_t{feature} << 16 | decisions_[i].gold);
    if (pairs.size() > (1u << 24) || i + 1 == decisions_.size()) {
      std::ranges::sort(pairs);
      pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    }
  }
  pair_offsets_.assign(keys_.size() + 1, 0);
  for (const auto pair : pairs) {
    ++pair_offsets_[(pair >> 16) + 1];
    pair_tags_.push_back(static_cast<Tag>(pair & 0xffff));
  }
  std::partial_sum(pair_offsets_.begin(), pair_offsets_.end(), pair_offsets_.begin());
}

double TagProblem::loss(std::span<const double> weights, std::span<double> gradient,
                        const Threads &threads) const {
  const std::size_t n = pair_tags_.size();
  shard_gradients_.resize(shards * n);
  std::array<double, shards> losses{};
  in_blocks(shards, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t shard = first; shard < last; ++shard)
      losses[shard] = shard_loss(shard, weights, std::span(shard_gradients_).subspan(shard * n, n));
  });
  in_blocks(n, weights_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      gradient[i] = 0.0;
      for (std::size_t shard = 0; shard < shards; ++shard)
        gradient[i] += shard_gradients_[shard * n + i];
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

double TagProblem::shard_loss(std::size_t shard, std::span<const double> weights,
                              std::span<double> gradient) const {
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
    for (const auto feature : features(i))
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
    for (const auto feature : features(i))
      for (auto [pair, end] = pairs(feature); pair < end; ++pair)
        gradient[pair] += coefficients[pair_tags_[pair]];
    for (const Tag tag : set)
      coefficients[tag] = 0.0;
  }
  return loss;
}

} // namespace runoff
