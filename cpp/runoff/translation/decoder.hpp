// Beam search for translations, block by block (Tillmann 2006, section 2).
//
// A state is what has been covered, the interval of the last block, and the state of the language
// model; states that are equal in these are one, and the cheaper way to it is kept. Two searches:
//
// multi-beam: one list of states for each number of covered words, pruned before it is expanded
// (Table 1). single-beam: a block's words are covered one at a time, its cost spread evenly over
// them, so that states that are within a block are compared with all others (Table 2). Which of two
// states that are within equal intervals is kept is decided by their costs at its end.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/translation/phrase_options.hpp"

#include <chrono>
#include <limits>

namespace runoff::translation {

struct SearchOptions {
  bool single_beam = false;
  bool completion = true; // compare states by their cost and an estimate of what is to come
  std::size_t skip = 3;   // holes at most in what is covered
  std::size_t window = 6; // no word is covered so far after the first hole
  double coverage = std::numeric_limits<double>::infinity(); // thresholds: costs above the best
  bool compare_open = true; // whether the first one is also asked of states within a block
  double cardinality = std::numeric_limits<double>::infinity(); // of equal coverage, cardinality
  std::size_t histogram = 50;                                   // states of a list at most
  std::size_t limit = 20;                                       // options of an interval at most
  double budget = std::numeric_limits<double>::infinity(); // seconds; then the search is greedy
};

inline constexpr std::size_t LARGEST_WINDOW = 40, LONGEST_BLOCK = 20;

struct Step {
  std::uint32_t begin, end; // source words, the last included
  std::int32_t block;       // in the table, or -1 where the word is copied
  std::uint32_t words;      // of the target
  Features features;        // the last step also has those of the end of the sentence
};

struct Derivation {
  double cost = 0;
  std::vector<Step> steps;
  std::vector<std::uint32_t> words; // of the target; COPIED and a place for copied ones
};

struct Translations {
  std::vector<Derivation> found; // the best first
  std::size_t states = 0;        // that were expanded
  std::size_t edges = 0;         // blocks that were tried
};

// The n best translations of a sentence; distinct ones have different words. There is always one,
// unless a target is given that cannot be reached.
Translations translate(const Models &models, const PhraseOptions &options, const SearchOptions &how,
                       std::size_t n, bool distinct, const base::Poll &poll);

} // namespace runoff::translation
