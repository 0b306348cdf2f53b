// Tagging with a maximum-entropy model: n-best tags by beam search, and what each word may be.
#pragma once

#include "runoff/sequence/tag_features.hpp"

namespace runoff::sequence {

// The features of a tagger: feature i has, for the tags [pair_offsets[i], pair_offsets[i + 1]) of
// pair_tags, the weights at the same places. The memory belongs to the caller.
struct TagWeights {
  std::span<const std::uint32_t> keys; // four numbers per feature, as FeatureKey
  std::span<const std::int64_t> pair_offsets;
  std::span<const Tag> pair_tags;
  std::span<const float> weights;
};

// N-best tags of sentences: sentence i has counts[i] candidates, each with a log-probability and
// as many tags as the sentence has words; all laid end to end, best first.
struct TagLists {
  std::vector<std::int64_t> counts;
  std::vector<double> logprobs;
  std::vector<Tag> tags;
};

// The lists of many sentences, laid end to end.
TagLists joined(std::span<const TagLists> lists);

// What words may be: word i of all has counts[i] tags, the likeliest first.
struct TagChoices {
  std::vector<std::int64_t> counts;
  std::vector<Tag> tags;
  std::vector<double> probabilities;
};

class Tagger {
public:
  // Copies what it is given. Throws std::invalid_argument unless all fits together.
  Tagger(const TagTemplates &templates, const TagSets &sets, const TagWeights &weights);

  // The n most probable tag sequences, as far as the beam reaches. A state is the last two tags;
  // the `beam` best states are kept after every word, and n paths into each. So the result is
  // exact where the beam holds all states.
  TagLists n_best(const TagCorpus &corpus, std::size_t n, std::size_t beam,
                  const base::Threads &threads) const;

  // For every word the tags whose probability is at least `ratio` times that of its likeliest.
  // Probabilities are sums over all tags of the words before. Words after have no say beyond the
  // features that look at them: the model is normalised word by word. States that the beam drops
  // are left out.
  TagChoices choices(const TagCorpus &corpus, double ratio, std::size_t beam,
                     const base::Threads &threads) const;

  std::size_t n_sets() const { return sets_.size(); }
  std::size_t n_forms() const { return templates_.n_forms(); }

private:
  friend class TagLattice;

  TagTemplates templates_;
  TagSets sets_;
  FeatureTable table_;
  std::vector<std::int64_t> pair_offsets_;
  std::vector<Tag> pair_tags_;
  std::vector<float> weights_;
};

} // namespace runoff::sequence
