// The first pass over a sentence: which constituents are at all likely.
//
// A PCFG whose modifiers depend on parent, head, side, and on being the first or a later one.
// A partial constituent is then known by its pair (parent, head) alone, and the sum over all
// modifiers of a pair in a cell can be taken before cells are joined: joining two cells
// is a product of two vectors over the pairs.
#pragma once

#include "runoff/head_model.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff {

struct TagChoice {
  Label tag;
  double probability; // of the word given the tag, up to a factor that depends on the word alone
  double weight;      // added to the logarithm of the lexicalised model's probability
};

struct Sentence {
  std::vector<Word> words;
  std::vector<std::vector<TagChoice>> tags;
};

class CoarseGrammar {
public:
  explicit CoarseGrammar(const HeadModel &model);

  struct Modifier {
    Label label;
    float first, later; // probabilities
  };
  // The same seen from the modifier.
  struct Modified {
    std::uint32_t pair;
    float first, later;
  };
  struct Pair {
    Label parent, head;
    float head_probability;
  };
  const Labels &labels() const { return labels_; }
  std::size_t pairs() const { return pairs_.size(); }
  const Pair &pair(std::size_t n) const { return pairs_[n]; }
  std::span<const Modifier> modifiers(Side side, std::size_t pair) const {
    const auto &starts = starts_[int(side)];
    return std::span(modifiers_[int(side)]).subspan(starts[pair], starts[pair + 1] - starts[pair]);
  }
  std::span<const Modified> modified(Side side, Label label) const {
    return modified_[int(side)][std::size_t(label)];
  }
  bool takes(Side side, std::size_t pair, Label modifier) const {
    return takes_[int(side)][pair * std::size_t(labels_.count) + std::size_t(modifier)];
  }
  float stop(Side side, std::size_t pair, bool first) const {
    return stops_[int(side)][2 * pair + !first];
  }
  std::span<const std::size_t> pairs_of_parent(Label parent) const { return by_parent_[std::size_t(parent)]; }
  std::span<const std::size_t> pairs_of_head(Label head) const { return by_head_[std::size_t(head)]; }
  std::int32_t pair_id(Label parent, Label head) const {
    return ids_[std::size_t(parent) * std::size_t(labels_.count) + std::size_t(head)];
  }
  float top(Label label) const { return top_[std::size_t(label)]; }

private:
  Labels labels_;
  std::vector<Pair> pairs_;
  std::vector<Modifier> modifiers_[2];
  std::vector<std::vector<Modified>> modified_[2];
  std::vector<char> takes_[2];
  std::vector<std::size_t> starts_[2];
  std::vector<float> stops_[2];
  std::vector<float> top_;
  std::vector<std::vector<std::size_t>> by_parent_, by_head_;
  std::vector<std::int32_t> ids_;
};

// How many constituents over the same words may stand on top of each other.
constexpr int MAX_UNARY = 4;

class CoarseChart {
public:
  CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence);

  bool parsed() const { return total_ > 0; }
  // Keeps what has at least this share of the probability of all parses.
  void prune(float threshold);

  std::size_t cell(int start, int end) const {
    return std::size_t(start) * std::size_t(2 * size_ - start + 1) / 2 + std::size_t(end - start - 1);
  }
  bool allows(std::size_t cell, Label label) const { return (allowed_[cell * words_ + std::size_t(label) / 64] >> (label % 64)) & 1; }
  // Whether a constituent may stand below the label `above`: here, or anywhere that holds the cell.
  bool allows(std::size_t cell, Label label, Label above) const {
    return (below_[(cell * labels_ + std::size_t(label)) * words_ + std::size_t(above) / 64] >> (above % 64)) & 1;
  }
  bool holds(std::size_t cell, Label label, Label above) const {
    return (holds_[(cell * labels_ + std::size_t(label)) * words_ + std::size_t(above) / 64] >> (above % 64)) & 1;
  }
  // What surrounds a constituent or partial constituent: with an inside value of the same scale,
  // the product is about its share of all parses.
  float outside(std::size_t cell, Label label) const { return o_complete_[cell * labels_ + std::size_t(label)]; }
  float outside(std::size_t cell, std::size_t pair, Side side, bool first) const {
    const auto at = cell * pairs_ + pair;
    return side == Side::right ? (first ? o_right0_[at] : o_right1_[at]) : (first ? o_left0_[at] : o_left1_[at]);
  }
  // Partial constituents, before (first) and after their first modifier on the side.
  bool right(std::size_t cell, std::size_t pair, bool first) const {
    return (partial_kept_[cell * pairs_ + pair] & (first ? 1 : 2)) != 0;
  }
  bool left(std::size_t cell, std::size_t pair, bool first) const {
    return (partial_kept_[cell * pairs_ + pair] & (first ? 4 : 8)) != 0;
  }
  double scale(std::size_t cell) const { return exponents_[cell]; } // in powers of two
  int size() const { return size_; }
  std::size_t kept() const { return n_kept_; }

private:
  struct Vectors; // one row per cell
  void inside(const Sentence &sentence);
  void outside();
  void close_cell(std::size_t cell, int start, const std::vector<TagChoice> *tags);
  void sum_modifiers(std::size_t cell);

  const CoarseGrammar &grammar_;
  int size_;
  std::size_t pairs_, labels_, words_, cells_;
  double total_ = 0;
  int total_exponent_ = 0;
  std::size_t n_kept_ = 0;
  // For each cell and pair: partial constituents before (0) and after (1) the first modifier.
  std::vector<float> right0_, right1_, left0_, left1_;
  std::vector<float> more_right0_, more_right1_, more_left0_, more_left1_; // sums over modifiers
  std::vector<float> complete_;                                           // cell, label
  std::vector<int> exponents_;
  std::vector<float> o_right0_, o_right1_, o_left0_, o_left1_, om_right0_, om_right1_, om_left0_,
      om_left1_, o_complete_;
  std::vector<std::uint64_t> allowed_, below_, holds_;
  std::vector<std::uint8_t> partial_kept_;
};

} // namespace runoff
