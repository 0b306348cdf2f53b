#include "runoff/tree_translation/derivations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::tree_translation {

using base::at;

Derivations::Derivations(const Models &models, SourceTree &tree,
                         std::span<const std::uint32_t> copies)
    : models_(models) {
  models.table.number_productions(tree);
  std::vector<std::uint8_t> needed(tree.size());
  std::vector<std::uint32_t> ends(tree.size()); // of the applications of each node
  if (tree.size() > 0)
    needed[0] = 1;
  for (std::uint32_t node = 0; node < tree.size(); ++node) { // those above come first
    if (needed[node] != 0 && !tree.is_word(node)) {
      const auto first = applications.size();
      apply_all(tree, node);
      if (applications.size() == first && tree.is_tag(node) && models.any_label != NONE) {
        tree.symbols[node] = models.any_label;
        models.table.number_production(tree, node);
        apply_all(tree, node);
      }
      if (applications.size() == first)
        keep_order(tree, node, copies);
      for (auto i = first; i < applications.size(); ++i)
        for (const auto variable : variables(applications[i]))
          needed[variable] = 1;
    }
    ends[node] = static_cast<std::uint32_t>(applications.size());
  }
  build(ends);
}

void Derivations::apply_all(const SourceTree &tree, std::uint32_t node) {
  std::vector<RuleTable::Match> found;
  models_.table.match(tree, node, found);
  for (const auto &match : found)
    for (auto rule = match.first; rule < match.last; ++rule)
      apply(match, rule, node);
}

void Derivations::apply(const RuleTable::Match &match, std::uint32_t rule, std::uint32_t node) {
  const auto target = models_.table.target(rule, match.variables.size());
  const auto first = static_cast<std::uint32_t>(tokens_.size());
  for (const auto token : target) {
    if (token < VARIABLE && token >= models_.lm_words.size())
      throw std::invalid_argument("a word of a rule is not in the vocabulary");
    tokens_.push_back(token);
  }
  const auto first_variable = static_cast<std::uint32_t>(variables_.size());
  variables_.insert(variables_.end(), match.variables.begin(), match.variables.end());
  add({node, static_cast<std::int32_t>(rule), first, static_cast<std::uint32_t>(target.size()),
       first_variable, static_cast<std::uint32_t>(match.variables.size()), 0});
}

void Derivations::keep_order(const SourceTree &tree, std::uint32_t node,
                             std::span<const std::uint32_t> copies) {
  Application one{node,
                  -1,
                  static_cast<std::uint32_t>(tokens_.size()),
                  0,
                  static_cast<std::uint32_t>(variables_.size()),
                  0,
                  0};
  tree.children(node, [&](std::uint32_t child) {
    if (tree.is_word(child)) {
      tokens_.push_back(copies[tree.first_words[child]]);
    } else {
      tokens_.push_back(VARIABLE + one.variables++);
      variables_.push_back(child);
    }
    ++one.tokens;
  });
  add(one);
}

void Derivations::add(Application one) {
  const auto own = features(one);
  for (std::size_t k = 0; k < feature::COUNT; ++k)
    one.weight += models_.weights[k] * own[k];
  if (!std::isfinite(one.weight))
    throw std::invalid_argument("a score of a rule is not a number");
  applications.push_back(one);
}

Features Derivations::features(const Application &one) const {
  Features own{};
  own[feature::WORDS] = one.tokens - one.variables;
  own[feature::RULES] = 1;
  if (one.rule < 0) {
    own[feature::COPIED] = one.tokens - one.variables + (one.variables > 0 ? 1 : 0);
    return own;
  }
  const auto scores = models_.table.scores(at(one.rule));
  for (std::size_t k = 0; k + 1 < SCORES; ++k)
    own[feature::TABLE + k] = static_cast<double>(scores[k]);
  own[feature::RULE] = static_cast<double>(scores[SCORES - 1]);
  own[feature::VARIABLES] = one.variables;
  own[feature::LEXICAL] = one.variables == 0 ? 1 : 0;
  std::uint32_t last = 0;
  for (const auto token : tokens(one))
    if (token >= VARIABLE) {
      if (token < last)
        own[feature::INVERTED] = 1;
      last = token;
    }
  return own;
}

void Derivations::build(std::span<const std::uint32_t> ends) {
  std::vector<std::int32_t> vertices(ends.size(), -1), tails;
  for (std::uint32_t node = static_cast<std::uint32_t>(ends.size()); node-- > 0;) {
    const auto first = node == 0 ? 0 : ends[node - 1];
    if (first == ends[node])
      continue;
    for (auto i = first; i < ends[node]; ++i) {
      tails.clear();
      for (const auto variable : variables(applications[i]))
        tails.push_back(vertices[variable]);
      graph.add_edge(applications[i].weight, tails, static_cast<std::int32_t>(i));
    }
    vertices[node] = graph.close_node();
    nodes.push_back(node);
  }
}

std::vector<std::uint32_t> words_of(const Derivations &derivations,
                                    std::span<const std::uint32_t> applications) {
  // Where the part of each application ends: those of its variables follow it, from the left.
  const std::size_t n = applications.size();
  std::vector<std::size_t> ends(n);
  for (std::size_t i = n; i-- > 0;) {
    ends[i] = i + 1;
    for (std::uint32_t v = 0; v < derivations.applications[applications[i]].variables; ++v)
      ends[i] = ends[ends[i]];
  }
  struct Open {
    std::size_t part;
    std::uint32_t token;
  };
  std::vector<std::uint32_t> words;
  std::vector<Open> open;
  if (n > 0)
    open.push_back({0, 0});
  while (!open.empty()) {
    auto &[part, token] = open.back();
    const auto tokens = derivations.tokens(derivations.applications[applications[part]]);
    if (token == tokens.size()) {
      open.pop_back();
      continue;
    }
    const auto next = tokens[token++];
    if (next < VARIABLE) {
      words.push_back(next);
      continue;
    }
    std::size_t below = part + 1;
    for (auto v = next - VARIABLE; v-- > 0;)
      below = ends[below];
    open.push_back({below, 0});
  }
  return words;
}

} // namespace runoff::tree_translation
