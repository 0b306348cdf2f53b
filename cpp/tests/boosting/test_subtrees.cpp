#include "runoff/boosting/subtree_boosting.hpp"
#include "runoff/boosting/subtree_trie.hpp"
#include "runoff/trees/tree_reader.hpp"
#include "tests/check.hpp"
#include "tests/trees/drawn_trees.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

std::vector<std::uint32_t> found(const runoff::boosting::SubtreeTrie &trie,
                                 const DrawnTrees &forest, std::size_t tree) {
  std::vector<std::uint32_t> numbers;
  runoff::boosting::SubtreeFinder(trie).find(forest.trees()[tree], numbers);
  return numbers;
}

// Lists of random trees; the first candidate of each is the best.
struct Lists {
  std::vector<std::int64_t> list_offsets{0}, best;
  std::vector<double> exponents;
  DrawnTrees forest;

  Lists(unsigned seed, std::size_t lists, std::size_t candidates) {
    std::mt19937 random(seed);
    for (std::size_t list = 0; list < lists; ++list) {
      for (std::size_t j = 0; j < candidates; ++j) {
        forest.draw(random, 9, 3);
        exponents.push_back(j == 0 ? -std::numeric_limits<double>::infinity() : -0.1 * double(j));
      }
      list_offsets.push_back(list_offsets.back() + static_cast<std::int64_t>(candidates));
      best.push_back(0);
    }
  }
  runoff::trees::SharedTrees shared(std::size_t size, std::size_t frequency) const {
    return {list_offsets, forest.trees(), best, 3, size, frequency, [] {}};
  }
};

void arrays_that_are_no_trees_are_refused() {
  const auto complaint = [](std::vector<std::uint32_t> labels, std::vector<std::uint16_t> depths) {
    DrawnTrees forest;
    forest.add(labels, depths);
    forest.trees().check(2);
  };
  complaint({0, 2, 1}, {0, 1, 1}); // 2 is an unknown label
  CHECK_THROWS(complaint({0, 3}, {0, 1}), std::invalid_argument,
               "the label of a node is out of range");
  CHECK_THROWS(complaint({0, 1}, {0, 2}), std::invalid_argument,
               "the depths of nodes are not those of a tree");
  CHECK_THROWS(complaint({0, 1}, {0, 0}), std::invalid_argument,
               "the depths of nodes are not those of a tree");
  CHECK_THROWS(complaint({0, 1}, {0}), std::invalid_argument,
               "labels and depths of nodes differ in length");
}

void a_trie_skips_sisters_but_not_generations() {
  DrawnTrees subtrees, forest;
  subtrees.add({0, 1, 2}, {0, 1, 1}); // (a(b)(c))
  subtrees.add({0, 2, 1}, {0, 1, 1}); // (a(c)(b))
  subtrees.add({0, 1, 2}, {0, 1, 2}); // (a(b(c)))
  subtrees.add({2}, {0});
  runoff::boosting::SubtreeTrie trie(subtrees.trees(), 3);
  forest.add({0, 1, 0, 2}, {0, 1, 1, 1}); // (a(b)(a)(c))
  forest.add({0, 1, 0, 2}, {0, 1, 2, 3}); // (a(b(a(c))))
  forest.add({}, {});
  CHECK(found(trie, forest, 0) == std::vector<std::uint32_t>{0, 3});
  CHECK(found(trie, forest, 1) == std::vector<std::uint32_t>{3});
  CHECK(found(trie, forest, 2).empty());
}

// A finder that remembers parts of trees before, and forgets them, finds what a new one finds.
void what_is_remembered_changes_nothing() {
  DrawnTrees subtrees, forest;
  subtrees.add({0, 1}, {0, 1});
  subtrees.add({1, 2}, {0, 1});
  subtrees.add({0, 1, 2}, {0, 1, 2});
  const runoff::boosting::SubtreeTrie trie(subtrees.trees(), 3);
  std::mt19937 random(1);
  for (int n = 0; n < 2000; ++n)
    forest.draw(random, 200, 3);
  runoff::boosting::SubtreeFinder finder(trie);
  for (std::size_t tree = 0; tree < forest.trees().size(); ++tree) {
    std::vector<std::uint32_t> numbers;
    finder.find(forest.trees()[tree], numbers);
    CHECK(numbers == found(trie, forest, tree));
  }
}

void a_trie_refuses_what_is_no_model() {
  const auto complaint = [](std::vector<std::uint32_t> labels, std::vector<std::uint16_t> depths) {
    DrawnTrees subtrees;
    subtrees.add({0}, {0});
    subtrees.add(labels, depths);
    runoff::boosting::SubtreeTrie(subtrees.trees(), 3);
  };
  CHECK_THROWS(complaint({0}, {0}), std::invalid_argument, "a subtree is there twice");
  CHECK_THROWS(complaint({}, {}), std::invalid_argument,
               "a subtree is empty or larger than 255 nodes");
  CHECK_THROWS(complaint({3}, {0}), std::invalid_argument, "a label of a subtree is not known");
}

void candidates_share_what_is_below() {
  DrawnTrees forest;
  forest.add({0, 1, 2}, {0, 1, 2});
  forest.add({1, 1, 2}, {0, 1, 2}); // the same below the root
  const std::vector<std::int64_t> list_offsets{0, 2}, best{1};
  const runoff::trees::SharedTrees trees(list_offsets, forest.trees(), best, 3, 6, 1, [] {});
  CHECK(trees.roots().size() == 4 && trees.shapes() == 4);
  CHECK(trees.members()[0] == 1 && trees.members()[1] == 0);
  CHECK(trees.roots_of(2).size() == 1 && trees.roots()[trees.roots_of(2)[0]].candidates == 3);
  DrawnTrees wanted;
  wanted.add({0, 1}, {0, 1});
  CHECK(trees.candidates_with(wanted.trees()[0]) == std::vector<std::uint32_t>{0});
}

// Everything that can be extended is, and nothing has a higher gain or bound than it should.
void no_extension_passes_its_bound() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Lists lists(seed, 6, 5);
    const auto trees = lists.shared(4, 2);
    const runoff::boosting::PairWeights weights(trees, runoff::boosting::Loss::exponential,
                                                lists.exponents);
    runoff::boosting::SubtreeCache cache(trees, weights);
    for (std::uint32_t entry = 0; entry < cache.size(); ++entry)
      if (cache[entry].size < trees.size())
        cache.extend(std::vector{entry}, {});
    double highest = 0.0;
    for (std::uint32_t entry = 0; entry < cache.size(); ++entry) {
      const auto sums = cache.sums(entry, weights);
      highest = std::max(highest, sums.gain());
      CHECK(sums.gain() <= sums.bound());
      for (auto above = cache[entry].parent; above != cache.none; above = cache[above].parent)
        CHECK(sums.bound() <= cache.sums(above, weights).bound());
    }
    runoff::boosting::SubtreeBooster booster(trees, lists.exponents, {});
    runoff::boosting::SubtreeRound round{};
    CHECK(booster.round(round, {}) == (highest > 0.0));
    CHECK(cache.size() >= booster.cache().size());
    for (const auto entry : booster.chosen()) {
      std::vector<std::uint32_t> labels;
      std::vector<std::uint16_t> depths;
      booster.cache().write(entry, labels, depths);
      CHECK(labels.size() == depths.size() && labels.size() <= trees.size());
    }
  }
}

// Rounds on three threads, and rounds that go on from a state, are those on one.
void neither_threads_nor_a_pause_change_rounds(runoff::boosting::Loss loss) {
  const Lists lists(3, 12, 6);
  const auto trees = lists.shared(5, 2);
  const runoff::boosting::SubtreeSchedule schedule{loss, 0.001, 2, 3, 20};
  runoff::boosting::SubtreeBooster one(trees, lists.exponents, schedule);
  runoff::boosting::SubtreeBooster three(trees, lists.exponents, schedule);
  std::vector<std::uint32_t> subtrees;
  std::vector<double> deltas;
  for (int n = 0; n < 40; ++n) {
    if (n > 0 && one.begins_cycle()) {
      runoff::boosting::SubtreeBooster paused(trees, lists.exponents, schedule);
      paused.replay(one.cache().extended(), one.chosen(), one.leaders(), subtrees, deltas,
                    one.scale(), {});
      CHECK(paused.loss() == one.loss() && paused.cache().size() == one.cache().size());
    }
    runoff::boosting::SubtreeRound a{}, b{};
    const bool more = one.round(a, {});
    CHECK(three.round(b, {3, [] {}}) == more);
    CHECK(a.subtree == b.subtree && a.delta == b.delta && a.loss == b.loss);
    CHECK(a.visited == b.visited && a.pruned == b.pruned);
    if (!more)
      break;
    subtrees.push_back(a.subtree);
    deltas.push_back(a.delta);
  }
  CHECK(subtrees.size() > 10);
}

void a_broken_state_is_refused() {
  const Lists lists(3, 12, 6);
  const auto trees = lists.shared(5, 2);
  runoff::boosting::SubtreeBooster booster(trees, lists.exponents, {});
  const std::vector<std::uint32_t> absurd{1000000};
  const std::vector<double> delta{1.0};
  CHECK_THROWS(booster.replay(absurd, {}, {}, {}, {}, 1.0, {}), std::invalid_argument,
               "the subtrees to extend are broken");
  CHECK_THROWS(booster.replay({}, absurd, {}, {}, {}, 1.0, {}), std::invalid_argument,
               "the rounds to replay are broken");
  CHECK_THROWS(booster.replay({}, {}, {}, absurd, delta, 1.0, {}), std::invalid_argument,
               "the rounds to replay are broken");
}

void trees_are_read_with_and_without_heads() {
  runoff::base::Symbols symbols;
  const std::vector<std::string_view> texts{"(NP (DT the) old (NN vote))"};
  const auto plain = runoff::trees::read_plain_trees(texts, symbols, [] {});
  CHECK(plain.counts == std::vector<std::int64_t>{6});
  CHECK(plain.depths == std::vector<std::uint16_t>{0, 1, 2, 1, 1, 2});
  CHECK(symbols.text(plain.labels[3]) == "old");
  runoff::trees::HeadTable heads;
  heads.noun_phrases = {"NP"};
  const auto lexical = runoff::trees::read_lexical_trees(texts, heads, symbols, [] {});
  std::string labels;
  for (const auto label : lexical.labels)
    labels += symbols.text(label) + " ";
  CHECK(labels == "TOP vote NP vote DT the WORD old NN vote ");
  CHECK(lexical.depths == std::vector<std::uint16_t>{0, 1, 1, 2, 2, 3, 2, 3, 2, 3});
  const std::vector<std::string_view> two{"(a) (b)"};
  CHECK_THROWS(runoff::trees::read_plain_trees(two, symbols, [] {}), std::invalid_argument,
               "expected one tree, found 2");
}

} // namespace

int main() {
  arrays_that_are_no_trees_are_refused();
  a_trie_skips_sisters_but_not_generations();
  what_is_remembered_changes_nothing();
  a_trie_refuses_what_is_no_model();
  candidates_share_what_is_below();
  no_extension_passes_its_bound();
  neither_threads_nor_a_pause_change_rounds(runoff::boosting::Loss::exponential);
  neither_threads_nor_a_pause_change_rounds(runoff::boosting::Loss::logarithmic);
  a_broken_state_is_refused();
  trees_are_read_with_and_without_heads();
  return check::result();
}
