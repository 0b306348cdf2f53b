#include "bind.hpp"
#include "head_table.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/classification/candidate_atoms.hpp"
#include "runoff/classification/example_pools.hpp"
#include "runoff/classification/parser.hpp"

#include <nanobind/stl/pair.h>
#include <stdexcept>

namespace {

using namespace runoff;
using namespace runoff::classification;
using decision_trees::Ensemble;
using Numbers = Vec<const std::int32_t>;
using Offsets = Vec<const std::int64_t>;
using Shorts = Vec<const std::uint16_t>;
using Pointers = Vec<const std::uint64_t>;

template <typename T> std::vector<T> copied(const Vec<const T> &array) {
  return {array.data(), array.data() + array.shape(0)};
}

Strategies strategies_of(int strategy, std::uint32_t max_children) {
  if (strategy < 0 || strategy > 2 || max_children < 2 || max_children > most_children)
    throw std::invalid_argument("there is no such strategy");
  return {static_cast<Strategy>(strategy), max_children};
}

// Rows of four: kind, anchor, n, whether it asks for words.
std::vector<Group> groups_of(const Vec<const std::int8_t> &rows) {
  if (rows.shape(0) % 4 != 0)
    throw std::invalid_argument("a group of items has four numbers");
  std::vector<Group> groups;
  for (std::size_t n = 0; n < rows.shape(0); n += 4)
    groups.push_back({static_cast<GroupKind>(rows(n)), static_cast<Anchor>(rows(n + 1)),
                      rows(n + 2), rows(n + 3) != 0});
  return groups;
}

TrainingStates states_of(const ItemLabels &labels, int strategy, std::uint32_t max_children,
                         Offsets offsets, Numbers node_labels, Numbers ends, Numbers words,
                         Offsets chosen, std::uint64_t seed, double balance) {
  const LearnedTrees trees{view(offsets), view(node_labels), view(ends), view(words)};
  const auto strategies = strategies_of(strategy, max_children);
  nb::gil_scoped_release release;
  trees.check(labels);
  return TrainingStates(labels, strategies, trees, view(chosen), {seed, balance}, check_signals);
}

auto examples_of(const TrainingStates &states, std::uint16_t label) {
  TrainingStates::Examples made;
  {
    nb::gil_scoped_release release;
    made = states.examples(label);
  }
  return std::tuple(owned(std::move(made.pointers)), owned(std::move(made.y)),
                    owned(std::move(made.bias)));
}

using Spans = std::vector<std::tuple<int, int, int>>;

// The frontier of a state as spans and labels, and where the last item is.
std::pair<Spans, std::uint32_t> frontier_of(const TrainingStates &states, std::size_t state) {
  if (state >= states.size())
    throw std::out_of_range("there is no such state");
  const auto cut = states.cut(state);
  Spans spans;
  for (std::size_t n = 0; n < cut.frontier.size(); ++n)
    spans.emplace_back(cut.at(n).start, cut.at(n).end, cut.at(n).label);
  return {spans, cut.last};
}

auto extracted(const CandidateAtoms &atoms, Pointers pointers) {
  std::vector<std::int64_t> offsets{0};
  std::vector<decision_trees::Atom> all, one;
  {
    nb::gil_scoped_release release;
    atoms.check(view(pointers));
    for (const auto pointer : view(pointers)) {
      atoms.extract(pointer, one);
      all.insert(all.end(), one.begin(), one.end());
      offsets.push_back(static_cast<std::int64_t>(all.size()));
    }
  }
  return std::tuple(owned(std::move(offsets)), owned(std::move(all)));
}

bool tested(const CandidateAtoms &atoms, std::uint64_t pointer, std::uint32_t atom) {
  atoms.check({&pointer, 1});
  return atoms.test(pointer, atom);
}

using Columns =
    std::tuple<Offsets, Vec<const std::uint32_t>, Vec<const std::uint32_t>, Vec<const double>>;

std::vector<Ensemble> ensembles_of(const std::vector<Columns> &columns, std::size_t atoms) {
  std::vector<Ensemble> made;
  for (const auto &[offsets, tested, yes, values] : columns) {
    if (tested.shape(0) != yes.shape(0) || tested.shape(0) != values.shape(0))
      throw std::invalid_argument("the columns of nodes differ in length");
    std::vector<decision_trees::Node> nodes;
    for (std::size_t n = 0; n < tested.shape(0); ++n)
      nodes.push_back({tested(n), yes(n), values(n)});
    made.emplace_back(copied(offsets), std::move(nodes), atoms);
  }
  return made;
}

// A parser with its classifiers; it refers to itself, so it stays where it is.
class BoundParser {
public:
  BoundParser(const InferenceAtoms &atoms, const std::vector<Columns> &columns, int strategy,
              std::uint32_t max_children)
      : classifiers_(atoms, ensembles_of(columns, atoms.size())),
        parser(classifiers_, strategies_of(strategy, max_children)) {}
  BoundParser(const BoundParser &) = delete;

private:
  LabelClassifiers classifiers_;

public:
  ClassificationParser parser;
};

std::vector<TaggedWords> sentences_of(const ItemLabels &labels,
                                      std::span<const std::int64_t> offsets,
                                      std::span<const std::uint32_t> words,
                                      std::span<const std::uint16_t> tags) {
  const auto require = [](bool holds) {
    if (!holds)
      throw std::invalid_argument("the columns do not hold tagged sentences");
  };
  base::check_offsets(offsets, words.size(), "sentences");
  require(words.size() == tags.size());
  for (std::size_t n = 0; n < words.size(); ++n) {
    require(number_of(words[n]) < labels.words || number_of(words[n]) == no_number);
    require(tags[n] < labels.tags || tags[n] == unknown_tag);
  }
  std::vector<TaggedWords> made;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto begin = static_cast<std::size_t>(offsets[s]);
    const auto size = static_cast<std::size_t>(offsets[s + 1]) - begin;
    require(size > 0 && size <= most_words);
    const auto some = words.subspan(begin, size);
    const auto their = tags.subspan(begin, size);
    made.push_back({{some.begin(), some.end()}, {their.begin(), their.end()}});
  }
  return made;
}

using ShownItem = std::tuple<int, int, int, int, double>; // label, start, end, step, cost
using Shown = std::tuple<double, bool, bool, std::vector<ShownItem>>;
using Answer = std::tuple<std::vector<Shown>, std::size_t, bool>;

Answer shown(const ClassifiedParses &found) {
  std::vector<Shown> parses;
  for (const auto &parse : found.parses) {
    std::vector<ShownItem> items;
    for (const auto &[label, start, end, step, cost] : parse.items)
      items.emplace_back(label, start, end, static_cast<int>(step), cost);
    parses.emplace_back(parse.cost, parse.proven, parse.forced, std::move(items));
  }
  return {std::move(parses), found.explored, found.greedy};
}

std::vector<Answer> parse_all(const BoundParser &bound, Offsets offsets,
                              Vec<const std::uint32_t> words, Shorts tags, std::size_t n,
                              std::size_t explore, int threads) {
  const auto sentences =
      sentences_of(bound.parser.labels(), view(offsets), view(words), view(tags));
  if (n < 1)
    throw std::invalid_argument("n must be at least 1");
  std::vector<Answer> answers(sentences.size());
  nb::gil_scoped_release release;
  base::in_blocks(sentences.size(), 1, {threads, check_signals},
                  [&](std::size_t begin, std::size_t end) {
                    for (auto s = begin; s < end; ++s)
                      answers[s] = shown(bound.parser.parse(sentences[s], {n, explore}));
                  });
  return answers;
}

using Given = std::vector<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>>;

std::vector<std::vector<std::uint32_t>> explained(const BoundParser &bound,
                                                  Vec<const std::uint32_t> words, Shorts tags,
                                                  const Given &items) {
  const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(words.shape(0))};
  const auto sentence = sentences_of(bound.parser.labels(), offsets, view(words), view(tags));
  std::vector<ParsedItem> path;
  for (const auto &[label, start, end] : items)
    path.push_back({label, start, end, 0, 0.0});
  return bound.parser.explain(sentence[0], path);
}

auto pools_of(const TrainingStates &states, const InferenceAtoms &atoms,
              const std::vector<Columns> &columns, std::size_t size, std::uint64_t seed,
              std::uint64_t number, int threads, double share) {
  const auto ensembles = ensembles_of(columns, atoms.size());
  std::vector<ExamplePool> pools;
  {
    nb::gil_scoped_release release;
    pools = draw_pools(states, LabelClassifiers(atoms, ensembles), {size, seed, number, share},
                       {threads, check_signals});
  }
  using Made =
      std::tuple<nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>,
                 nb::ndarray<nb::numpy, std::int8_t, nb::ndim<1>>,
                 nb::ndarray<nb::numpy, float, nb::ndim<1>>,
                 nb::ndarray<nb::numpy, double, nb::ndim<1>>, std::uint64_t, std::uint64_t, double>;
  std::vector<Made> made;
  for (auto &one : pools)
    made.emplace_back(owned(std::move(one.pointers)), owned(std::move(one.y)),
                      owned(std::move(one.bias)), owned(std::move(one.h)), one.examples,
                      one.positives, one.lost);
  return made;
}

void bind_states(nb::module_ &m) {
  nb::class_<TrainingStates>(m, "TrainingStates", "The states of correct paths through trees.")
      .def(
          "__init__",
          [](TrainingStates *self, const ItemLabels &labels, int strategy,
             std::uint32_t max_children, Offsets offsets, Numbers node_labels, Numbers ends,
             Numbers words, Offsets chosen, std::uint64_t seed, double balance) {
            new (self) TrainingStates(states_of(labels, strategy, max_children, offsets,
                                                node_labels, ends, words, chosen, seed, balance));
          },
          "labels"_a, "strategy"_a, "max_children"_a, "offsets"_a.noconvert(),
          "node_labels"_a.noconvert(), "ends"_a.noconvert(), "words"_a.noconvert(),
          "chosen"_a.noconvert(), "seed"_a, "balance"_a = 1.0, nb::keep_alive<1, 2>())
      .def("__len__", &TrainingStates::size)
      .def_prop_ro("candidates", &TrainingStates::candidates, "Number of spans of all states.")
      .def_prop_ro("inferences", &TrainingStates::inferences, "Number of spans with labels.")
      .def_prop_ro("positives", &TrainingStates::positives, "Number of correct inferences.")
      .def_prop_ro("too_wide", &TrainingStates::too_wide,
                   "Number of items of the trees that have too many children.")
      .def_prop_ro("bytes", &TrainingStates::bytes, "Memory that the states take.")
      .def(
          "seen_atoms",
          [](const TrainingStates &states, const InferenceAtoms &atoms) {
            nb::gil_scoped_release release;
            return states.seen_atoms(atoms, check_signals);
          },
          "atoms"_a, "Number of different atoms of all inferences, by group, lengths last.")
      .def("frontier", &frontier_of, "state"_a,
           "Start, end and label of the items of a frontier, and where the last one is.")
      .def("examples", &examples_of, "label"_a, "Pointers, y and bias of all examples of a label.")
      .def("pools", &pools_of, "atoms"_a, "ensembles"_a, "size"_a, "seed"_a, "number"_a,
           "threads"_a, "share"_a = 1.0,
           "A priority sample of the examples of each phrase label: pointers, y, bias, h, the "
           "numbers of all examples and of all positive ones, and the share of weight outside. "
           "Wrong candidates are looked at in a share of the states.");
  nb::class_<CandidateAtoms, decision_trees::AtomSource>(m, "CandidateAtoms",
                                                         "The atoms of the candidates of a label.")
      .def(nb::init<const TrainingStates &, const InferenceAtoms &, std::uint16_t>(), "states"_a,
           "atoms"_a, "label"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("test", &tested, "pointer"_a, "atom"_a, "Whether an atom is present.")
      .def("extract", &extracted, "pointers"_a.noconvert(),
           "All atoms that are present, as offsets and atoms.");
}

void bind(nb::module_ &m) {
  nb::class_<ItemLabels>(m, "ItemLabels", "The labels of items, checked, and the head rules.")
      .def(
          "__init__",
          [](ItemLabels *self, const Texts &names, std::size_t tags, std::size_t words,
             std::uint16_t top, Shorts class_of_tag, std::size_t classes, const HeadTable &heads) {
            new (self)
                ItemLabels(names, tags, words, top, copied(class_of_tag), classes, heads.table);
          },
          "names"_a, "tags"_a, "words"_a, "top"_a, "class_of_tag"_a.noconvert(), "classes"_a,
          "heads"_a);
  nb::class_<InferenceAtoms>(m, "InferenceAtoms", "What classifiers may ask of an inference.")
      .def(
          "__init__",
          [](InferenceAtoms *self, const ItemLabels &labels, Vec<const std::int8_t> groups,
             std::uint8_t shapes) { new (self) InferenceAtoms(labels, groups_of(groups), shapes); },
          "labels"_a, "groups"_a.noconvert(), "shapes"_a = 0, nb::keep_alive<1, 2>())
      .def("__len__", &InferenceAtoms::size);
  bind_states(m);
  nb::class_<BoundParser>(m, "ClassificationParser", "Parses sentences by classifiers of labels.")
      .def(nb::init<const InferenceAtoms &, const std::vector<Columns> &, int, std::uint32_t>(),
           "atoms"_a, "ensembles"_a, "strategy"_a, "max_children"_a, nb::keep_alive<1, 2>())
      .def("parse", &parse_all, "offsets"_a.noconvert(), "words"_a.noconvert(),
           "tags"_a.noconvert(), "n"_a, "explore"_a, "threads"_a = 1,
           "For each sentence: parses, the number of inferences explored, and whether the best is "
           "the greedy one. A parse has its cost, whether it is proven that no other comes before "
           "it, whether it was forced, and phrases in preorder: label, start, end, step, cost.")
      .def("explain", &explained, "words"_a.noconvert(), "tags"_a.noconvert(), "items"_a,
           "The leaves that score each item, in the order in which they were inferred.");
}

const Room room("classification", bind, "decision_trees");

} // namespace
