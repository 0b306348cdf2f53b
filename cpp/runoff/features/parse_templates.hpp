// What the two sets of templates share. Private to the features of parse trees.
#pragma once

#include "runoff/features/parse_features.hpp"

#include <array>

namespace runoff::features {

// Numbers as tokens, each made once: =3, <=9, >=1.
class NumberTokens {
public:
  NumberTokens(base::Symbols &symbols, const char *prefix) : symbols_(symbols), prefix_(prefix) {}
  base::Symbol operator()(std::int32_t number) {
    const auto place = static_cast<std::size_t>(number);
    for (auto next = tokens_.size(); next <= place; ++next)
      tokens_.push_back(symbols_(prefix_ + std::to_string(next)));
    return tokens_[place];
  }

private:
  base::Symbols &symbols_;
  std::string prefix_;
  std::vector<base::Symbol> tokens_;
};

// The templates of head words and their modifiers, by what they show of each.
using PairNames = std::array<base::Symbol, 9>;
inline PairNames pair_names(base::Symbols &symbols, const std::string &kind) {
  PairNames names{};
  std::size_t place = 0;
  for (const char *end : {"-tags:", "-tag-word:", "-word-tag:", "-words:", "-tags-labels:",
                          "-words-labels:", "-tags-three:", "-word-tag-word:", "-words-three:"})
    names[place++] = symbols(kind + end);
  return names;
}

// Tokens that are not labels or words.
struct FixedTokens {
  explicit FixedTokens(base::Symbols &all) : symbols(all) {}

  base::Symbols &symbols;
  base::Symbol arrow = symbols("->"), bar = symbols("|"), stop = symbols("STOP"),
               left = symbols("L"), right = symbols("R"), pp = symbols("PP"),
               adjacent = symbols("adj=1"), apart = symbols("adj=0"), on = symbols("on"),
               off = symbols("off"), yes = symbols("yes"), no = symbols("no"),
               last = symbols("last"), inner = symbols("inner");
  NumberTokens equal{symbols, "="}, at_most{symbols, "<="}, at_least{symbols, ">="},
      number{symbols, ""};

  // Collins & Koo
  base::Symbol rule = symbols("rule:"), bigram = symbols("bigram:"),
               grandparent_rule = symbols("grandparent-rule:"),
               grandparent_bigram = symbols("grandparent-bigram:"),
               lexical_bigram = symbols("lexical-bigram:"),
               two_level_rule = symbols("two-level-rule:"),
               two_level_bigram = symbols("two-level-bigram:"), trigram = symbols("trigram:"),
               head_modifier = symbols("head-modifier:"), pp_words = symbols("PP:"),
               distance = symbols("distance:");

  // the second set
  base::Symbol length = symbols("length:"), to_end = symbols("to-end:"), heavy = symbols("heavy:"),
               neighbours = symbols("neighbours:"),
               neighbours_length = symbols("neighbours-length:"),
               neighbour_words = symbols("neighbour-words:"), edge_tags = symbols("edge-tags:"),
               edge_words = symbols("edge-words:"), left_edge = symbols("left-edge:"),
               right_edge = symbols("right-edge:"), up = symbols("up:"),
               head_kinds = symbols("head-kinds:"), head_kind_words = symbols("head-kind-words:"),
               rule_tag = symbols("rule-tag:"), rule_word = symbols("rule-word:"),
               rule_content_tag = symbols("rule-content-tag:"),
               rule_content_word = symbols("rule-content-word:"), children = symbols("children:"),
               children_above = symbols("children-above:"),
               children_tags = symbols("children-tags:"), trigram_above = symbols("trigram-above:"),
               word = symbols("word:"), tags = symbols("tags:"),
               projection = symbols("projection:"), projection_tag = symbols("projection-tag:"),
               attached = symbols("attached:"), head_tree = symbols("head-tree:"),
               head_tree_word = symbols("head-tree-word:"), between = symbols("between:"),
               between_words = symbols("between-words:"), parallel = symbols("parallel:"),
               parallel_length = symbols("parallel-length:"),
               parallel_labels = symbols("parallel-labels:"),
               right_branch = symbols("right-branch:"), top_word = symbols("top-word:"),
               top_words = symbols("top-words:");
  PairNames head_pairs = pair_names(symbols, "head"),
            content_pairs = pair_names(symbols, "content");
};

// What the features of a node depend on, as keys for ListFeatures::once.
struct Signatures {
  // Labels, head words and places of heads, two levels down in a PP.
  std::vector<base::Fold> local;
  // The rule, with closed-class head words and the place of the head.
  std::vector<base::Fold> rule;

  void find(const trees::ParseTree &tree, base::Symbol pp);
};

// What templates are given.
struct TemplateInput {
  const trees::ParseTree &tree;
  const trees::HeadRules &rules;
  const Signatures &signatures;
  FixedTokens &fixed;
  std::int32_t word = all_words; // only what is known with this word: of nodes that close with it

  static constexpr std::int32_t all_words = -1;
  bool closes(const trees::ParseNode &node) const {
    return word == all_words || node.stop == word + 1;
  }
  bool reads(std::int32_t place) const { return word == all_words || word == place; }
};

void collins_koo_templates(const TemplateInput &input, bool small, ListFeatures &out);
void rich_templates(const TemplateInput &input, ListFeatures &out);

} // namespace runoff::features
