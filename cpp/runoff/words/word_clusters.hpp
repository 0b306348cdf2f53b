// Classes of words that follow each other in like ways: those under which a text is most probable
// (Brown et al. 1992), found by exchange (Kneser & Ney 1993; Martin, Liermann & Ney 1998), and
// their tree.
//
// With the class g(w) of a word, P(v | w) = P(g(v) | g(w)) P(v | g(v)). With n log2 n as phi, the
// text's log-likelihood in bits is
//
//   sum over classes g, h of phi(N(g, h)) - 2 sum over g of phi(N(g)) + sum over words of phi(n(w))
//
// where N(g, h) counts neighbours. The text is a circle: its first word follows the last one. Phi
// is rounded to whole steps of 2^-20 bits, so that sums are exact, whatever their order.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff::words {

// n log2 n in steps of 2^-20.
class NLogN {
public:
  static constexpr double steps = 1 << 20;

  NLogN();
  std::int64_t operator()(std::uint64_t n) const {
    return n < known_.size() ? known_[n] : computed(n);
  }

private:
  static std::int64_t computed(std::uint64_t n);

  std::vector<std::int64_t> known_;
};

// Counts of neighbouring classes; every count is kept by row and by column.
class ClassBigrams {
public:
  explicit ClassBigrams(std::size_t n_classes);

  std::size_t size() const { return size_; }
  std::uint32_t count(std::size_t before, std::size_t behind) const {
    return behind_[before * size_ + behind];
  }
  std::span<const std::uint32_t> behind(std::size_t before) const { return row(behind_, before); }
  std::span<const std::uint32_t> before(std::size_t behind) const { return row(before_, behind); }
  std::uint32_t total(std::size_t of) const { return totals_[of]; }

  // What is added may be a negative number, as unsigned numbers are.
  void add(std::size_t before, std::size_t behind, std::uint32_t count);
  void add_total(std::size_t of, std::uint32_t count) { totals_[of] += count; }
  // All counts of one class become another's.
  void merge(std::size_t into, std::size_t from);

private:
  std::span<const std::uint32_t> row(const std::vector<std::uint32_t> &counts,
                                     std::size_t i) const {
    return std::span(counts).subspan(i * size_, size_);
  }

  std::size_t size_;
  std::vector<std::uint32_t> behind_, before_, totals_;
};

// The words of a text in classes. The first words are fixed: each stays in a class of its own, with
// its own number, as what stands between sentences does. The others move among the classes behind.
class WordClasses {
public:
  // The text's words are numbers of `classes`, which are those that they begin with. Throws
  // std::invalid_argument unless all that fits together. Memory is that of the text, of its
  // different bigrams twice, and of all pairs of classes.
  WordClasses(std::span<const std::uint32_t> text, std::span<const std::uint32_t> classes,
              std::size_t n_fixed, std::size_t n_classes, const base::Poll &poll);

  // Moves every word, in the order of numbers, to the class where the text is most probable, and
  // says how many moved. Of equally good classes the own one is best, then the first. Time is that
  // of the different classes around each word, times that of classes.
  std::size_t sweep(const base::Poll &poll);

  // In bits.
  double log_likelihood() const;

  std::size_t n_fixed() const { return n_fixed_; }
  const std::vector<std::uint32_t> &classes() const { return classes_; } // of the words
  const ClassBigrams &bigrams() const { return bigrams_; }

private:
  // Words next to a word on one side, and how often.
  struct Side {
    std::vector<std::size_t> offsets; // words + 1
    std::vector<std::uint32_t> words, counts;
  };
  // How often each class is next to a word on one side, the word itself left out.
  struct Around {
    std::vector<std::uint32_t> counts, seen;
  };

  static Side neighbours(std::span<const std::uint32_t> text, std::size_t n_words, std::size_t step,
                         const base::Poll &poll);
  void look_around(std::uint32_t word, const Side &side, Around &around) const;
  void take_out(std::uint32_t word);
  void put_into(std::uint32_t word, std::uint32_t cls);
  std::uint32_t best_class(std::uint32_t word, std::uint32_t own);
  void add_gains(std::span<const std::uint32_t> cells, std::uint32_t count);

  std::size_t n_fixed_;
  NLogN phi_;
  ClassBigrams bigrams_;
  std::vector<std::uint32_t> classes_, totals_, repeats_; // repeats: the word next to itself
  Side before_, behind_;
  Around around_before_, around_behind_;
  std::vector<std::int64_t> gains_;
};

// Classes that became one: the second is part of the first from then on.
using Merges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Merges the classes with words that are not fixed until one is left: always the two that cost the
// least likelihood, of equals the first. Time is cubic in the number of classes.
Merges merge_classes(const WordClasses &words, const base::Poll &poll);

} // namespace runoff::words
