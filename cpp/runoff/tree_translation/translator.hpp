// Translations of a tree: by the best derivation (Huang, Knight & Joshi 2006, Algorithm 1), by the
// k best different strings rescored with a language model (5.2), or with the language model in the
// search (cube pruning: Huang & Chiang 2007, "Forest rescoring").
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/tree_translation/derivations.hpp"

#include <limits>

namespace runoff::tree_translation {

enum class Mode { direct, rescore, cube };

struct SearchOptions {
  Mode mode = Mode::cube;
  std::size_t k = 1000;   // strings that are rescored, at most
  std::size_t pops = 100; // items of a vertex that are taken from the queue, at most
  double budget = std::numeric_limits<double>::infinity(); // seconds; then the search is greedy
};

struct Step {
  std::uint32_t node;
  std::int32_t rule;       // in the table, or -1
  std::uint32_t variables; // whose steps follow, from the left
  Features features;       // the first step also has the language model's
};

struct Translation {
  double score = 0;
  std::vector<Step> steps;          // heads before tails, left before right
  std::vector<std::uint32_t> words; // of the target; COPIED and a place for copied ones
};

struct Translations {
  std::vector<Translation> found; // the best first
  std::size_t vertices = 0, edges = 0;
};

// The n best translations of a tree; distinct ones have different words. There is always one.
// Without a limit, cube pruning is exact. `direct` leaves the language model out.
Translations translate(const Models &models, SourceTree &tree,
                       std::span<const std::uint32_t> copies, const SearchOptions &how,
                       std::size_t n, bool distinct, const base::Poll &poll);

} // namespace runoff::tree_translation
