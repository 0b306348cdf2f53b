// The first pass over a sentence: which constituents are at all likely.
//
// A PCFG whose modifiers depend on parent, head, side, and on being the first or a later one.
// A partial constituent is then known by its pair (parent, head) alone, and the sum over all
// modifiers of a pair in a cell can be taken before cells are joined: joining two cells
// is a product of two vectors over the pairs. Inside and outside sums then give every constituent
// its share of all parses.
#pragma once

#include "runoff/head_model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff {

struct TagChoice {
  Label tag;
  double probability; // of the word given the tag, up to a factor that depends on the word alone
};

struct Sentence {
  std::vector<Word> words;
  std::vector<std::vector<TagChoice>> tags; // of each word, the likeliest first
  int size() const { return static_cast<int>(words.size()); }
};

// The coarse model as arrays; the model that they come from must live as long.
class CoarseGrammar {
public:
  explicit CoarseGrammar(const HeadModel &model);

  struct Pair {
    Label parent, head;
    float head_probability;
    float stops[2][2]; // by side, and whether a modifier came before
    float stop(Side side, bool first) const { return stops[static_cast<int>(side)][!first]; }
    // A constituent with nothing but its head, which has another label.
    float alone() const {
      return parent == head ? 0.0F
                            : head_probability * stop(Side::right, true) * stop(Side::left, true);
    }
  };
  // A label as a modifier of a pair.
  struct Modified {
    std::uint32_t pair;
    float first, later; // probabilities
  };
  const Labels &labels() const { return labels_; }
  std::span<const Pair> pairs() const { return pairs_; }
  const Pair &pair(std::size_t number) const { return pairs_[number]; }
  std::size_t pair_number(Label parent, Label head) const {
    return static_cast<std::size_t>(numbers_[labels_.pair(parent, head)]);
  }
  std::span<const Modified> modified(Side side, Label label) const {
    return modified_[static_cast<int>(side)][static_cast<std::size_t>(label)];
  }
  bool takes(Side side, std::size_t pair, Label modifier) const {
    return takes_[static_cast<int>(side)][pair * static_cast<std::size_t>(labels_.count) +
                                          static_cast<std::size_t>(modifier)] != 0;
  }
  std::span<const std::uint32_t> pairs_of_head(Label head) const {
    return by_head_[static_cast<std::size_t>(head)];
  }
  float top(Label label) const { return top_[static_cast<std::size_t>(label)]; }

private:
  const Labels &labels_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<Modified>> modified_[2];
  std::vector<char> takes_[2];
  std::vector<float> top_;
  std::vector<std::vector<std::uint32_t>> by_head_;
  std::vector<std::int32_t> numbers_;
};

// How many constituents over the same words may stand on top of each other.
inline constexpr int MAX_UNARY = 4;

// Time is cubic and memory quadratic in the words: 100 of them take about 40 MB.
class CoarseChart {
public:
  CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence);

  bool parsed() const { return total_ > 0; }
  int size() const { return size_; }
  std::size_t cells() const { return cells_; }
  std::size_t cell(int start, int end) const {
    return static_cast<std::size_t>(start) * static_cast<std::size_t>(2 * size_ - start + 1) / 2 +
           static_cast<std::size_t>(end - start - 1);
  }
  // Values of a cell are stored divided by two to this power.
  int scale(std::size_t cell) const { return exponents_[cell]; }

  // Keeps what has at least this share of the probability of all parses.
  void prune(float threshold);

  // Whether a constituent is kept; or below the label `above`; or below it in some cell that holds
  // this one.
  bool allows(std::size_t cell, Label label) const { return bit(allowed_, cell, label); }
  bool allows(std::size_t cell, Label label, Label above) const {
    return bit(below_, row(cell, label), above);
  }
  bool holds(std::size_t cell, Label label, Label above) const {
    return bit(holds_, row(cell, label), above);
  }
  // Whether a partial constituent is kept, before the first modifier of the side or after it.
  bool allows(std::size_t cell, std::size_t pair, Side side, bool first) const {
    const auto local = local_[pair];
    if (local < 0)
      return false;
    const auto at = cell * pairs_ + static_cast<std::size_t>(local);
    return inner_.part(side, first)[at] * outer_.part(side, first)[at] >= threshold_;
  }

  // What surrounds a constituent or a partial one that is kept: with an inside value of the same
  // scale, the product is about its share of all parses.
  float outside(std::size_t cell, Label label) const {
    return outer_complete_[cell * labels_ + static_cast<std::size_t>(label)];
  }
  float outside(std::size_t cell, std::size_t pair, Side side, bool first) const {
    const auto local = local_[pair];
    return local < 0 ? 0.0F
                     : outer_.part(side, first)[cell * pairs_ + static_cast<std::size_t>(local)];
  }

private:
  // A number for each cell and pair: partial constituents before and after their first modifier.
  struct Parts {
    std::vector<float> right0, right1, left0, left1;
    void resize(std::size_t size);
    const std::vector<float> &part(Side side, bool first) const {
      return side == Side::right ? (first ? right0 : right1) : (first ? left0 : left1);
    }
  };
  struct Pair : CoarseGrammar::Pair {
    std::uint32_t number;
  };
  static constexpr int NOTHING = -(1 << 20);
  // Exponents of the largest values of a cell: partial constituents, and what may modify them.
  struct Peaks {
    int right = NOTHING, left = NOTHING, more_right = NOTHING, more_left = NOTHING;
  };

  void choose_pairs(const Sentence &sentence);
  void inside(const Sentence &sentence);
  void close_cell(std::size_t cell, std::span<const TagChoice> tags);
  int largest_product(int start, int end) const;
  void rescale(std::size_t cell);
  void find_peaks(std::size_t cell);
  void sum_modifiers(std::size_t cell);
  void outside();
  void forget_impossible(std::vector<float> &outer, const std::vector<float> &inner,
                         std::size_t at) const;
  void open_cell(std::size_t cell);
  void spread(int start, int end);
  void shares_by_parent(std::size_t cell, std::size_t label, std::vector<float> &shares) const;

  std::size_t row(std::size_t cell, Label label) const {
    return cell * labels_ + static_cast<std::size_t>(label);
  }
  bool bit(const std::vector<std::uint64_t> &bits, std::size_t row, Label label) const {
    const auto n = static_cast<std::size_t>(label);
    return (bits[row * words_ + n / 64] >> (n % 64)) & 1;
  }
  void set_bit(std::vector<std::uint64_t> &bits, std::size_t row, std::size_t label) const {
    bits[row * words_ + label / 64] |= std::uint64_t{1} << (label % 64);
  }

  const CoarseGrammar &grammar_;
  int size_;
  std::size_t labels_, words_, cells_; // words_ of 64 bits hold a set of labels
  std::vector<Pair> own_pairs_;        // those that this sentence can have
  std::vector<std::int32_t> local_;    // pair -> place among them, or -1
  std::size_t pairs_ = 0;
  std::vector<std::vector<CoarseGrammar::Modified>> modified_[2]; // as the grammar's, own pairs
  float total_ = 0, threshold_ = 0;
  std::vector<int> exponents_;
  std::vector<Peaks> peaks_;
  Parts inner_, more_;          // partial constituents, and sums over what may modify them
  std::vector<float> complete_; // cell, label
  Parts outer_, outer_more_;
  std::vector<float> outer_complete_;
  std::vector<float> chain_, next_;
  std::vector<std::uint64_t> allowed_, below_, holds_;
};

} // namespace runoff
