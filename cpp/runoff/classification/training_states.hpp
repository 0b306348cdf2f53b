// The states of correct paths through a treebank, and all inferences that they allow: the examples
// of parsing by classification (Turian and Melamed, 2006, section 3.3).
//
// Stored are items and frontiers, once for all labels: some tens of bytes a state, and nothing for
// a candidate. A pointer names a state and a span of its frontier; atoms are asked on demand.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/classification/inference_atoms.hpp"

#include <utility>

namespace runoff::classification {

// Trees as columns, nodes in preorder: node n's subtree ends before ends[n]; a word's tag has
// its word, number and shape, a phrase -1.
struct LearnedTrees {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> labels, ends, words;

  // Throws std::invalid_argument unless these are trees whose root alone has the label of the top.
  void check(const ItemLabels &known) const;
};

class TrainingStates {
public:
  // seed: of the random order of a bottom-up path. balance: see `Examples`. The labels must outlive
  // this.
  struct Options {
    std::uint64_t seed = 0;
    double balance = 1.0;
  };
  TrainingStates(const ItemLabels &labels, Strategies strategies, const LearnedTrees &trees,
                 std::span<const std::int64_t> chosen, const Options &options,
                 const base::Poll &poll);

  // The examples of a label. The positives of a state share one half; each of its n negatives of
  // all labels has one half by n to the power of balance. So a state is worth 1 with a balance of
  // 1, and with 0 all examples of r2l and l2r count the same.
  struct Examples {
    std::vector<std::uint64_t> pointers;
    std::vector<std::int8_t> y;
    std::vector<float> bias;
  };
  Examples examples(std::uint16_t label) const;

  std::size_t size() const { return states_.size(); }
  std::uint64_t candidates() const;                    // spans of all states
  std::uint64_t inferences() const;                    // with labels
  std::uint64_t too_wide() const { return too_wide_; } // gold items with too many children
  std::uint64_t positives() const { return positives_.size(); }
  std::size_t bytes() const;
  // How many different atoms the inferences of all labels have, by group, lengths last.
  std::vector<std::uint64_t> seen_atoms(const InferenceAtoms &atoms, const base::Poll &poll) const;
  const ItemLabels &labels() const { return labels_; }
  const Strategies &strategies() const { return strategies_; }
  struct Positive {
    Candidate children;
    std::uint16_t label;
  };
  // Whether an inference of a state is correct, and its bias.
  std::pair<bool, float> judged(std::size_t state, Candidate one, std::uint16_t label) const;

  TreeCut cut(std::size_t state) const;
  std::uint32_t sentence_of(std::size_t state) const { return states_[state].sentence; }
  std::span<const Positive> positives_of(std::size_t state) const;

  // A span of the frontier of a state.
  static std::uint64_t pointer(std::size_t state, Candidate one) {
    return (static_cast<std::uint64_t>(state) << 32) | (one.first << 8) | one.size;
  }
  static std::size_t state_of(std::uint64_t pointer) { return pointer >> 32; }
  static Candidate candidate_of(std::uint64_t pointer) {
    return {static_cast<std::uint32_t>(pointer >> 8) & 0xffffff,
            static_cast<std::uint32_t>(pointer & 0xff)};
  }

private:
  struct State {
    std::uint64_t frontier; // where it begins
    std::uint32_t size;     // of it
    std::uint32_t sentence, last;
    std::uint32_t positives; // where they begin
    float negative;          // the bias of each negative
  };
  struct Sentence {
    std::uint64_t items;
    std::uint32_t size, words;
  };
  struct Path;

  void add_tree(const LearnedTrees &trees, std::size_t tree);
  void add_state(const Path &path, std::uint32_t last, std::span<const Positive> correct);

  const ItemLabels &labels_;
  Strategies strategies_;
  Options options_;
  std::vector<Item> items_;
  std::vector<ItemId> frontiers_; // items of their sentence
  std::vector<Sentence> sentences_;
  std::vector<State> states_;
  std::vector<Positive> positives_;
  std::uint64_t too_wide_ = 0;
};

} // namespace runoff::classification
