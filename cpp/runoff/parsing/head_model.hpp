// The generative models behind the parsers: trees grow from their heads outward.
//
// A constituent P below G chooses its head child H; then modifiers to the right of it, nearest
// first, until STOP; then to the left. The unlexicalised model (a PCFG, markovised) sees labels
// only. The lexicalised one (Collins 1999, Model 2) knows the head's word and tag, chooses
// a frame of complements on each side, and gives each modifier a tag and a word.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/base/threads.hpp"
#include "runoff/parsing/backoff.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::parsing {

using Label = std::int32_t;
using Word = std::int32_t;

enum class Side : std::uint8_t { left, right };
inline constexpr std::array<Side, 2> SIDES{Side::right, Side::left}; // in the order of generation

// Complements still to come on one side: two bits for each of five kinds.
using Frame = std::uint16_t;
inline constexpr int FRAME_SLOTS = 5;
inline constexpr int MOST_OF_A_SLOT = 3;
inline int complements_left(Frame frame, int slot) {
  return (frame >> (2 * slot)) & MOST_OF_A_SLOT;
}
inline Frame with_complement(Frame frame, int slot) {
  const bool full = complements_left(frame, slot) == MOST_OF_A_SLOT;
  return static_cast<Frame>(full ? frame : frame + (1 << (2 * slot)));
}
inline Frame without_complement(Frame frame, int slot) {
  const bool none = complements_left(frame, slot) == 0;
  return static_cast<Frame>(none ? frame : frame - (1 << (2 * slot)));
}

// What the labels are. Those below `tags` are parts of speech and stand on words.
struct Labels {
  Label tags = 0, count = 0, top = 0;
  std::vector<std::uint8_t> is_verb, is_conjunction; // for each label
  std::vector<std::int8_t> complements; // side, parent, head, modifier -> slot of the frame, or -1

  Label np = -1, base_np = -1; // a base noun phrase stands in a noun phrase that is not shown

  // Whether a constituent may consist of its head alone. A base noun phrase directly in a noun
  // phrase is not wrapped once more, so that every tree has one derivation.
  bool may_wrap(Label parent, Label above, Label head) const {
    return parent != head && !(parent == np && above == np && head == base_np);
  }
  Label stop() const { return count; }
  Label none() const { return count + 1; }
  std::size_t pair(Label parent, Label head) const {
    return base::at(parent) * base::at(count) + base::at(head);
  }
  int complement(Label parent, Label head, Label modifier, Side side) const {
    const auto n = base::at(count);
    return complements[(base::at(side) * n * n + pair(parent, head)) * n + base::at(modifier)];
  }
  void check() const;
};

// Trees with heads, one after the other, nodes in preorder; `ends` and `heads` count nodes from the
// start of their tree. The first node of each is labelled top and has one child.
struct HeadedTrees {
  std::span<const std::int64_t> offsets; // of trees in the columns below
  std::span<const Label> labels;
  std::span<const std::int32_t> ends, heads; // a part of speech has the head -1
  std::span<const Word> words;               // of parts of speech, -1 elsewhere
  // Throws std::invalid_argument unless they are such trees over the labels and words.
  void check(const Labels &meaning, Word words_known) const;
};

// A constituent while modifiers are added to one side of it.
struct State {
  Label parent, above, head;
  Side side;
  Label previous, before; // the last modifier and the one before it, nearer to the head, or none

  State after(Label modifier) const { return {parent, above, head, side, modifier, previous}; }
};

struct Lexical {
  Label tag;
  Word word;
};

// What was seen in training, and may be proposed.
struct Seen {
  std::vector<std::array<std::int32_t, 2>> heads;     // parent, head
  std::vector<std::array<std::int32_t, 4>> modifiers; // side, parent, head, modifier
  std::vector<std::array<std::int32_t, 4>> frames;    // side, parent, head, frame
  std::vector<std::array<std::int32_t, 3>> above;     // label, label above it, how often
  std::vector<std::array<std::int32_t, 2>> tags;      // tag, how often
};

// Kinds of decisions; each has a table. The first three make the unlexicalised model.
enum Decision : std::size_t {
  HEAD1,
  LABEL1,
  WORD1,
  HEAD2,
  FRAME2,
  LABEL2,
  TAG2,
  WORD2,
  DECISIONS,
  UNLEXICALISED = HEAD2
};

class HeadModel {
public:
  // Tables for the first so many kinds of decisions. Throws std::invalid_argument if anything does
  // not fit together, so that files may be believed afterwards.
  HeadModel(Labels labels, Seen seen, std::vector<BackoffTable> tables);

  const Labels &labels() const { return labels_; }
  const Seen &seen() const { return seen_; }
  const std::vector<BackoffTable> &tables() const { return tables_; }
  bool lexicalised() const { return tables_.size() == DECISIONS; }

  // The coarse model: what was not seen has probability 0.
  double head0(Label parent, Label head) const;
  double label0(Side side, Label parent, Label head, bool first, Label modifier) const;

  // The unlexicalised model.
  double head1(Label parent, Label above, Label head) const;
  double label1(const State &state, Label modifier) const;
  double word1(Lexical lexical) const; // of the word, given the tag
  // How often the tag was seen, of all tags; 0 if training had none.
  double tag_share(Label tag) const { return tag_shares_[base::at(tag)]; }

  // The lexicalised model; the head word of the sentence depends on nobody().
  double head2(Label parent, Label above, Lexical lexical, Label head) const;
  double frame2(const State &state, Lexical lexical, Frame frame) const;
  double label2(const State &state, Lexical lexical, Frame frame, bool verb, Label modifier) const;
  double tag2(const State &state, Lexical lexical, Label modifier, Label tag) const;
  double word2(const State &state, Lexical lexical, Label modifier, Lexical other) const;
  Lexical nobody() const { return {labels_.none(), -1}; }
  State top_state() const {
    const Label none = labels_.none();
    return {labels_.top, none, none, Side::right, none, none};
  }

  std::span<const Frame> frames(Side side, Label parent, Label head) const {
    return frames_[base::at(side)][labels_.pair(parent, head)];
  }
  // Labels that a label was seen below, and how often of all its occurrences.
  struct Above {
    Label label;
    double share;
  };
  std::span<const Above> above(Label label) const { return above_[base::at(label)]; }
  double above_share(Label label, Label above) const;

private:
  Labels labels_;
  Seen seen_;
  std::vector<BackoffTable> tables_;
  std::vector<std::vector<Frame>> frames_[2];
  std::vector<std::vector<Above>> above_;
  std::vector<double> tag_shares_;
};

// Learns a model from some of the trees. Contexts of fewer than `least` decisions are left out, see
// BackoffCounts. `poll` is called now and then and may throw.
HeadModel train_head_model(const Labels &labels, const HeadedTrees &trees,
                           std::span<const std::int64_t> chosen, bool lexicalised,
                           std::uint32_t least, const base::Poll &poll);

// The log-probability of each tree, with its heads, under the model.
std::vector<double> log_probabilities(const HeadModel &model, const HeadedTrees &trees);

} // namespace runoff::parsing
