// The hidden Markov model of names of Nymble (Bikel, Miller, Schwartz & Weischedel 1997): the
// sentence is a chain of stretches, each of a class: a type of names, or class 0, which is none.
// A class is chosen by the class and the words before; its words follow from each other, until an
// end is chosen. Stretches of class 0 never touch, so a tagging has one way to come about.
#pragma once

#include "runoff/search/kbest.hpp"
#include "runoff/sequence/backoff.hpp"
#include "runoff/sequence/tagger.hpp"

namespace runoff::sequence {

// Symbols of histories and events: tokens come first, then these.
struct HmmSymbols {
  std::uint32_t n_tokens, n_classes;

  std::uint32_t end() const { return n_tokens; }
  std::uint32_t begin() const { return n_tokens + 1; }
  // n_classes stands for what lies outside of sentences.
  std::uint32_t name_class(std::size_t number) const {
    return n_tokens + 2 + static_cast<std::uint32_t>(number);
  }
  std::size_t count() const { return std::size_t{n_tokens} + n_classes + 3; }
};

// Tags: 0 is outside, class c begins a name by 2c - 1, and goes on with it by 2c.
class Hmm {
public:
  // `kinds` has a number for each token, below n_kinds. Roots of the counts: one per class, behind
  // which tokens and ends come, then one for classes. Histories, last symbol first: of a token
  // that follows, the tokens of its stretch, at most `order`, and begin() before the first of them;
  // of a first one, begin() and the class before; of a class, that before and at most `order`
  // tokens. Throws std::invalid_argument unless all fits together.
  Hmm(std::size_t n_classes, std::size_t order, std::span<const std::uint32_t> kinds,
      std::size_t n_kinds, const BackoffCounts &counts);

  // The n most probable taggings of sentences of tokens: exact, distinct, best first. Their
  // log-probabilities are those given the tokens: all taggings of a sentence sum to 1.
  TagLists n_best(std::span<const std::uint32_t> tokens, std::span<const std::int64_t> offsets,
                  std::size_t n, const base::Threads &threads) const;

private:
  friend class HmmLattice;

  void fill_bases(std::size_t n_kinds, const BackoffCounts &counts);
  void fill_changes();
  double token(std::size_t name_class, std::uint32_t node, std::uint32_t symbol) const;

  HmmSymbols symbols_;
  std::size_t order_;
  Backoff backoff_;
  std::vector<std::uint32_t> kinds_; // of tokens, then that of the end
  std::vector<double> bases_;        // [class][kind]: what the shortest history falls back to
  std::vector<double> ends_;         // [node]: log P of an end; 0 for nodes behind which none comes
  std::vector<std::uint32_t> rows_;  // [node]: its row of changes_, or Backoff::none
  std::vector<std::uint32_t> entries_; // [class][class before]: node of what begins a stretch
  std::vector<double> changes_;        // [row][class]: log P of a class, or of the sentence's end
};

} // namespace runoff::sequence
