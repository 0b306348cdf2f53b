// Maximum-entropy training of a tagger (Ratnaparkhi 1996): a decision is a word with its true
// history, p(tag | history) is a softmax over the tags that the word may have.
#pragma once

#include "runoff/sequence/tag_features.hpp"

namespace runoff::sequence {

// The decisions of tagged sentences that leave a choice, and the features seen in them. A weight
// belongs to a pair of a feature and a tag that it was seen with.
class TagProblem {
public:
  // Features that are seen in fewer than min_count decisions are left out. `gold` has a tag per
  // word; where it is not in the word's set there is no decision.
  TagProblem(const TagTemplates &templates, const TagSets &sets, const TagCorpus &corpus,
             std::span<const Tag> gold, std::size_t min_count, const base::Poll &poll);

  const std::vector<FeatureKey> &keys() const { return features_.keys(); }
  const std::vector<std::int64_t> &pair_offsets() const { return pair_offsets_; } // keys + 1
  const std::vector<Tag> &pair_tags() const { return pair_tags_; }
  std::size_t decisions() const { return decisions_.size(); }

  // The sum of -log p(gold tag), and its gradient by the weights: the same bits on any threads.
  double loss(std::span<const double> weights, std::span<double> gradient,
              const base::Threads &threads) const;

private:
  struct Decision {
    std::uint32_t set;
    Tag gold;
  };

  void count_pairs();
  double shard_loss(std::size_t shard, std::size_t shards, std::span<const double> weights,
                    std::span<double> gradient) const;

  TagSets sets_;
  std::vector<std::int64_t> pair_offsets_;
  std::vector<Tag> pair_tags_;
  std::vector<Decision> decisions_;
  GatheredFeatures features_; // of each decision
  mutable std::vector<double> shard_gradients_;
};

} // namespace runoff::sequence
