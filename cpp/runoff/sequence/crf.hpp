// Linear-chain conditional random fields (Lafferty, McCallum & Pereira 2001; Sha & Pereira 2003):
// a sequence of labels scores the weights of what its words show, and those of its neighbours;
// its probability is exp(score) over the sum of that of all sequences.
#pragma once

#include "runoff/sequence/tagger.hpp"

namespace runoff::sequence {

// Which labels may be neighbours. A state is a label (order 1), or a label with the one before it
// (order 2); an edge leads from state to state. Edges are sorted by the state they lead to.
class CrfChain {
public:
  // `pairs` has two numbers per pair of labels: one before, n_labels at the start, and the label
  // behind it; they rise by the second, then the first. Throws std::invalid_argument unless they
  // do, or if they allow no sequence of some length.
  CrfChain(std::size_t order, std::size_t n_labels, std::span<const Tag> pairs);

  std::size_t n_labels() const { return n_labels_; }
  std::size_t n_states() const { return labels_.size(); }
  std::size_t n_edges() const { return from_.size(); }
  // What a weight of a word speaks for: a label, or with order 2 a state, numbered behind labels.
  std::size_t n_targets() const { return order_ == 1 ? n_labels_ : n_labels_ + n_states(); }
  bool has_pair_targets() const { return order_ == 2; }

  Tag label(std::size_t state) const { return labels_[state]; }
  bool initial(std::size_t state) const { return initial_[state]; }
  // The edges that lead to a state begin here, and end where those to the next begin.
  std::size_t first_edge(std::size_t state) const { return first_edges_[state]; }
  std::uint32_t from(std::size_t edge) const { return from_[edge]; }

  // The state of a label behind another, which is n_labels at the start; n_states() if there is
  // none.
  std::size_t state(Tag before, Tag label) const;
  // The edge between two states; n_edges() if there is none.
  std::size_t edge(std::size_t from, std::size_t to) const;

private:
  void check_lengths(std::span<const Tag> pairs) const;

  std::size_t order_, n_labels_;
  std::vector<Tag> labels_, labels_before_; // of each state; the second with order 2 alone
  std::vector<bool> initial_;
  std::vector<std::size_t> first_edges_; // states + 1
  std::vector<std::uint32_t> from_;
};

// What the words of sentences show: sentence i has the words [offsets[i], offsets[i + 1]), word j
// the attributes [attribute_offsets[j], attribute_offsets[j + 1]). Without values, each counts 1.
// The memory belongs to the caller.
struct CrfItems {
  std::span<const std::int64_t> offsets;           // sentences + 1
  std::span<const std::int64_t> attribute_offsets; // words + 1
  std::span<const std::uint32_t> attributes;
  std::span<const double> values; // empty, or as long as attributes

  std::size_t sentences() const { return offsets.size() - 1; }
  std::size_t words() const { return attribute_offsets.size() - 1; }
  double value(std::size_t at) const { return values.empty() ? 1.0 : values[at]; }

  // Throws std::invalid_argument unless the arrays fit together.
  void check(std::size_t n_attributes) const;
};

// The weights of attributes: attribute i has, for the targets [offsets[i], offsets[i + 1]), those
// at the same places.
struct CrfWeights {
  std::span<const std::int64_t> offsets; // attributes + 1
  std::span<const std::uint32_t> targets;
  std::span<const double> weights;
  std::span<const double> edges; // of every edge of the chain

  std::size_t attributes() const { return offsets.size() - 1; }
  void check(const CrfChain &chain) const;
};

// Hints that what belongs to attributes a few places from `at` will be asked for: where it begins
// first, then itself. Attributes lie all over the memory, and waiting for it would take most of the
// time. `step` is 1, or -1 where they are gone through backward.
template <std::ptrdiff_t step, typename Value>
[[gnu::always_inline]] inline void
fetch_ahead(std::span<const std::uint32_t> attributes, std::span<const std::int64_t> offsets,
            std::span<const std::uint32_t> targets, std::span<Value> values, std::size_t at) {
  constexpr auto ahead = static_cast<std::size_t>(12 * step); // backward, it wraps around
  if (at + 2 * ahead >= attributes.size())
    return;
  __builtin_prefetch(&offsets[attributes[at + 2 * ahead]]);
  const auto next = static_cast<std::size_t>(offsets[attributes[at + ahead]]);
  __builtin_prefetch(targets.data() + next);
  __builtin_prefetch(values.data() + next, !std::is_const_v<Value>);
}

// The scores of the states at the words of a sentence: scores[word * n_states + state].
// `by_target` is scratch of n_targets numbers.
void crf_scores(const CrfChain &chain, const CrfItems &items, const CrfWeights &weights,
                std::size_t sentence, std::vector<double> &by_target, std::vector<double> &scores);

// A model that finds the best sequences.
class Crf {
public:
  // Copies what it is given. Throws std::invalid_argument unless all fits together.
  Crf(const CrfChain &chain, const CrfWeights &weights);

  // The n most probable label sequences of every sentence: exact, distinct, best first. Forward
  // Viterbi, then best-first search backward, where what Viterbi found is the exact estimate of
  // what is left: so a path is never taken up in vain. Time is linear in words, edges and n.
  TagLists n_best(const CrfItems &items, std::size_t n, const base::Threads &threads) const;

  const CrfChain &chain() const { return chain_; }
  std::size_t attributes() const { return offsets_.size() - 1; }

private:
  friend class CrfLattice;
  CrfWeights view() const { return {offsets_, targets_, weights_, edges_}; }

  CrfChain chain_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::uint32_t> targets_;
  std::vector<double> weights_, edges_, exp_edges_; // exp(weight - shift)
  double shift_;                                    // the largest weight of an edge
};

// The attributes of words that templates find; templates that look at a tag before see a pair of
// labels, so what they find is an attribute that speaks for a state.
class CrfTemplates {
public:
  // `keys` has four numbers per attribute, as FeatureKey, each once.
  CrfTemplates(const TagTemplates &templates, std::span<const std::uint32_t> keys);

  // Attributes as CrfItems has them: where those of each word begin, and what they are.
  struct Found {
    std::vector<std::int64_t> offsets;
    std::vector<std::uint32_t> attributes;
  };
  Found find(const TagCorpus &corpus, const base::Threads &threads) const;

  std::size_t n_forms() const { return templates_.n_forms(); }

private:
  TagTemplates templates_;
  FeatureTable table_;
};

} // namespace runoff::sequence
