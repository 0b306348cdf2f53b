#include "checked_problem.hpp"
#include "runoff/sequence/crf_training.hpp"

#include <nanobind/stl/tuple.h>

namespace {

using runoff::sequence::Crf;
using runoff::sequence::CrfChain;
using runoff::sequence::CrfItems;
using runoff::sequence::CrfProblem;
using runoff::sequence::CrfTemplates;
using runoff::sequence::Tag;
using runoff::sequence::TagCorpus;
using runoff::sequence::TagTemplates;

using Tags = Vec<const Tag>;

TagCorpus corpus_of(std::size_t n_forms, Ids forms, Ids sets, Ids words, Offsets offsets) {
  const TagCorpus corpus{view(forms), n_forms, view(sets), view(words), view(offsets)};
  corpus.check(1);
  return corpus;
}

double loss(const CrfProblem &problem, Doubles weights, Vec<double> gradient, int threads) {
  require(weights.shape(0) == problem.n_weights() && gradient.shape(0) == weights.shape(0),
          "weights and gradient must have one entry per pair and per edge");
  nb::gil_scoped_release release;
  return problem.loss(view(weights), view(gradient), {threads, check_signals});
}

auto n_best(const Crf &crf, Offsets offsets, Offsets attribute_offsets, Ids attributes,
            std::optional<Doubles> values, std::size_t n, int threads) {
  require(n > 0, "n must be at least 1");
  CrfItems items{view(offsets), view(attribute_offsets), view(attributes), {}};
  if (values)
    items.values = view(*values);
  runoff::sequence::TagLists found;
  {
    nb::gil_scoped_release release;
    items.check(crf.attributes());
    found = crf.n_best(items, n, {threads, check_signals});
  }
  return std::tuple(owned(std::move(found.counts)), owned(std::move(found.logprobs)),
                    owned(std::move(found.tags)));
}

auto find(const CrfTemplates &templates, Ids forms, Ids sets, Ids words, Offsets offsets,
          int threads) {
  CrfTemplates::Found found;
  {
    nb::gil_scoped_release release;
    const auto corpus = corpus_of(templates.n_forms(), forms, sets, words, offsets);
    found = templates.find(corpus, {threads, check_signals});
  }
  return std::tuple(owned(std::move(found.offsets)), owned(std::move(found.attributes)));
}

void bind_training(nb::module_ &m) {
  nb::class_<CrfChain>(m, "CrfChain",
                       "Which labels may be neighbours: pairs (before, label), sorted by label; "
                       "n_labels stands before the first word.")
      .def(
          "__init__",
          [](CrfChain *self, std::size_t order, std::size_t n_labels, Tags pairs) {
            new (self) CrfChain(order, n_labels, view(pairs));
          },
          "order"_a, "n_labels"_a, "pairs"_a.noconvert())
      .def_prop_ro("n_states", &CrfChain::n_states)
      .def_prop_ro("n_edges", &CrfChain::n_edges)
      .def_prop_ro("n_targets", &CrfChain::n_targets);
  nb::class_<CrfProblem>(m, "CrfProblem", "Labelled sentences, to learn from.")
      .def(
          "__init__",
          [](CrfProblem *self, const CrfChain &chain, Vec<const std::int32_t> atoms,
             std::size_t n_forms, Ids forms, Ids sets, Ids words, Offsets offsets, Tags gold,
             std::size_t min_count) {
            const auto corpus = corpus_of(n_forms, forms, sets, words, offsets);
            require(gold.shape(0) == words.shape(0), "gold must have one entry per word");
            for (const Tag label : view(gold))
              require(label < chain.n_labels(), "gold names a label that is not there");
            const TagTemplates templates(view(atoms), n_forms);
            nb::gil_scoped_release release;
            new (self) CrfProblem(chain, templates, corpus, view(gold), min_count, check_signals);
          },
          "chain"_a, "atoms"_a.noconvert(), "n_forms"_a, "forms"_a.noconvert(),
          "sets"_a.noconvert(), "words"_a.noconvert(), "offsets"_a.noconvert(),
          "gold"_a.noconvert(), "min_count"_a)
      .def(
          "keys", [](const CrfProblem &self) { return owned(runoff::sequence::flat(self.keys())); },
          "Four numbers per attribute: template and what its atoms found.")
      .def("pair_offsets",
           [](const CrfProblem &self) { return owned(std::vector(self.pair_offsets())); })
      .def("pair_targets",
           [](const CrfProblem &self) { return owned(std::vector(self.pair_targets())); })
      .def("loss", &loss, "weights"_a.noconvert(), "gradient"_a.noconvert(), "threads"_a = 1,
           "The sum of -log p(gold); writes its gradient. Weights of edges come last.");
}

void bind(nb::module_ &m) {
  bind_training(m);
  nb::class_<Crf>(m, "Crf", "Finds the most probable labels of sentences.")
      .def(
          "__init__",
          [](Crf *self, const CrfChain &chain, Offsets offsets, Ids targets, Doubles weights,
             Doubles edges) {
            new (self) Crf(chain, {view(offsets), view(targets), view(weights), view(edges)});
          },
          "chain"_a, "offsets"_a.noconvert(), "targets"_a.noconvert(), "weights"_a.noconvert(),
          "edges"_a.noconvert())
      .def("n_best", &n_best, "offsets"_a.noconvert(), "attribute_offsets"_a.noconvert(),
           "attributes"_a.noconvert(), "values"_a.noconvert().none(), "n"_a, "threads"_a = 1,
           "(counts, logprobs, labels): candidates per sentence, best first, laid end to end.");
  nb::class_<CrfTemplates>(m, "CrfTemplates", "Finds the attributes of words.")
      .def(
          "__init__",
          [](CrfTemplates *self, Vec<const std::int32_t> atoms, std::size_t n_forms, Ids keys) {
            new (self) CrfTemplates(TagTemplates(view(atoms), n_forms), view(keys));
          },
          "atoms"_a.noconvert(), "n_forms"_a, "keys"_a.noconvert())
      .def("find", &find, "forms"_a.noconvert(), "sets"_a.noconvert(), "words"_a.noconvert(),
           "offsets"_a.noconvert(), "threads"_a = 1,
           "(offsets, attributes): where those of each word begin, and what they are.");
}

const Room room("sequence_crf", bind);

} // namespace
