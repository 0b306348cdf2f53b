#include "runoff/classification/candidate_atoms.hpp"
#include "runoff/classification/parser.hpp"

#include "tests/check.hpp"

#include <stdexcept>

using namespace runoff;
using namespace runoff::classification;

namespace {

// Labels: DT NN | NP S TOP; words 0..3.
const ItemLabels &labels() {
  static const ItemLabels made({"DT", "NN", "NP", "S", "TOP"}, 2, 4, 4, {0, no_class}, 1,
                               trees::HeadTable{});
  return made;
}

const std::vector<Group> groups{{GroupKind::first_children, Anchor::leftmost, 2},
                                {GroupKind::left_context, Anchor::leftmost, 3},
                                {GroupKind::terminal, Anchor::rightmost, 1},
                                {GroupKind::terminal, Anchor::leftmost, -2},
                                {GroupKind::grandchild, Anchor::head, 2},
                                {GroupKind::non_head, Anchor::leftmost, 0},
                                {GroupKind::right_items, Anchor::leftmost, 0, true}};

// (TOP (S (NP (DT 0) (NN 1)) (NN 2))) and (TOP (NN 3))
const std::vector<std::int64_t> offsets{0, 6, 8};
const std::vector<std::int32_t> nodes{4, 3, 2, 0, 1, 1, 4, 1}, ends{6, 6, 5, 4, 5, 6, 2, 2},
    words{-1, -1, -1, 0, 1, 2, -1, 3};
const std::vector<std::int64_t> both{0, 1};

TrainingStates states_of(Strategy strategy) {
  const LearnedTrees trees{offsets, nodes, ends, words};
  trees.check(labels());
  return TrainingStates(labels(), {strategy, 5}, trees, both, {1}, [] {});
}

void states_have_all_candidates() {
  for (const auto strategy : {Strategy::right_to_left, Strategy::left_to_right}) {
    const auto states = states_of(strategy);
    CHECK(states.size() == 4);
    CHECK(states.positives() == 4);
    // the first state of three words allows all six spans
    CHECK(states.candidates() ==
          (strategy == Strategy::right_to_left ? 6U + 2U + 1U + 1U : 6U + 3U + 1U + 1U));
  }
}

void testing_an_atom_is_extracting_it() {
  const InferenceAtoms atoms(labels(), groups);
  for (const auto strategy : {Strategy::right_to_left, Strategy::bottom_up}) {
    const auto states = states_of(strategy);
    for (std::uint16_t label = 2; label < 5; ++label) {
      const CandidateAtoms source(states, atoms, label);
      const auto examples = states.examples(label);
      source.check(examples.pointers);
      std::vector<decision_trees::Atom> present;
      for (const auto pointer : examples.pointers) {
        source.extract(pointer, present);
        CHECK(std::ranges::is_sorted(present));
        for (decision_trees::Atom atom = 0; atom < atoms.size(); ++atom)
          CHECK(source.test(pointer, atom) == std::ranges::binary_search(present, atom));
      }
    }
  }
}

void a_sentence_gets_a_tree_from_classifiers_that_know_nothing() {
  const InferenceAtoms atoms(labels(), groups);
  const std::vector<decision_trees::Ensemble> none(3);
  const LabelClassifiers classifiers(atoms, none);
  for (const auto strategy :
       {Strategy::right_to_left, Strategy::left_to_right, Strategy::bottom_up}) {
    const ClassificationParser parser(classifiers, {strategy, 5});
    for (const std::size_t length : {1, 2, 7, 60}) {
      TaggedWords sentence{std::vector<std::uint32_t>(length, unknown_word),
                           std::vector<std::uint16_t>(length, unknown_tag)};
      const auto found = parser.parse(sentence, {3, 500});
      CHECK(!found.parses.empty());
      for (const auto &parse : found.parses) {
        CHECK(parse.items[0].label == 4);
        CHECK(parse.items[0].end == length);
      }
      auto items = found.parses[0].items;
      std::ranges::sort(items, {}, &ParsedItem::step);
      CHECK(parser.explain(sentence, items).size() == items.size());
    }
  }
}

void what_is_broken_is_refused() {
  const auto broken = "the columns do not hold trees to learn from";
  auto other = nodes;
  other[2] = 4; // a top inside
  CHECK_THROWS((LearnedTrees{offsets, other, ends, words}.check(labels())), std::invalid_argument,
               broken);
  auto longer = ends;
  longer[2] = 7;
  CHECK_THROWS((LearnedTrees{offsets, nodes, longer, words}.check(labels())), std::invalid_argument,
               broken);
  CHECK_THROWS(InferenceAtoms(labels(), {{GroupKind::grandchild, Anchor::head, 3}}),
               std::invalid_argument, "there is no such group of items");
  const auto states = states_of(Strategy::right_to_left);
  const InferenceAtoms atoms(labels(), groups);
  const std::vector<std::uint64_t> outside{TrainingStates::pointer(0, {2, 2})};
  CHECK_THROWS(CandidateAtoms(states, atoms, 2).check(outside), std::invalid_argument,
               "a pointer is to no candidate");
}

} // namespace

int main() {
  states_have_all_candidates();
  testing_an_atom_is_extracting_it();
  a_sentence_gets_a_tree_from_classifiers_that_know_nothing();
  what_is_broken_is_refused();
  return check::result();
}
