// The blocks that match a sentence, with all that a search needs to know of them.
#pragma once

#include "runoff/ngrams/model.hpp"
#include "runoff/translation/block_table.hpp"

#include <array>
#include <optional>

namespace runoff::translation {

// The features of a block that follows another one; all but the counts are natural logarithms, and
// higher is better. Named features are sums of these.
namespace feature {
inline constexpr std::size_t SCORES = 0; // of the table, four
inline constexpr std::size_t WORDS = 4, BLOCKS = 5, UNKNOWN = 6;
inline constexpr std::size_t STATIC = 7; // those above depend on the block alone
inline constexpr std::size_t BORDER = 7; // language model: words whose history leaves the block
inline constexpr std::size_t INSIDE = 8; // language model: the other words of the block
inline constexpr std::size_t DISTANCE = 9;
inline constexpr std::size_t BEFORE = 10; // three orientations to the block before
inline constexpr std::size_t AFTER = 13;  // of the block before, to this one
inline constexpr std::size_t COUNT = 16;
} // namespace feature

using Features = std::array<double, feature::COUNT>;

// A block at its place in a sentence. Costs are weighted, and lower is better.
struct Option {
  std::uint32_t begin, end; // source words, the last included
  std::int32_t block;       // in the table, or -1 where the word is copied
  std::int32_t place;       // in a given target, or -1 where there is none
  std::uint32_t first_word, words;
  std::array<float, feature::STATIC> features{};
  double inside = 0;   // logarithm, of the language model
  double cost = 0;     // of what depends on the block alone: static features and `inside`
  double border = 0;   // of the other words for the language model, if nothing preceded them
  std::uint32_t after; // options of equal numbers have equal costs of what follows
  std::array<double, ORIENTATIONS> before_cost{};
  ngrams::State end_state{}; // where it depends on the block alone
  bool ends_alone = false;
};

// A translation model with its weights: cost is minus the sum of weights times features.
struct Models {
  const BlockTable &table;
  const ngrams::Model &lm;
  std::span<const std::uint32_t> lm_words; // the numbers of target words in the language model
  Features weights;
};

// Numbers of words that are copied from the source: this and their place.
inline constexpr std::uint32_t COPIED = 0x80000000;

class PhraseOptions {
public:
  using AfterCosts = std::array<double, ORIENTATIONS>;

  // The options of a sentence, at most `limit` of each interval, the best by their own costs. A
  // word that no block has alone is copied, so that every sentence can be translated.
  PhraseOptions(const Models &models, std::span<const std::uint32_t> sentence, std::size_t limit);

  // The options that give a target, each at its place in it.
  PhraseOptions(const Models &models, std::span<const std::uint32_t> sentence, std::size_t limit,
                std::span<const std::uint32_t> target);

  std::size_t size() const { return size_; }       // of the sentence
  std::size_t longest() const { return longest_; } // interval, in words
  std::optional<std::size_t> target_size() const { return target_size_; }
  std::span<const Option> all() const { return options_; }
  // Those of an interval, by rising cost and border.
  std::span<const Option> at(std::size_t begin, std::size_t end) const {
    const auto &[first, last] = spans_[begin * size_ + end];
    return std::span(options_).subspan(first, last - first);
  }
  std::span<const std::uint32_t> words(const Option &option) const {
    return std::span(words_).subspan(option.first_word, option.words);
  }
  std::span<const std::uint32_t> lm_words(const Option &option) const {
    return std::span(lm_words_).subspan(option.first_word, option.words);
  }
  const AfterCosts &after(std::uint32_t number) const { return after_[number]; }
  // Logarithms of the orientations after an option.
  const std::array<float, ORIENTATIONS> &after_scores(std::uint32_t number) const {
    return after_scores_[number];
  }
  // What the words of an interval cost at least, by an estimate that knows no neighbours.
  double estimate(std::size_t begin, std::size_t end) const {
    return estimates_[begin * size_ + end];
  }

private:
  void collect(const Models &models, std::span<const std::uint32_t> sentence, std::size_t limit,
               std::optional<std::span<const std::uint32_t>> target);
  void add(const Models &models, std::size_t begin, std::size_t end, std::int64_t block,
           std::int32_t place);
  void score(const Models &models, Option &option);
  void number_after(const Models &models, Option &option);
  void close(const Models &models, std::size_t begin, std::size_t end, std::size_t first,
             std::size_t limit);
  void estimate_all();

  std::size_t size_, longest_ = 1;
  std::optional<std::size_t> target_size_;
  std::vector<Option> options_;
  std::vector<std::pair<std::size_t, std::size_t>> spans_;
  std::vector<std::uint32_t> words_, lm_words_, copied_;
  std::vector<AfterCosts> after_;
  std::vector<std::array<float, ORIENTATIONS>> after_scores_;
  std::vector<double> estimates_;
};

} // namespace runoff::translation
