// Rules from trees to strings, counted, and sorted into the arrays of a table.
#pragma once

#include "runoff/base/hash_index.hpp"
#include "runoff/tree_translation/source_tree.hpp"

#include <array>

namespace runoff::tree_translation {

// Tokens of target strings from here on are variables, numbered from the left of the source tree.
inline constexpr std::uint32_t VARIABLE = 0x80000000;
inline constexpr std::size_t MOST_VARIABLES = 63;

// Sequences of numbers, each kept once, numbered in the order in which they are first seen.
class Sequences {
public:
  using View = std::span<const std::uint32_t>;
  std::uint32_t add(View sequence);
  View operator[](std::size_t number) const {
    return View(text_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
  }
  std::size_t size() const { return starts_.size() - 1; }
  // Their numbers, sorted by what they hold.
  std::vector<std::uint32_t> sorted() const;

private:
  std::vector<std::uint32_t> text_;
  std::vector<std::size_t> starts_{0};
  base::HashIndex<base::NumberSlot> index_{1024};
};

// The arrays of a table; see RuleTable. Rules of a left-hand side come by falling count, then by
// their target.
struct CountedRules {
  std::vector<std::uint32_t> production_starts, production_symbols;
  std::vector<std::uint32_t> keys, parents, first_children; // of the trie's nodes
  std::vector<std::uint32_t> first_rules;
  std::vector<std::uint32_t> target_starts, targets;
  std::vector<std::uint32_t> sides; // of each rule: left-hand side, target string, root label
  std::vector<std::uint32_t> counts;
  std::vector<float> lexical; // of each rule, target given source and source given target
};

class RuleCounter {
public:
  // The numbers of the productions of a tree, new ones if need be; with `any_label`, also those of
  // tags with that in their place.
  void number_productions(SourceTree &tree, std::uint32_t any_label = NONE);

  // A rule that was seen; `root` is its label. The highest lexical weights are kept.
  void add(std::span<const std::uint32_t> decisions, std::span<const std::uint32_t> target,
           std::uint32_t root, std::uint32_t count, std::array<float, 2> lexical);

  CountedRules sorted() const;

private:
  struct Rule {
    std::uint32_t side, target, root, count;
    std::array<float, 2> lexical;
  };
  void write_productions(CountedRules &made, std::vector<std::uint32_t> &ranks) const;
  std::vector<std::uint32_t> write_trie(CountedRules &made,
                                        std::span<const std::uint32_t> ranks) const;

  Sequences productions_, sides_, targets_;
  std::vector<Rule> rules_;
  base::HashIndex<base::NumberSlot> index_{1024};
  std::vector<std::uint32_t> scratch_;
};

} // namespace runoff::tree_translation
