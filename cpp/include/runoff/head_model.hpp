// The generative models behind the parsers: trees grow from their heads outward.
//
// A constituent P below G chooses its head child H; then modifiers to the right of it, nearest
// first, until STOP; then to the left. The unlexicalised model (a PCFG, markovised) sees labels
// only. The lexicalised one (Collins 1999, Model 2) knows the head's word and tag, chooses
// a frame of complements on each side, and gives each modifier a tag and a word.
#pragma once

#include "runoff/backoff.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff {

using Label = std::int32_t;
using Word = std::int32_t;

// Trees with heads, one after the other, nodes in preorder. Labels below `tags` are parts of speech
// and stand on words; `ends` and `heads` count nodes from the start of their tree.
struct HeadedTrees {
  std::span<const std::int64_t> offsets; // of trees in the columns below
  std::span<const Label> labels;
  std::span<const std::int32_t> ends, heads;
  std::span<const Word> words; // of parts of speech, -1 elsewhere
};

// What the labels mean.
struct Labels {
  Label tags = 0, count = 0; // phrases are [tags, count)
  Label top = 0;
  std::vector<std::uint8_t> kinds; // bits below, for each label
  enum Kind : std::uint8_t { verb = 1, conjunction = 2, punctuation = 4 };

  Label stop() const { return count; }
  Label none() const { return count + 1; }
};

enum class Side : std::uint8_t { left, right };

// Complements still to come on one side: two bits for each of NP, S, SBAR, VP and others.
using Frame = std::uint16_t;

// What a constituent is while modifiers are added to it.
struct State {
  Label parent, above, head; // P, G, H
  Side side;
  Label previous;            // the modifier next to the new one on the way to the head, or none
  Label before;              // the one before that
};

struct Lexical {
  Label tag;
  Word word;
};

class HeadModel {
public:
  HeadModel(Labels labels, Word words, std::vector<std::int8_t> complements);

  void train(const HeadedTrees &trees, std::span<const std::int64_t> chosen);
  // Sum of log-probabilities of the decisions of trees, by kind of decision, and how many there are.
  struct Fit {
    std::array<double, 8> sums{};
    std::array<std::int64_t, 8> counts{};
    std::array<std::int64_t, 8> sizes{};
  };
  Fit fit(const HeadedTrees &trees) const;

  // The state once a modifier is added.
  State after(State state, Label modifier) const;

  // Which slot of a frame a modifier takes, or -1 where it is no complement.
  int complement(Label parent, Label head, Label modifier, Side side) const {
    const auto n = std::size_t(labels_.count);
    return complements_[((std::size_t(side) * n + std::size_t(parent)) * n + std::size_t(head)) * n +
                        std::size_t(modifier)];
  }

  // Coarse: no more than what was seen.
  double head0(Label parent, Label head) const;
  double label0(Side side, Label parent, Label head, bool first, Label modifier) const;
  const std::vector<std::pair<Label, Label>> &pairs() const { return pairs_; }
  std::span<const Label> modifiers(Side side, Label parent, Label head) const {
    return modifiers_[std::size_t(side)][std::size_t(parent) * std::size_t(labels_.count) + std::size_t(head)];
  }

  // Unlexicalised.
  double head1(Label parent, Label above, Label head) const;
  double label1(const State &state, Label modifier) const;

  // Lexicalised.
  double head2(Label parent, Label above, Lexical lex, Label head) const;
  double frame2(const State &state, Lexical lex, Frame frame) const;
  double label2(const State &state, Lexical lex, Frame frame, bool verb, Label modifier) const;
  double tag2(const State &state, Lexical lex, Label modifier, Label tag) const;
  double word2(const State &state, Lexical lex, Label modifier, Lexical other) const;
  double word(Lexical lex) const; // P(word | tag)

  // Frames seen for a parent and its head; labels seen above a label.
  std::span<const Frame> frames(Side side, Label parent, Label head) const {
    return frames_[std::size_t(side)][std::size_t(parent) * std::size_t(labels_.count) + std::size_t(head)];
  }
  std::span<const Label> above(Label label) const { return above_[std::size_t(label)]; }
  // How often a label stands below another, of all its occurrences.
  double above_share(Label label, Label above) const {
    return shares_[std::size_t(label) * (std::size_t(labels_.count) + 2) + std::size_t(above)];
  }
  const Labels &labels() const { return labels_; }

private:
  template <typename Visit> void decisions(const HeadedTrees &trees, std::int64_t tree, Visit &&visit) const;

  Labels labels_;
  Word words_;
  enum { HEAD1, LABEL1, HEAD2, FRAME2, LABEL2, TAG2, WORD2, KINDS };
  std::array<Backoff, KINDS> models_;
  std::vector<std::pair<Label, Label>> pairs_; // parents with heads, as seen
  std::vector<std::vector<Label>> modifiers_[2];
  std::vector<std::vector<Frame>> frames_[2];
  std::vector<std::vector<Label>> above_;
  std::vector<double> shares_;
  std::vector<std::int8_t> complements_; // slots by side, parent, head and modifier
};

} // namespace runoff
