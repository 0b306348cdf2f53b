#include "bind.hpp"
#include "kept_ngrams.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/tree_translation/rule_extraction.hpp"
#include "runoff/tree_translation/translator.hpp"
#include "word_links.hpp"

#include <algorithm>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <stdexcept>

namespace {

using namespace runoff::tree_translation;

using Ids = Vec<const std::uint32_t>;
using Offsets = Vec<const std::int64_t>;
using Depths = Vec<const std::uint16_t>;
using Flags = Vec<const std::uint8_t>;
using Scores = Vec<const float>;

runoff::trees::Trees trees_of(const Offsets &offsets, const Ids &symbols, const Depths &depths) {
  const runoff::trees::Trees trees{view(offsets), view(symbols), view(depths)};
  trees.check(NONE - 1);
  return trees;
}

auto extract(RuleCounter &counter, Offsets offsets, Ids symbols, Depths depths, Ids target,
             Offsets target_offsets, Offsets link_offsets, Ids links_s, Ids links_t,
             std::size_t compose, std::size_t most, bool deletions, std::uint32_t any_label,
             int threads) {
  std::vector<std::uint32_t> found;
  {
    nb::gil_scoped_release release;
    const auto links = links_of(links_s, links_t);
    const ParsedBitext bitext{trees_of(offsets, symbols, depths), view(target),
                              view(target_offsets), view(link_offsets), links};
    found = extract_rules(bitext, {compose, most, deletions, any_label}, counter,
                          {threads, check_signals});
  }
  return owned(std::move(found));
}

// The variables of the tree are nodes with a flag, each with a word below it.
void add_rule(RuleCounter &counter, Ids symbols, Depths depths, Flags variables, Ids target,
              std::uint32_t count) {
  const std::array<std::int64_t, 2> ends{0, static_cast<std::int64_t>(symbols.shape(0))};
  const runoff::trees::Trees trees{ends, view(symbols), view(depths)};
  trees.check(NONE - 1);
  if (variables.shape(0) != symbols.shape(0))
    throw std::invalid_argument("every node needs a flag");
  SourceTree tree(trees[0]);
  counter.number_productions(tree);
  std::vector<std::uint32_t> decisions;
  write_decisions(tree, 0, view(variables), decisions);
  counter.add(decisions, view(target), tree.symbols[0], count, {-1e30F, -1e30F});
}

auto sorted_rules(const RuleCounter &counter) {
  CountedRules made;
  {
    nb::gil_scoped_release release;
    made = counter.sorted();
  }
  return std::tuple(owned(std::move(made.production_starts)),
                    owned(std::move(made.production_symbols)), owned(std::move(made.keys)),
                    owned(std::move(made.parents)), owned(std::move(made.first_children)),
                    owned(std::move(made.first_rules)), owned(std::move(made.target_starts)),
                    owned(std::move(made.targets)), owned(std::move(made.sides)),
                    owned(std::move(made.counts)), owned(std::move(made.lexical)));
}

// A table over arrays of Python, which are kept alive.
class KeptRules {
public:
  KeptRules(std::array<Ids, 8> arrays, Scores scores)
      : arrays_(std::move(arrays)), scores_(std::move(scores)),
        table({view(arrays_[0]), view(arrays_[1]), view(arrays_[2]), view(arrays_[3]),
               view(arrays_[4]), view(arrays_[5]), view(arrays_[6]), view(arrays_[7]),
               view(scores_)}) {}

private:
  std::array<Ids, 8> arrays_;
  Scores scores_;

public:
  RuleTable table;
};

// Translations of trees end to end.
struct Flat {
  std::vector<std::int64_t> lists{0}, steps{0}, words{0};
  std::vector<double> scores, features, effort;
  std::vector<std::int32_t> rules;
  std::vector<std::uint32_t> text;

  void add(const Translations &own) {
    for (const auto &one : own.found) {
      scores.push_back(one.score);
      for (const auto &step : one.steps) {
        rules.push_back(static_cast<std::int32_t>(step.node));
        rules.push_back(step.rule);
        rules.push_back(static_cast<std::int32_t>(step.variables));
        features.insert(features.end(), step.features.begin(), step.features.end());
      }
      text.insert(text.end(), one.words.begin(), one.words.end());
      steps.push_back(static_cast<std::int64_t>(rules.size() / 3));
      words.push_back(static_cast<std::int64_t>(text.size()));
    }
    lists.push_back(static_cast<std::int64_t>(scores.size()));
    effort.push_back(static_cast<double>(own.vertices));
    effort.push_back(static_cast<double>(own.edges));
  }
};

Mode mode_of(const std::string &name) {
  if (name == "direct")
    return Mode::direct;
  if (name == "rescore")
    return Mode::rescore;
  if (name == "cube")
    return Mode::cube;
  throw std::invalid_argument("unknown search");
}

auto translate_trees(const KeptRules &rules, const KeptModel &lm, Ids lm_words,
                     std::array<double, feature::COUNT> weights, std::uint32_t any_label,
                     Offsets offsets, Ids symbols, Depths depths, Ids copies, Offsets copy_offsets,
                     const std::string &mode, std::size_t k, std::size_t pops, double budget,
                     std::size_t n, bool distinct, int threads) {
  Flat flat;
  const SearchOptions how{mode_of(mode), k, pops, budget};
  {
    nb::gil_scoped_release release;
    const Models models{rules.table, lm.model, view(lm_words), weights, any_label};
    const auto trees = trees_of(offsets, symbols, depths);
    runoff::base::check_offsets(view(copy_offsets), copies.shape(0), "copies");
    if (copy_offsets.shape(0) != offsets.shape(0))
      throw std::invalid_argument("there must be words to copy for every tree");
    for (const auto word : view(copies))
      if (word < COPIED ? word >= lm_words.shape(0) : word >= VARIABLE)
        throw std::invalid_argument("a word to copy is not in the vocabulary");
    const auto bounds = view(copy_offsets);
    std::vector<Translations> made(trees.size());
    runoff::base::in_long_blocks(
        made.size(), 1, {threads, check_signals},
        [&](std::size_t first, std::size_t last, const runoff::base::Poll &poll) {
          for (std::size_t s = first; s < last; ++s) {
            SourceTree tree(trees[s]);
            const auto own =
                view(copies).subspan(static_cast<std::size_t>(bounds[s]),
                                     static_cast<std::size_t>(bounds[s + 1] - bounds[s]));
            if (own.size() != tree.words())
              throw std::invalid_argument("there must be one word to copy for every word");
            made[s] = translate(models, tree, own, how, n, distinct, poll);
          }
        });
    for (const auto &own : made)
      flat.add(own);
  }
  return std::tuple(owned(std::move(flat.lists)), owned(std::move(flat.scores)),
                    owned(std::move(flat.steps)), owned(std::move(flat.rules)),
                    owned(std::move(flat.features)), owned(std::move(flat.words)),
                    owned(std::move(flat.text)), owned(std::move(flat.effort)));
}

// Root, size, variables and target of every rule of a sentence pair.
auto placed_rules(Ids symbols, Depths depths, std::size_t target_size, Ids links_s, Ids links_t,
                  std::size_t compose, std::size_t most, bool deletions) {
  const std::array<std::int64_t, 2> ends{0, static_cast<std::int64_t>(symbols.shape(0))};
  const runoff::trees::Trees trees{ends, view(symbols), view(depths)};
  trees.check(NONE - 1);
  auto links = links_of(links_s, links_t);
  std::ranges::sort(links);
  nb::list found;
  for (const auto &rule :
       rules_of(SourceTree(trees[0]), target_size, links, {compose, most, deletions})) {
    nb::list variables, target;
    for (const auto one : rule.variables)
      variables.append(one);
    for (const auto one : rule.target)
      target.append(one);
    found.append(nb::make_tuple(rule.root, rule.size, variables, target));
  }
  return found;
}

void bind(nb::module_ &m) {
  nb::class_<RuleCounter>(m, "RuleCounter", "Rules from trees to strings, counted.")
      .def(nb::init<>())
      .def("extract", &extract, "offsets"_a.noconvert(), "symbols"_a.noconvert(),
           "depths"_a.noconvert(), "target"_a.noconvert(), "target_offsets"_a.noconvert(),
           "link_offsets"_a.noconvert(), "link_sources"_a.noconvert(), "link_targets"_a.noconvert(),
           "compose"_a, "most"_a, "deletions"_a, "any_label"_a, "threads"_a = 1,
           "Adds the rules of parsed and aligned text; how many each pair had.")
      .def("add", &add_rule, "symbols"_a.noconvert(), "depths"_a.noconvert(),
           "variables"_a.noconvert(), "target"_a.noconvert(), "count"_a,
           "Adds a rule; a flag marks variables, which have a word below them.")
      .def("sorted", &sorted_rules,
           "Productions, index, targets, (left-hand side, target, root) of rules, counts, lexical "
           "weights; see `rule_counter.hpp`.");
  nb::class_<KeptRules>(m, "RuleTable", "A table of rules, which is checked on the way.")
      .def(nb::init<std::array<Ids, 8>, Scores>(), "arrays"_a, "scores"_a.noconvert());
  m.def("placed_rules", &placed_rules, "symbols"_a.noconvert(), "depths"_a.noconvert(),
        "target_size"_a, "link_sources"_a.noconvert(), "link_targets"_a.noconvert(), "compose"_a,
        "most"_a, "deletions"_a,
        nb::sig("def placed_rules(symbols: NDArray[numpy.uint32], depths: NDArray[numpy.uint16], "
                "target_size: int, link_sources: NDArray[numpy.uint32], link_targets: "
                "NDArray[numpy.uint32], compose: int, most: int, deletions: bool) -> "
                "list[tuple[int, int, list[int], list[int]]]"),
        "Root, number of minimal rules, variables and target of all rules of a sentence pair.");
  m.def("translate_trees", &translate_trees, "rules"_a, "lm"_a, "lm_words"_a.noconvert(),
        "weights"_a, "any_label"_a, "offsets"_a.noconvert(), "symbols"_a.noconvert(),
        "depths"_a.noconvert(), "copies"_a.noconvert(), "copy_offsets"_a.noconvert(), nb::kw_only(),
        "mode"_a, "k"_a, "pops"_a, "budget"_a, "n"_a, "distinct"_a, "threads"_a = 1,
        "Translations end to end: list offsets, scores, step offsets, (node, rule, variables) of "
        "every step, features of every step, word offsets, words, vertices and edges.");
}

const Room room("tree_translation", bind);

} // namespace
