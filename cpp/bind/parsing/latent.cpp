#include "bind.hpp"
#include "checked_problem.hpp"

#include "runoff/base/offsets.hpp"
#include "runoff/parsing/latent_grammar.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace runoff;
using namespace runoff::parsing;

namespace {

using Numbers = Vec<const std::int32_t>;
using Offsets = Vec<const std::int64_t>;
using Strings = std::vector<std::string>;

constexpr std::size_t SENTENCES_PER_BLOCK = 4;

// The words of sentences, one sentence after the other.
struct Sentences {
  std::span<const std::int64_t> offsets;
  std::span<const Word> words;

  Sentences(const Offsets &bounds, const Numbers &numbers, std::size_t count)
      : offsets(view(bounds)), words(view(numbers)) {
    base::check_offsets(offsets, words.size(), "sentences");
    if (offsets.size() != count + 1)
      throw std::invalid_argument("there must be words for every sentence");
    for (const auto word : words)
      if (word < 0)
        throw std::invalid_argument("the number of a word is negative");
  }
  std::span<const Word> operator[](std::size_t n) const {
    return words.subspan(static_cast<std::size_t>(offsets[n]),
                         static_cast<std::size_t>(offsets[n + 1] - offsets[n]));
  }
};

LatentGrammar trained(const Strings &labels, const Strings &trees, Offsets word_offsets,
                      Numbers words, int cycles, int iterations, double merged, std::uint64_t seed,
                      int threads) {
  const Sentences sentences(word_offsets, words, trees.size());
  nb::gil_scoped_release release;
  LatentTreeReader reader(labels);
  std::vector<LatentTree> read(trees.size());
  for (std::size_t n = 0; n < trees.size(); ++n)
    reader.read(trees[n], sentences[n], read[n]);
  return train_latent_grammar(reader.labels(), read, {cycles, iterations, merged, seed},
                              {threads, check_signals});
}

// Of every tree of every list, the sum over the grammars.
nb::ndarray<nb::numpy, double, nb::ndim<1>>
judged(const std::vector<const LatentGrammar *> &grammars, const Strings &labels,
       const std::vector<Strings> &lists, Offsets word_offsets, Numbers words, int threads) {
  const Sentences sentences(word_offsets, words, lists.size());
  const auto known = LatentTreeReader(labels).labels();
  for (const auto *grammar : grammars)
    if (grammar->rules().labels != known)
      throw std::invalid_argument("a grammar has other labels");
  std::vector<std::size_t> offsets{0};
  for (const auto &list : lists)
    offsets.push_back(offsets.back() + list.size());
  std::vector<double> result(offsets.back());
  {
    nb::gil_scoped_release release;
    base::in_blocks(lists.size(), SENTENCES_PER_BLOCK, {threads, check_signals},
                    [&](std::size_t begin, std::size_t end) {
                      LatentTreeReader reader(labels);
                      LatentTree tree;
                      LatentForest forest;
                      std::vector<std::size_t> tops;
                      for (auto n = begin; n < end; ++n) {
                        forest.clear();
                        tops.clear();
                        for (const auto &brackets : lists[n]) {
                          reader.read(brackets, sentences[n], tree);
                          tops.push_back(forest.add(tree));
                        }
                        for (const auto *grammar : grammars) {
                          const auto found = grammar->log_probabilities(forest.nodes(), tops);
                          for (std::size_t c = 0; c < found.size(); ++c)
                            result[offsets[n] + c] += found[c];
                        }
                      }
                    });
  }
  return owned(std::move(result));
}

template <typename T> using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Arrays = std::tuple<Array<std::uint8_t>, Array<std::int32_t>, Array<std::uint32_t>,
                          Array<std::uint32_t>, Array<std::uint16_t>>;

Arrays arrays(const LatentGrammar &grammar) {
  const auto &rules = grammar.rules();
  std::vector<std::int32_t> symbols;
  std::vector<std::uint32_t> places;
  std::vector<std::uint16_t> codes;
  for (std::size_t n = 0; n < rules.rules.size(); ++n) {
    const auto &rule = rules.rules[n];
    symbols.insert(symbols.end(), {rule.parent, rule.left, rule.right});
    for (const auto &entry : rules.of(n)) {
      places.push_back(rules.place(rule, entry));
      codes.push_back(latent_code(entry.probability));
    }
  }
  return {owned(std::vector(rules.substates)), owned(std::move(symbols)),
          owned(std::vector(rules.offsets)), owned(std::move(places)), owned(std::move(codes))};
}

LatentGrammar restored(const Strings &labels, Vec<const std::uint8_t> substates, Numbers symbols,
                       Vec<const std::uint32_t> offsets, Vec<const std::uint32_t> places,
                       Vec<const std::uint16_t> codes) {
  LatentRules rules;
  rules.labels = LatentTreeReader(labels).labels();
  const auto counts = view(substates);
  rules.substates.assign(counts.begin(), counts.end());
  const auto numbers = view(symbols);
  const auto ends = view(offsets);
  rules.offsets.assign(ends.begin(), ends.end());
  if (numbers.size() % 3 != 0 || places.shape(0) != codes.shape(0))
    throw std::invalid_argument("the arrays of a grammar with substates do not fit together");
  for (std::size_t n = 0; n < numbers.size(); n += 3)
    rules.rules.push_back({numbers[n], numbers[n + 1], numbers[n + 2]});
  rules.entries.resize(places.shape(0));
  rules.check_rules();
  for (std::size_t n = 0; n < rules.rules.size(); ++n)
    for (auto e = rules.offsets[n]; e < rules.offsets[n + 1]; ++e)
      rules.entries[e] = rules.entry_at(rules.rules[n], places(e), latent_probability(codes(e)));
  return LatentGrammar(std::move(rules));
}

void bind(nb::module_ &m) {
  nb::class_<LatentGrammar>(m, "LatentGrammar", "A grammar with hidden substates.")
      .def("arrays", &arrays,
           "Substates of symbols, rules, offsets of their entries, places and codes of these.");
  m.def("restore_latent_grammar", &restored, "labels"_a, "substates"_a.noconvert(),
        "symbols"_a.noconvert(), "offsets"_a.noconvert(), "places"_a.noconvert(),
        "codes"_a.noconvert(), "A grammar from the arrays of a file, checked.");
  m.def("train_latent_grammar", &trained, "labels"_a, "trees"_a, "word_offsets"_a.noconvert(),
        "words"_a.noconvert(), "cycles"_a, "iterations"_a, "merged"_a, "seed"_a, "threads"_a = 1,
        "Learns a grammar from trees in brackets, whose words are given as numbers.");
  m.def("latent_log_probabilities", &judged, "grammars"_a, "labels"_a, "lists"_a,
        "word_offsets"_a.noconvert(), "words"_a.noconvert(), "threads"_a = 1,
        "The log-probability of each tree of each sentence, summed over grammars.");
}

const Room room("parsing_latent", bind);

} // namespace
