// All derivations of a tree by rules, as a hypergraph (Huang, Knight & Joshi 2006, section 5).
#pragma once

#include "runoff/ngrams/model.hpp"
#include "runoff/search/kbest.hpp"
#include "runoff/tree_translation/rule_table.hpp"

#include <array>

namespace runoff::tree_translation {

// The features of a step; all but the counts are natural logarithms, and higher is better. Named
// features are sums of these.
namespace feature {
inline constexpr std::size_t TABLE = 0; // the first four scores of the table
inline constexpr std::size_t WORDS = 4, RULES = 5;
inline constexpr std::size_t COPIED = 6;         // words that are copied, children kept in order
inline constexpr std::size_t LANGUAGE_MODEL = 7; // of a whole translation
inline constexpr std::size_t RULE = 8;           // probability given the label of its root
inline constexpr std::size_t PARSE = 10;         // probability of the tree, the caller's
inline constexpr std::size_t VARIABLES = 11, INVERTED = 12, LEXICAL = 13;
inline constexpr std::size_t COUNT = 16;
} // namespace feature

using Features = std::array<double, feature::COUNT>;

// Rules and a language model with weights: the score of a derivation is the sum of weights times
// features; higher is better.
struct Models {
  const RuleTable &table;
  const ngrams::Model &lm;
  std::span<const std::uint32_t> lm_words; // the numbers of target words in the language model
  Features weights;
  std::uint32_t any_label = NONE; // of rules for a word that no other rule fits
};

// Words that are copied from the source: this and their place, unless the target has them.
inline constexpr std::uint32_t COPIED = 0x40000000;

// A rule at its place: what it writes, tokens as in a table.
struct Application {
  std::uint32_t node;
  std::int32_t rule; // in the table, or -1 where no rule fits: the children in their order
  std::uint32_t first_token, tokens;
  std::uint32_t first_variable, variables; // nodes of the tree, from the left
  double weight;                           // of its features, without the language model
};

// Nodes of the tree that derivations pass, and by which rules. Time and memory are linear in the
// size of the tree, for given rules.
class Derivations {
public:
  // `copies` has the target word for each word of the tree that may be copied.
  Derivations(const Models &models, SourceTree &tree, std::span<const std::uint32_t> copies);

  // A vertex for each node of the tree that is the root of something, tails before heads; the label
  // of an edge is the number of an application. The last vertex is the whole tree.
  search::Hypergraph graph;
  std::vector<Application> applications;
  std::vector<std::uint32_t> nodes; // of the vertices

  std::span<const std::uint32_t> tokens(const Application &one) const {
    return std::span(tokens_).subspan(one.first_token, one.tokens);
  }
  std::span<const std::uint32_t> variables(const Application &one) const {
    return std::span(variables_).subspan(one.first_variable, one.variables);
  }
  Features features(const Application &one) const;

private:
  void apply_all(const SourceTree &tree, std::uint32_t node);
  void apply(const RuleTable::Match &match, std::uint32_t rule, std::uint32_t node);
  void keep_order(const SourceTree &tree, std::uint32_t node,
                  std::span<const std::uint32_t> copies);
  void add(Application one);
  void build(std::span<const std::uint32_t> ends);

  const Models &models_;
  std::vector<std::uint32_t> tokens_, variables_;
};

// The words of the derivation of a hypergraph whose edges are applications, heads before tails.
std::vector<std::uint32_t> words_of(const Derivations &derivations,
                                    std::span<const std::uint32_t> applications);

} // namespace runoff::tree_translation
