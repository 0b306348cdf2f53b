#include "runoff/parsing/forest_builder.hpp"
#include "runoff/parsing/forest_pruning.hpp"
#include "runoff/parsing/head_parser.hpp"
#include "runoff/search/kbest.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

namespace {

using namespace runoff;
using namespace runoff::parsing;

// Tags N, V; phrases NP, NPB, S, TOP, VP.
enum : Label { N, V, NP, NPB, S, TOP, VP, LABELS };
const std::vector<std::string> NAMES{"N", "V", "NP", "NPB", "S", "TOP", "VP"};
constexpr Word WORDS = 3;

Labels labels() {
  Labels made{V + 1, LABELS, TOP, {}, {}, {}, NP, NPB};
  made.is_verb.assign(LABELS, 0);
  made.is_verb[V] = 1;
  made.is_conjunction.assign(LABELS, 0);
  made.complements.assign(2 * LABELS * LABELS * LABELS, -1);
  // an NP is a complement to the left of the VP of an S, and to the right of the V of a VP
  made.complements[made.pair(S, VP) * LABELS + NP] = 0;
  made.complements[LABELS * LABELS * LABELS + made.pair(VP, V) * LABELS + NP] = 0;
  return made;
}

// (TOP (S (NP (NPB (N 0))) (VP (V 1) (NP (NPB (N 2)))))) and (TOP (S (NP (NPB (N 2))) (VP (V 1))))
struct Bank {
  std::vector<std::int64_t> offsets{0, 10, 17};
  std::vector<Label> labels{TOP, S, NP, NPB, N, VP, V, NP, NPB, N, TOP, S, NP, NPB, N, VP, V};
  std::vector<std::int32_t> ends{10, 10, 5, 5, 5, 10, 7, 10, 10, 10, 7, 7, 5, 5, 5, 7, 7};
  std::vector<std::int32_t> heads{1, 5, 3, 4, -1, 6, -1, 8, 9, -1, 1, 5, 3, 4, -1, 6, -1};
  std::vector<Word> words{-1, -1, -1, -1, 0, -1, 1, -1, -1, 2, -1, -1, -1, -1, 2, -1, 1};

  HeadedTrees trees() const { return {offsets, labels, ends, heads, words}; }
};

HeadModel trained(bool lexicalised) {
  const Bank bank;
  const std::vector<std::int64_t> chosen{0, 1};
  bank.trees().check(labels(), WORDS);
  return train_head_model(labels(), bank.trees(), chosen, lexicalised, 1, [] {});
}

std::vector<Parse> parsed(const HeadModel &model, const std::vector<Word> &words, std::size_t n,
                          Beam beam = {}) {
  const HeadParser parser(model, NAMES, beam);
  Sentence sentence;
  std::vector<std::string> texts;
  for (const Word word : words) {
    sentence.words.push_back(word);
    sentence.tags.push_back(parser.own_tags(word, 1e-3));
    texts.push_back(std::to_string(word));
  }
  return parser.parse(sentence, texts, n);
}

void probabilities_back_off() {
  BackoffCounts counts(1);
  const Key general = mixed(0, 1), special = mixed(general, 2), other = mixed(general, 3);
  const std::vector<Key> first{special, general}, second{other, general};
  const std::vector<Discount> discounts{{5, 5}, {0, 1}};
  for (int i = 0; i < 3; ++i)
    counts.count(first, 7);
  counts.count(second, 8);
  for (int i = 0; i < 3; ++i)
    counts.estimate(first, 7, 0.5, discounts);
  counts.estimate(second, 8, 0.5, discounts);
  const auto table = counts.table();
  table.check();
  const double seven = (3 + 2 * 0.5) / (4 + 2), eight = (1 + 2 * 0.5) / (4 + 2);
  const auto is = [](double found, double expected) {
    return std::abs(found - expected) <= expected / 256; // tables hold 16 bits
  };
  CHECK(is(table.probability(first, 7, 0.5), (3 + 10 * seven) / 13));
  CHECK(is(table.probability(first, 8, 0.5), 10.0 / 13 * eight));
  CHECK(is(table.probability(second, 7, 0.5), 10.0 / 11 * seven));
  CHECK(is(table.probability(first, 9, 0.5), 10.0 / 13 * 2 / 6 * 0.5));
  const std::vector<Key> unknown{mixed(general, 4), general};
  CHECK(is(table.probability(unknown, 8, 0.5), eight));
}

// Tables of every size find what was added, and nothing else.
void tables_of_any_size_are_searched() {
  for (std::size_t entries = 0; entries < 200; ++entries) {
    BackoffTable table(entries);
    CHECK(table.keys.size() == entries + entries / 4 + 1);
    const auto value = [](std::size_t n) { return 1.0F / static_cast<float>(1 << (n % 8)); };
    for (std::size_t n = 0; n < entries; ++n)
      table.add(mixed(entries, n), value(n));
    table.check();
    for (std::size_t n = 0; n < entries; ++n)
      CHECK(table.find(mixed(entries, n)) == value(n));
    for (std::size_t n = entries; n < 2 * entries + 2; ++n)
      CHECK(table.find(mixed(entries, n)) < 0);
  }
}

void broken_tables_are_refused() {
  BackoffTable table(3);
  table.check();
  table.values[0] = 0x3f81;
  CHECK_THROWS(table.check(), std::invalid_argument,
               "a table of probabilities holds a number that is none");
  table = BackoffTable(3);
  table.keys.assign(table.keys.size(), 1);
  CHECK_THROWS(table.check(), std::invalid_argument, "a table of probabilities has no free slot");
  table.keys.push_back(0);
  CHECK_THROWS(table.check(), std::invalid_argument, "a table of probabilities has the wrong size");
}

void states_are_told_apart() {
  constexpr Label MANY = 90;
  const auto model = trained(false);
  const CoarseGrammar grammar(model);
  StateTable states(model, grammar);
  for (const Side side : SIDES)
    for (Label previous = 0; previous < MANY; ++previous)
      for (Label before = 0; before < MANY; ++before)
        states.find({S, TOP, VP, side, previous, before});
  CHECK(states.size() == 2 * MANY * MANY);
}

void trees_that_were_seen_are_parsed() {
  for (const bool lexicalised : {false, true}) {
    const auto model = trained(lexicalised);
    const auto parses = parsed(model, {0, 1, 2}, 10);
    CHECK(!parses.empty());
    CHECK(parses[0].brackets == "(TOP (S (NP (N 0)) (VP (V 1) (NP (N 2)))))");
    const Bank bank;
    CHECK(std::abs(parses[0].logprob - log_probabilities(model, bank.trees())[0]) < 1e-4);
    for (std::size_t i = 1; i < parses.size(); ++i)
      CHECK(parses[i].logprob <= parses[i - 1].logprob);
  }
}

void sentences_without_a_parse_have_none() {
  const auto model = trained(true);
  CHECK(parsed(model, {}, 5).empty());
  CHECK(parsed(model, {0, 0, 0}, 5).empty());
}

void beams_that_hold_nothing_are_widened() {
  for (const bool lexicalised : {false, true})
    CHECK(!parsed(trained(lexicalised), {0, 1, 2}, 1, {0.9F, 0.9, 1000}).empty());
}

void beams_that_hold_too_much_are_given_up() {
  CHECK(parsed(trained(true), {0, 1, 2}, 1, {1e-5F, 1e-6, 1}).empty());
}

// S over two S, and S over one N, to the left and to the right: every binary tree is a parse, and a
// head may be any word.
HeadModel ambiguous() {
  Bank bank;
  bank.offsets = {0};
  bank.labels.clear(), bank.ends.clear(), bank.heads.clear(), bank.words.clear();
  for (const bool left : {true, false}) {
    // (TOP (S (S (S (N 0)) (S (N 1))) (S (N 2)))), or the same to the right
    const std::vector<Label> labels = left ? std::vector<Label>{TOP, S, S, S, N, S, N, S, N}
                                           : std::vector<Label>{TOP, S, S, N, S, S, N, S, N};
    const std::vector<std::int32_t> ends =
        left ? std::vector{9, 9, 7, 5, 5, 7, 7, 9, 9} : std::vector{9, 9, 4, 4, 9, 7, 7, 9, 9};
    const std::vector<std::int32_t> heads = left ? std::vector{1, 2, 3, 4, -1, 6, -1, 8, -1}
                                                 : std::vector{1, 4, 3, -1, 7, 6, -1, 8, -1};
    Word word = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
      bank.words.push_back(labels[i] == N ? word++ : -1);
    bank.labels.insert(bank.labels.end(), labels.begin(), labels.end());
    bank.ends.insert(bank.ends.end(), ends.begin(), ends.end());
    bank.heads.insert(bank.heads.end(), heads.begin(), heads.end());
    bank.offsets.push_back(static_cast<std::int64_t>(bank.labels.size()));
  }
  bank.trees().check(labels(), WORDS);
  const std::vector<std::int64_t> chosen{0, 1};
  return train_head_model(labels(), bank.trees(), chosen, true, 1, [] {});
}

// Beams that let nearly everything through.
constexpr Beam wide(std::size_t edges) { return {1e-6F, 1e-12, edges}; }

void ambiguous_sentences_get_an_answer_within_a_budget() {
  const auto model = ambiguous();
  const std::vector<Word> words{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
  const auto all = parsed(model, words, 5, wide(10'000'000));
  CHECK(all.size() == 5);
  for (const std::size_t edges : {100'000, 30'000, 10'000}) {
    const auto some = parsed(model, words, 5, wide(edges));
    CHECK(!some.empty());
    CHECK(some.empty() || some[0].logprob <= all[0].logprob);
  }
}

// What the passes hold stays below the budget, or is given up.
void budgets_are_kept() {
  const auto model = ambiguous();
  const CoarseGrammar grammar(model);
  Sentence sentence;
  for (Word word = 0; word < 16; ++word) {
    sentence.words.push_back(word % WORDS);
    sentence.tags.push_back({{N, 1.0}});
  }
  std::vector<float> sums;
  std::mutex turn;
  const base::Poll poll = [] {};
  Allowance plenty(10'000'000, turn, poll);
  CoarseChart chart(grammar, sentence, 1e-20F, sums, plenty);
  chart.prune(1e-20F);
  StateTable states(model, grammar);
  auto forest = build_forest(model, grammar, chart, sentence, states, 1e-20, plenty);
  CHECK(forest.parsed() && !forest.too_large);
  fill_outside(forest);
  const auto size = forest.edges.size();
  Allowance half(size / 2, turn, poll);
  const auto given_up = build_forest(model, grammar, chart, sentence, states, 1e-20, half);
  CHECK(given_up.too_large && !given_up.parsed());
  const auto derivations = lexicalised(model, forest, sentence, plenty);
  CHECK(derivations.root >= 0);
  CHECK(derivations.graph.edges.size() > 10'000); // so smaller budgets are felt, also above
  Allowance fewer(derivations.graph.edges.size() - 1, turn, poll);
  const auto refused = lexicalised(model, forest, sentence, fewer);
  CHECK(refused.too_large && refused.root < 0 && refused.graph.edges.empty());
  fill_best(forest);
  for (const std::size_t edges : {size, size / 2, size / 10, std::size_t{200}, std::size_t{1}}) {
    const auto kept = narrowed(forest, edges);
    CHECK(kept.parsed());
    CHECK(kept.edges.size() <= std::max(edges, kept.nodes.size()));
    // The best parse is still there.
    const auto root = static_cast<std::size_t>(kept.root);
    CHECK(kept.nodes[root].inside == forest.nodes[static_cast<std::size_t>(forest.root)].inside);
    const auto again = unlexicalised(model, kept, sentence, 0);
    const auto before = unlexicalised(model, forest, sentence, 0);
    const double best = search::KBest(again.graph, again.root).next()
                            ? viterbi_inside(again.graph)[static_cast<std::size_t>(again.root)]
                            : 0.0;
    CHECK(std::abs(best - viterbi_inside(before.graph)[static_cast<std::size_t>(before.root)]) <
          1e-9);
  }
}

// A table that other sentences filled changes nothing, also when it must be emptied.
void sentences_before_do_not_matter() {
  const auto model = ambiguous();
  const HeadParser used(model, NAMES, wide(10'000));
  for (const std::size_t size : {16, 9, 12, 16}) {
    Sentence sentence;
    std::vector<std::string> texts(size, "x");
    for (std::size_t word = 0; word < size; ++word) {
      sentence.words.push_back(static_cast<Word>(word % WORDS));
      sentence.tags.push_back({{N, 1.0}});
    }
    const HeadParser fresh(model, NAMES, wide(10'000));
    const auto a = used.parse(sentence, texts, 3);
    const auto b = fresh.parse(sentence, texts, 3);
    CHECK(!a.empty() && a.size() == b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      CHECK(a[i].brackets == b[i].brackets && a[i].logprob == b[i].logprob);
  }
}

void long_charts_are_refused_before_they_are_made() {
  const auto model = ambiguous();
  const HeadParser parser(model, NAMES, {});
  const CoarseGrammar grammar(model);
  CHECK(parser.longest() > 200);
  CHECK(CoarseChart::bytes(grammar, parser.longest()) <= 300'000'000);
  CHECK(CoarseChart::bytes(grammar, 200) > 3 * CoarseChart::bytes(grammar, 100));
}

// S over S over S ...: as deep as a chain of words can be long.
void long_sentences_stay_in_range() {
  constexpr std::int32_t DEEP = 300;
  Bank bank;
  bank.labels.assign(1, TOP);
  bank.ends.assign(1, 2 * DEEP + 2);
  bank.heads.assign(1, 1);
  bank.words.assign(1, -1);
  for (std::int32_t i = 0; i < DEEP; ++i) {
    bank.labels.insert(bank.labels.end(), {S, N});
    bank.ends.insert(bank.ends.end(), {2 * DEEP + 2, 2 * i + 3});
    bank.heads.insert(bank.heads.end(), {2 * i + 3, -1});
    bank.words.insert(bank.words.end(), {-1, 0});
  }
  bank.labels.push_back(V);
  bank.ends.push_back(2 * DEEP + 2);
  bank.heads.push_back(-1);
  bank.words.push_back(1);
  bank.offsets = {0, 2 * DEEP + 2};
  bank.trees().check(labels(), WORDS);
  const std::vector<std::int64_t> chosen{0};
  const auto model = train_head_model(labels(), bank.trees(), chosen, true, 1, [] {});
  std::vector<Word> words(120, 0);
  words.back() = 1;
  const auto parses = parsed(model, words, 1);
  CHECK(parses.size() == 1 && std::isfinite(parses[0].logprob));
}

void broken_trees_are_refused() {
  const char *message = "the columns do not hold trees with heads";
  const auto refused = [&](auto change) {
    Bank bank;
    change(bank);
    CHECK_THROWS(bank.trees().check(labels(), WORDS), std::invalid_argument, message);
  };
  refused([](Bank &b) { b.offsets = {}; });
  refused([](Bank &b) { b.offsets = {0, 16}; });
  refused([](Bank &b) { b.offsets = {0, 18, 17}; });
  refused([](Bank &b) { b.labels[0] = S; });
  refused([](Bank &b) { b.labels[1] = TOP; });
  refused([](Bank &b) { b.labels[2] = LABELS; });
  refused([](Bank &b) { b.labels[9] = NP; }); // without a child
  refused([](Bank &b) { b.ends[2] = 6; });    // out of step with its children
  refused([](Bank &b) { b.ends[9] = 1000; });
  refused([](Bank &b) { b.ends[9] = -1; });
  refused([](Bank &b) { b.heads[1] = 3; }); // a grandchild
  refused([](Bank &b) { b.words[4] = WORDS; });
}

void broken_models_are_refused() {
  const auto good = trained(true);
  const auto refused = [&](auto change, const char *message) {
    auto seen = good.seen();
    auto tables = good.tables();
    change(seen, tables);
    CHECK_THROWS(HeadModel(labels(), seen, tables), std::invalid_argument, message);
  };
  refused([](Seen &, auto &tables) { tables.pop_back(); }, "a table of probabilities is missing");
  refused([](Seen &seen, auto &) { seen.heads.back()[1] = LABELS; }, "a head is out of range");
  refused([](Seen &seen, auto &) { seen.heads.push_back(seen.heads[0]); },
          "what was seen is not in order, or there twice");
  refused([](Seen &seen, auto &) { seen.modifiers.back()[0] = 2; }, "a modifier is out of range");
  refused([](Seen &seen, auto &) { seen.frames.back()[3] = 1 << 10; }, "a frame is out of range");
  refused([](Seen &seen, auto &) { seen.above.back()[2] = 0; }, "a label above is out of range");
  refused([](Seen &seen, auto &) { seen.tags.back()[0] = NP; }, "a tag is out of range");
  refused([](Seen &seen, auto &) { seen.tags.clear(); }, "no tag was ever seen");
}

// Probabilities of 0, almost 0 and 1 everywhere in a table: any answer will do.
void strange_models_do_no_harm() {
  const auto good = trained(true);
  for (std::size_t table = 0; table < good.tables().size(); ++table)
    for (const std::uint16_t value : {0x0000, 0x0001, 0x3f80}) {
      auto tables = good.tables();
      tables[table].values.assign(tables[table].values.size(), value);
      const HeadModel strange(labels(), good.seen(), tables);
      for (const auto &words : {std::vector<Word>{0, 1, 2}, std::vector<Word>(40, 2)})
        for (const auto &parse : parsed(strange, words, 3))
          CHECK(std::isfinite(parse.logprob));
    }
}

} // namespace

int main() {
  probabilities_back_off();
  tables_of_any_size_are_searched();
  broken_tables_are_refused();
  states_are_told_apart();
  trees_that_were_seen_are_parsed();
  sentences_without_a_parse_have_none();
  beams_that_hold_nothing_are_widened();
  beams_that_hold_too_much_are_given_up();
  ambiguous_sentences_get_an_answer_within_a_budget();
  budgets_are_kept();
  sentences_before_do_not_matter();
  long_charts_are_refused_before_they_are_made();
  long_sentences_stay_in_range();
  broken_trees_are_refused();
  broken_models_are_refused();
  strange_models_do_no_harm();
  return check::result();
}
