// The first pass over a sentence: which constituents are at all likely.
//
// A PCFG whose modifiers depend on parent, head, side, and on being the first or a later one.
// A partial constituent is then known by its pair (parent, head) alone, and the sum over all
// modifiers of a pair in a cell can be taken before cells are joined: joining two cells
// is a product of two vectors over the pairs. Inside and outside sums then give every constituent
// its share of all parses.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/allowance.hpp"
#include "runoff/parsing/coarse_grammar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::parsing {

struct TagChoice {
  Label tag;
  double probability; // of the word given the tag, up to a factor that depends on the word alone
};

struct Sentence {
  std::vector<Word> words;
  std::vector<std::vector<TagChoice>> tags; // of each word, the likeliest first
  int size() const { return static_cast<int>(words.size()); }
};

// How many constituents over the same words may stand on top of each other.
inline constexpr int MAX_UNARY = 4;

// Time is cubic and memory quadratic in the words: with the 264 pairs of a large treebank, 100 of
// them take about 65 MB while the sums are taken, 200 of them 270 MB; afterwards a quarter of it.
class CoarseChart {
public:
  // For thresholds from this one on; prune() comes before all questions. `sums` is memory for what
  // is needed only while the chart is made; it stays, for the next chart, unless it is much.
  CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence, float threshold,
              std::vector<float> &sums, Allowance &allowance);
  // The chart refers to what it is made of.
  CoarseChart(const CoarseChart &) = delete;
  CoarseChart &operator=(const CoarseChart &) = delete;

  // Memory for a sentence of so many words, at most.
  static std::size_t bytes(const CoarseGrammar &grammar, int words);

  bool parsed() const { return total_ > 0; }
  int size() const { return size_; }
  std::size_t cells() const { return cells_; }
  std::size_t cell(int start, int end) const {
    return base::at(start) * base::at(2 * size_ - start + 1) / 2 + base::at(end - start - 1);
  }
  // Values of a cell are stored divided by two to this power.
  int scale(std::size_t cell) const { return exponents_[cell]; }

  // Keeps what has at least this share of the probability of all parses.
  void prune(float threshold);
  float threshold() const { return first_threshold_; }

  // Whether a constituent is kept; or below the label `above`; or below it in some cell that holds
  // this one.
  bool allows(std::size_t cell, Label label) const { return bit(allowed_, cell, label); }
  bool allows(std::size_t cell, Label label, Label above) const {
    return bit(below_, row(cell, label), above);
  }
  bool holds(std::size_t cell, Label label, Label above) const {
    return bit(holds_, row(cell, label), above);
  }
  // What surrounds a constituent that is kept: with an inside value of the same scale, the product
  // is about its share of all parses.
  float outside(std::size_t cell, Label label) const {
    return outer_complete_[cell * labels_ + base::at(label)];
  }

  // The partial constituents of one cell that are kept. The chart must live as long.
  class Partials;

private:
  // Places of the four kinds of partial constituents: before and after the first modifier of a
  // side.
  static std::size_t kind(Side side, bool first) { return 2 * (side == Side::left) + !first; }
  // A pair of which some kind is kept.
  struct Kept {
    std::uint32_t pair; // the grammar's number
    float shares[4], outer[4];
  };
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  struct KeptBelow {
    std::uint32_t cell;
    std::uint16_t label, above;
    float share;
  };
  // A number for each cell and pair: partial constituents before and after their first modifier.
  struct Parts {
    float *right0 = nullptr, *right1 = nullptr, *left0 = nullptr, *left1 = nullptr;
    // Side by side in memory that is held elsewhere.
    Parts() = default;
    Parts(float *at, std::size_t size)
        : right0(at), right1(at + size), left0(at + 2 * size), left1(at + 3 * size) {}
    const float *part(Side side, bool first) const {
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
  void make(const Sentence &sentence, std::vector<float> &sums, Allowance &allowance);
  void inside(const Sentence &sentence, Allowance &allowance);
  void close_cell(std::size_t cell, std::span<const TagChoice> tags);
  int largest_product(int start, int end) const;
  void rescale(std::size_t cell);
  void find_peaks(std::size_t cell);
  void sum_modifiers(std::size_t cell);
  void outside(Allowance &allowance);
  void forget_impossible(float *outer, const float *inner) const;
  void gather(int start, int end);
  void open_cell(std::size_t cell);
  void keep(std::size_t cell);
  void shares_by_parent(std::size_t cell, std::size_t label, std::vector<float> &shares) const;

  std::size_t row(std::size_t cell, Label label) const { return cell * labels_ + base::at(label); }
  bool bit(const std::vector<std::uint64_t> &bits, std::size_t row, Label label) const {
    const auto n = base::at(label);
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
  std::size_t rights_ = 0, first_left_ = 0, lefts_ = 0;           // which take modifiers on a side
  std::vector<std::vector<CoarseGrammar::Modified>> modified_[2]; // as the grammar's, own pairs
  float total_ = 0, first_threshold_, threshold_;
  std::vector<int> exponents_;
  std::vector<float> complete_, outer_complete_; // cell, label
  std::vector<std::uint64_t> allowed_, below_, holds_;
  std::vector<Kept> kept_;
  std::vector<Range> kept_of_; // cell -> its part of kept_
  std::vector<KeptBelow> kept_below_;

  // While the sums are taken. They are one block, which goes back to the system if it is large: of
  // many smaller ones the allocator would keep most.
  Parts inner_, more_; // partial constituents, and sums over what may modify them
  float *outer_right1_ = nullptr, *outer_left1_ = nullptr;
  std::vector<float> around_; // of one cell: what the next three point to
  float *outer_right0_ = nullptr, *outer_left0_ = nullptr;
  Parts outer_more_;
  std::vector<Peaks> peaks_;
  std::vector<float> chain_, next_, shares_;
  std::vector<std::int32_t> marks_;
};

class CoarseChart::Partials {
public:
  explicit Partials(const CoarseChart &chart)
      : chart_(chart), kept_(chart.grammar_.pairs().size(), nullptr) {}

  void open(std::size_t cell) {
    for (auto n = open_.begin; n < open_.end; ++n)
      kept_[chart_.kept_[n].pair] = nullptr;
    open_ = chart_.kept_of_[cell];
    for (auto n = open_.begin; n < open_.end; ++n)
      kept_[chart_.kept_[n].pair] = &chart_.kept_[n];
  }
  bool allows(std::size_t pair, Side side, bool first) const {
    const auto *one = kept_[pair];
    return one && one->shares[kind(side, first)] >= chart_.threshold_;
  }
  // What surrounds it, if any kind of the pair is kept.
  float outside(std::size_t pair, Side side, bool first) const {
    const auto *one = kept_[pair];
    return one ? one->outer[kind(side, first)] : 0.0F;
  }

private:
  const CoarseChart &chart_;
  std::vector<const Kept *> kept_;
  Range open_;
};

} // namespace runoff::parsing
