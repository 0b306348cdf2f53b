// Rules out of parsed and aligned text (Galley, Hopkins, Knight & Marcu 2004, "What's in a
// translation rule?"; composed rules: Galley et al. 2006).
//
// The span of a node is the interval of target words that its words are linked to; it is a frontier
// node if no other word of the sentence is linked into it. A minimal rule has a frontier node as
// its root and the next frontier nodes below as its variables. A composed rule is several of these.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/translation/aligner.hpp"
#include "runoff/translation/lexical_weights.hpp"
#include "runoff/translation/symmetrisation.hpp"
#include "runoff/tree_translation/rule_counter.hpp"

namespace runoff::tree_translation {

struct ExtractionOptions {
  std::size_t compose = 3; // minimal rules in a rule, at most
  std::size_t most = 100;  // rules with the same root node of a tree, at most; the smallest
  bool deletions = false;  // words without links, and what has only such, are variables too
  // Rules for one word also come with this in place of their label: for words that are found with
  // labels they were never seen with.
  std::uint32_t any_label = NONE;
};

// A rule at its place in a sentence pair: its root, its variables from the left, and its target.
struct PlacedRule {
  std::uint32_t root;
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> target; // places of words; VARIABLE and the number of a variable
  std::size_t size;                  // minimal rules
};

// All rules of a sentence pair, minimal ones first, each with a root above those below it. Links
// are sorted. A target word without a link is part of the lowest rule whose span has it, and of
// that of the root outside all spans. Time is linear in the size of tree and target for minimal
// rules.
std::vector<PlacedRule> rules_of(const SourceTree &tree, std::size_t target_size,
                                 std::span<const translation::Link> links,
                                 const ExtractionOptions &how);

struct ParsedBitext {
  trees::Trees trees;
  std::span<const std::uint32_t> target;
  std::span<const std::int64_t> target_offsets; // sentences + 1
  std::span<const std::int64_t> link_offsets;   // sentences + 1
  std::span<const translation::Link> links;
};

// Adds the rules of parsed text to those of a counter; gives for each pair how many there were. The
// result does not depend on the number of threads. Lexical weights are the highest of all
// occurrences; a word's probability is the share of its links in this text.
std::vector<std::uint32_t> extract_rules(const ParsedBitext &bitext, const ExtractionOptions &how,
                                         RuleCounter &counter, const base::Threads &threads);

} // namespace runoff::tree_translation
