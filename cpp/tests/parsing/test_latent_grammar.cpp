#include "runoff/parsing/latent_grammar.hpp"
#include "tests/check.hpp"

#include <cmath>

namespace {

using namespace runoff;
using namespace runoff::parsing;

// Labels TOP, S, N, V, and one for all others; the intermediate ones stand behind them.
const std::vector<std::string> NAMES{"TOP", "S", "N", "V"};
enum : Label { TOP, S, N, V, OTHER, LABELS };

LatentTree tree(std::string_view brackets, std::vector<Word> words) {
  LatentTree made;
  LatentTreeReader(NAMES).read(brackets, words, made);
  return made;
}

void reads_binary_trees() {
  const auto made = tree("(TOP (S (N we) (V vote) (X now)))", {7, 8, 9});
  CHECK(made.size() == 6);
  CHECK(made[0].symbol == OTHER && made[0].left == -1 && made[0].right == 9);
  CHECK(made[3].symbol == LABELS + S); // over the verb and what comes after it
  CHECK(made[3].left == 1 && made[3].right == 0);
  CHECK(made[4].symbol == S && made[4].left == 2 && made[4].right == 3);
  CHECK(made[5].symbol == TOP && made[5].left == 4 && made[5].right == -1);
  CHECK_THROWS((tree("(TOP (S (N we)))", {1, 2})), std::invalid_argument,
               "a tree has other words than its sentence");
  CHECK_THROWS((tree("(TOP (S (N we) vote))", {1, 2})), std::invalid_argument, "a word has no tag");
  CHECK_THROWS((tree("(TOP (N we)) (TOP (N we))", {1, 2})), std::invalid_argument,
               "there must be one tree");
  CHECK_THROWS((tree("(TOP)", {})), std::invalid_argument,
               "a tree has other words than its sentence");
}

// S has two substates; the first has the noun 0, the second the noun 1.
LatentRules two_kinds() {
  LatentRules rules;
  rules.labels = LABELS;
  rules.substates.assign(2 * LABELS, 1);
  rules.substates[S] = 2;
  rules.substates[N] = 2;
  rules.rules = {{TOP, S, -1}, {S, N, -1}, {N, -1, 0}, {N, -1, 1}};
  rules.offsets = {0, 2, 4, 5, 6};
  rules.entries = {{0, 0, 0, 0.25F}, {0, 1, 0, 0.75F}, {0, 0, 0, 1.0F},
                   {1, 1, 0, 1.0F},  {0, 0, 0, 1.0F},  {1, 0, 0, 1.0F}};
  return rules;
}

double log_probability(const LatentGrammar &grammar, const LatentTree &tree) {
  return grammar.log_probabilities(tree, std::vector{tree.size() - 1}).front();
}

void sums_over_substates() {
  const LatentGrammar grammar(two_kinds());
  // words: substates share 0.05 of their mean, 0.5; N has (0.975, 0.025) of the noun 0
  // S shares 0.01: 0.99 * 0.975 + 0.01 * 0.5 and 0.99 * 0.025 + 0.01 * 0.5
  const double expected = std::log(0.25 * 0.97025 + 0.75 * 0.02975);
  const double found = log_probability(grammar, tree("(TOP (S (N we)))", {0}));
  CHECK(std::abs(found - expected) < 1e-9);
  // a word never seen, and a rule never seen
  const double strange = log_probability(grammar, tree("(TOP (N we))", {5}));
  CHECK(std::abs(strange - 2 * std::log(1e-6)) < 1e-9);
}

void trees_share_nodes() {
  const LatentGrammar grammar(two_kinds());
  const std::vector<LatentTree> trees{tree("(TOP (S (N a) (N b)))", {0, 1}),
                                      tree("(TOP (S (N a)) (S (N b)))", {0, 1}),
                                      tree("(TOP (S (N a) (N b)))", {0, 1})};
  LatentForest forest;
  std::vector<std::size_t> tops;
  for (const auto &one : trees)
    tops.push_back(forest.add(one));
  CHECK(tops[0] == tops[2]);
  CHECK(forest.nodes().size() == 4 + 3); // of the second tree, the nouns are there already
  const auto found = grammar.log_probabilities(forest.nodes(), tops);
  for (std::size_t n = 0; n < trees.size(); ++n)
    CHECK(found[n] == log_probability(grammar, trees[n]));
  forest.clear();
  CHECK(forest.add(trees[1]) == trees[1].size() - 1);
}

void refuses_what_does_not_fit() {
  const auto refused = [](auto change, const std::string &message) {
    auto rules = two_kinds();
    change(rules);
    CHECK_THROWS(rules.check(), std::invalid_argument, message);
  };
  const std::string rule = "a rule of a grammar with substates is out of range or out of order",
                    entry = "an entry of a grammar with substates is out of range or out of order";
  refused([](auto &rules) { rules.substates[N] = 0; }, "a label has no substate");
  refused([](auto &rules) { rules.offsets.pop_back(); },
          "the rules of a grammar with substates have the wrong number of entries");
  refused([](auto &rules) { rules.offsets[1] = 9; },
          "the entries of a grammar with substates are out of order");
  refused([](auto &rules) { rules.rules[0].left = 2 * LABELS; }, rule);
  refused([](auto &rules) { std::swap(rules.rules[2], rules.rules[3]); }, rule);
  refused([](auto &rules) { rules.entries[0].left = 2; }, entry);
  refused([](auto &rules) { std::swap(rules.entries[0], rules.entries[1]); }, entry);
  refused([](auto &rules) { rules.entries[0].probability = 1.5F; }, entry);
}

void learns_the_same_on_any_threads() {
  const std::vector<LatentTree> trees{tree("(TOP (S (N a) (V b)))", {0, 1}),
                                      tree("(TOP (S (N a) (N b) (V b)))", {0, 1, 1})};
  const auto one = train_latent_grammar(LABELS, trees, {2, 4, 0.5, 7}, {1});
  const auto two = train_latent_grammar(LABELS, trees, {2, 4, 0.5, 7}, {2});
  CHECK(one.rules().entries.size() == two.rules().entries.size());
  for (const auto &made : trees)
    CHECK(log_probability(one, made) == log_probability(two, made));
  CHECK_THROWS((train_latent_grammar(LABELS, {}, {}, {1})), std::invalid_argument,
               "a grammar cannot learn from no trees");
  CHECK_THROWS(
      (train_latent_grammar(LABELS, trees, {8, 4, 0.5, 7}, {1})), std::invalid_argument,
      "cycles lie between 0 and 7, iterations are at least 1, and the share of splits that "
      "is taken back lies between 0 and 1");
}

} // namespace

int main() {
  reads_binary_trees();
  sums_over_substates();
  trees_share_nodes();
  refuses_what_does_not_fit();
  learns_the_same_on_any_threads();
  return check::result();
}
