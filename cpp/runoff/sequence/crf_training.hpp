// Training of conditional random fields: the loss of labelled sentences and its gradient.
#pragma once

#include "runoff/sequence/crf.hpp"

namespace runoff::sequence {

// Labelled sentences, and the attributes that templates find in them. A weight belongs to a pair of
// an attribute and a target that it was seen with; behind those come the weights of edges.
class CrfProblem {
public:
  // Attributes that are seen fewer than min_count times are left out. `gold` has a label per word.
  // Throws std::invalid_argument where the chain does not allow its neighbours.
  CrfProblem(const CrfChain &chain, const TagTemplates &templates, const TagCorpus &corpus,
             std::span<const Tag> gold, std::size_t min_count, const base::Poll &poll);

  const std::vector<FeatureKey> &keys() const { return keys_; }
  const std::vector<std::int64_t> &pair_offsets() const { return pair_offsets_; } // keys + 1
  const std::vector<std::uint32_t> &pair_targets() const { return pair_targets_; }
  std::size_t n_weights() const { return pair_targets_.size() + chain_.n_edges(); }

  // The sum of -log p(gold) of the sentences, and its gradient by the weights; on any threads the
  // same bits.
  double loss(std::span<const double> weights, std::span<double> gradient,
              const base::Threads &threads) const;

private:
  class Sums;
  void count_pairs(const std::vector<bool> &speaks_for_states);
  CrfItems items() const { return {offsets_, attribute_offsets_, attributes_, {}}; }

  CrfChain chain_;
  std::vector<FeatureKey> keys_;
  std::vector<std::int64_t> offsets_, attribute_offsets_, pair_offsets_;
  std::vector<std::uint32_t> attributes_, pair_targets_;
  std::vector<std::uint32_t> states_; // of gold
  std::vector<std::size_t> edges_;    // of gold, to each word; none to the first of a sentence
  mutable std::vector<double> shard_gradients_;
};

} // namespace runoff::sequence
