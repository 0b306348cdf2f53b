#include "runoff/tree_translation/rule_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::tree_translation {

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

// Lists of nodes that share their ends.
class Lists {
public:
  std::uint32_t add(std::uint32_t node, std::uint32_t rest) {
    cells_.push_back({node, rest});
    return static_cast<std::uint32_t>(cells_.size() - 1);
  }
  std::uint32_t first(std::uint32_t list) const { return cells_[list].node; }
  std::uint32_t rest(std::uint32_t list) const { return cells_[list].rest; }

private:
  struct Cell {
    std::uint32_t node, rest;
  };
  std::vector<Cell> cells_;
};

} // namespace

RuleTable::RuleTable(const Arrays &arrays) : arrays_(arrays) {
  const auto nodes = arrays.keys.size();
  require(nodes > 0 && arrays.parents.size() == nodes &&
              arrays.first_children.size() == nodes + 1 && arrays.first_rules.size() == nodes + 1,
          "every node of the index needs a key, a parent, children and rules");
  require(!arrays.production_starts.empty() && !arrays.target_starts.empty(),
          "productions and targets need an end");
  require(arrays.scores.size() == size() * SCORES, "every rule needs its scores");
  require(size() < NONE && nodes < NONE, "there are too many rules");
}

void RuleTable::number_productions(SourceTree &tree) const {
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (!tree.is_word(node))
      number_production(tree, node);
}

void RuleTable::number_production(SourceTree &tree, std::uint32_t node) const {
  const auto starts = arrays_.production_starts;
  const auto own = [&](std::size_t number) {
    const auto begin = starts[number], end = starts[number + 1];
    require(begin <= end && end <= arrays_.production_symbols.size(),
            "a production lies outside the table");
    return arrays_.production_symbols.subspan(begin, end - begin);
  };
  std::vector<std::uint32_t> wanted;
  tree.production(node, wanted);
  std::size_t low = 0, high = starts.size() - 1;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (std::ranges::lexicographical_compare(own(middle), wanted))
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low + 1 < starts.size() && std::ranges::equal(own(low), wanted);
  tree.productions[node] = found ? static_cast<std::uint32_t>(low) : NONE;
}

std::uint32_t RuleTable::child(std::uint32_t node, std::uint32_t key) const {
  const auto begin = arrays_.first_children[node], end = arrays_.first_children[node + 1];
  require(begin <= end && end <= arrays_.keys.size() && begin > node,
          "the index of rules is not a tree");
  const auto own = arrays_.keys.subspan(begin, end - begin);
  const auto found = std::ranges::lower_bound(own, key);
  if (found == own.end() || *found != key)
    return NONE;
  return begin + static_cast<std::uint32_t>(found - own.begin());
}

void RuleTable::match(const SourceTree &tree, std::uint32_t root, std::vector<Match> &found) const {
  struct State {
    std::uint32_t at, pending, left, variables; // of the trie; lists
  };
  found.clear();
  Lists lists;
  std::vector<State> todo;
  std::vector<std::uint32_t> below;
  const auto expand = [&](std::uint32_t node, State state) {
    if (tree.productions[node] == NONE)
      return;
    state.at = child(state.at, tree.productions[node] + 1);
    if (state.at == NONE)
      return;
    below.clear();
    tree.children(node, [&](std::uint32_t one) {
      if (!tree.is_word(one))
        below.push_back(one);
    });
    for (std::size_t i = below.size(); i-- > 0;)
      state.pending = lists.add(below[i], state.pending);
    todo.push_back(state);
  };
  expand(root, {0, NONE, NONE, NONE});
  while (!todo.empty()) {
    State state = todo.back();
    todo.pop_back();
    if (state.pending == NONE && state.left == NONE) {
      const auto first = arrays_.first_rules[state.at], last = arrays_.first_rules[state.at + 1];
      require(first <= last && last <= size(), "rules of the index lie outside the table");
      if (first == last)
        continue;
      Match match{first, last, {}};
      for (auto list = state.variables; list != NONE; list = lists.rest(list))
        match.variables.push_back(lists.first(list));
      std::ranges::sort(match.variables);
      found.push_back(std::move(match));
      continue;
    }
    const bool first = state.pending != NONE;
    auto &from = first ? state.pending : state.left;
    const auto node = lists.first(from);
    from = lists.rest(from);
    if (first != tree.is_lexical(node)) // words come last
      expand(node, state);
    state.at = child(state.at, LEFT);
    if (state.at == NONE)
      continue;
    auto &to = first ? state.left : state.variables;
    to = lists.add(node, to);
    todo.push_back(state);
  }
  std::ranges::sort(found, {}, &Match::first);
}

std::span<const std::uint32_t> RuleTable::target(std::size_t rule, std::size_t variables) const {
  require(variables <= MOST_VARIABLES, "a rule has too many variables");
  const auto begin = arrays_.target_starts[rule], end = arrays_.target_starts[rule + 1];
  require(begin <= end && end <= arrays_.targets.size(), "a target lies outside the table");
  const auto tokens = arrays_.targets.subspan(begin, end - begin);
  std::uint64_t seen = 0;
  std::size_t count = 0;
  for (const auto token : tokens)
    if (token >= VARIABLE) {
      require(token - VARIABLE < variables, "a rule has a variable that its tree has not");
      seen |= std::uint64_t{1} << (token - VARIABLE);
      ++count;
    }
  require(count == variables && seen == (std::uint64_t{1} << variables) - 1,
          "a rule does not have every variable once");
  return tokens;
}

} // namespace runoff::tree_translation
