// Rules from trees to strings in the caller's memory, found by the tree that they begin with.
//
// Left-hand sides are the leaves of a trie, by their decisions (see source_tree.hpp). So all rules
// for a node are found by one walk over what of them fits, however many others there are.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/tree_translation/rule_counter.hpp"

namespace runoff::tree_translation {

inline constexpr std::size_t SCORES = 5;

class RuleTable {
public:
  struct Arrays {
    std::span<const std::uint32_t> production_starts, production_symbols; // sorted
    std::span<const std::uint32_t> keys, parents, first_children;         // of the trie's nodes
    std::span<const std::uint32_t> first_rules;                           // of the trie's nodes
    std::span<const std::uint32_t> target_starts, targets;                // of the rules
    std::span<const float> scores;                                        // SCORES a rule
  };

  // Throws std::invalid_argument unless the sizes fit together. Nothing is read: what the arrays
  // hold is checked on the way, so that a broken file throws.
  explicit RuleTable(const Arrays &arrays);

  std::size_t size() const { return arrays_.target_starts.size() - 1; }

  // Numbers the productions of a tree; those that no rule has stay NONE.
  void number_productions(SourceTree &tree) const;
  void number_production(SourceTree &tree, std::uint32_t node) const;

  // Rules [first, last) of one left-hand side that fits, and the nodes of its variables.
  struct Match {
    std::uint32_t first, last;
    std::vector<std::uint32_t> variables; // from the left
  };
  // All rules that fit the tree at a node, in place of `found`. Time is linear in the nodes of the
  // trie that fit.
  void match(const SourceTree &tree, std::uint32_t node, std::vector<Match> &found) const;

  // The target of a rule, which is checked: every variable comes once.
  std::span<const std::uint32_t> target(std::size_t rule, std::size_t variables) const;
  std::span<const float> scores(std::size_t rule) const {
    return arrays_.scores.subspan(rule * SCORES, SCORES);
  }

private:
  std::uint32_t child(std::uint32_t node, std::uint32_t key) const;

  Arrays arrays_;
};

} // namespace runoff::tree_translation
