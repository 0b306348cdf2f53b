#include "checked_problem.hpp"
#include "runoff/sequence/tag_training.hpp"
#include "runoff/sequence/tagger.hpp"

#include <nanobind/stl/tuple.h>

namespace {

using runoff::sequence::Tag;
using runoff::sequence::TagCorpus;
using runoff::sequence::Tagger;
using runoff::sequence::TagProblem;
using runoff::sequence::TagSets;
using runoff::sequence::TagTemplates;

using Numbers = Vec<const std::uint32_t>;
using Tags = Vec<const Tag>;

// What words may be, and what is looked at: checked, and shared by training and tagging.
struct TagScheme {
  TagTemplates templates;
  TagSets sets;

  TagScheme(Vec<const std::int32_t> atoms, std::size_t n_forms, Offsets set_offsets, Tags set_tags,
            std::size_t n_tags)
      : templates(view(atoms), n_forms), sets(view(set_offsets), view(set_tags), n_tags) {}
};

TagCorpus corpus_of(const TagScheme &scheme, Numbers forms, Numbers sets, Numbers words,
                    Offsets offsets) {
  const TagCorpus corpus{view(forms), scheme.templates.n_forms(), view(sets), view(words),
                         view(offsets)};
  corpus.check(scheme.sets.size());
  return corpus;
}

double loss(const TagProblem &problem, Doubles weights, Vec<double> gradient, int threads) {
  require(weights.shape(0) == problem.pair_tags().size() && gradient.shape(0) == weights.shape(0),
          "weights and gradient must have one entry per pair");
  nb::gil_scoped_release release;
  return problem.loss(view(weights), view(gradient), {threads, check_signals});
}

// A tagger with the scheme that it was made for.
struct CheckedTagger {
  TagScheme scheme;
  Tagger tagger;
};

auto n_best(const CheckedTagger &self, Numbers forms, Numbers sets, Numbers words, Offsets offsets,
            std::size_t n, std::size_t beam, int threads) {
  require(n > 0 && beam > 0, "n and beam must be at least 1");
  runoff::sequence::TagLists found;
  {
    nb::gil_scoped_release release;
    const auto corpus = corpus_of(self.scheme, forms, sets, words, offsets);
    found = self.tagger.n_best(corpus, n, beam, {threads, check_signals});
  }
  return std::tuple(owned(std::move(found.counts)), owned(std::move(found.logprobs)),
                    owned(std::move(found.tags)));
}

auto choices(const CheckedTagger &self, Numbers forms, Numbers sets, Numbers words, Offsets offsets,
             double ratio, std::size_t beam, int threads) {
  require(beam > 0, "beam must be at least 1");
  runoff::sequence::TagChoices found;
  {
    nb::gil_scoped_release release;
    const auto corpus = corpus_of(self.scheme, forms, sets, words, offsets);
    found = self.tagger.choices(corpus, ratio, beam, {threads, check_signals});
  }
  return std::tuple(owned(std::move(found.counts)), owned(std::move(found.tags)),
                    owned(std::move(found.probabilities)));
}

void bind(nb::module_ &m) {
  nb::class_<TagScheme>(m, "TagScheme",
                        "Templates (six numbers each) and sets of tags that words may have.")
      .def(nb::init<Vec<const std::int32_t>, std::size_t, Offsets, Tags, std::size_t>(),
           "atoms"_a.noconvert(), "n_forms"_a, "set_offsets"_a.noconvert(),
           "set_tags"_a.noconvert(), "n_tags"_a);
  nb::class_<TagProblem>(m, "TagProblem", "The decisions of tagged sentences, to learn from.")
      .def(
          "__init__",
          [](TagProblem *self, const TagScheme &scheme, Numbers forms, Numbers sets, Numbers words,
             Offsets offsets, Tags gold, std::size_t min_count) {
            const auto corpus = corpus_of(scheme, forms, sets, words, offsets);
            require(gold.shape(0) == words.shape(0), "gold must have one entry per word");
            for (const Tag tag : view(gold))
              require(tag < scheme.sets.n_tags(), "gold names a tag that is not there");
            nb::gil_scoped_release release;
            new (self) TagProblem(scheme.templates, scheme.sets, corpus, view(gold), min_count,
                                  check_signals);
          },
          "scheme"_a, "forms"_a.noconvert(), "sets"_a.noconvert(), "words"_a.noconvert(),
          "offsets"_a.noconvert(), "gold"_a.noconvert(), "min_count"_a)
      .def(
          "keys", [](const TagProblem &self) { return owned(runoff::sequence::flat(self.keys())); },
          "Four numbers per feature: template and what its atoms found.")
      .def("pair_offsets",
           [](const TagProblem &self) { return owned(std::vector(self.pair_offsets())); })
      .def("pair_targets",
           [](const TagProblem &self) { return owned(std::vector(self.pair_tags())); })
      .def_prop_ro("decisions", &TagProblem::decisions)
      .def("loss", &loss, "weights"_a.noconvert(), "gradient"_a.noconvert(), "threads"_a = 1,
           "The sum of -log p(gold tag); writes its gradient.");
  nb::class_<CheckedTagger>(m, "Tagger", "Tags sentences, which are rows of a table of forms.")
      .def(
          "__init__",
          [](CheckedTagger *self, const TagScheme &scheme, Numbers keys, Offsets pair_offsets,
             Tags pair_tags, Vec<const float> weights) {
            new (self) CheckedTagger{
                scheme, Tagger(scheme.templates, scheme.sets,
                               {view(keys), view(pair_offsets), view(pair_tags), view(weights)})};
          },
          "scheme"_a, "keys"_a.noconvert(), "pair_offsets"_a.noconvert(), "pair_tags"_a.noconvert(),
          "weights"_a.noconvert())
      .def("n_best", &n_best, "forms"_a.noconvert(), "sets"_a.noconvert(), "words"_a.noconvert(),
           "offsets"_a.noconvert(), "n"_a, "beam"_a, "threads"_a = 1,
           "(counts, logprobs, tags): candidates per sentence, best first, laid end to end.")
      .def("choices", &choices, "forms"_a.noconvert(), "sets"_a.noconvert(), "words"_a.noconvert(),
           "offsets"_a.noconvert(), "ratio"_a, "beam"_a, "threads"_a = 1,
           "(counts, tags, probabilities): what each word may be, likeliest first.");
}

const Room room("sequence_tagging", bind);

} // namespace
