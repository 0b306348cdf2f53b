#include "bind.hpp"
#include "kept_ngrams.hpp"
#include "runoff/ngrams/estimation.hpp"
#include "runoff/ngrams/matches.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {

using runoff::ngrams::State;

using Ids = Vec<const std::uint32_t>;
using Offsets = Vec<const std::int64_t>;
using Weights = Vec<const float>;

using OrderTuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

void score_sentences(const KeptModel &kept, Ids words, Offsets offsets, Vec<float> scores,
                     int threads) {
  nb::gil_scoped_release release;
  kept.model.score(view(words), view(offsets), view(scores), {threads, check_signals});
}

auto score_word(const KeptModel &kept, const State &state, std::uint32_t word) {
  State next;
  const float score = kept.model.score(state, word, next);
  return std::pair(score, next);
}

auto score_vocabulary(const KeptModel &kept, const State &state) {
  std::vector<double> scores(kept.model.vocabulary());
  State next;
  for (std::size_t word = 0; word < scores.size(); ++word)
    scores[word] = kept.model.score(state, static_cast<std::uint32_t>(word), next);
  return owned(std::move(scores));
}

nb::typed<nb::list, OrderTuple> estimate(Ids text, std::size_t vocabulary, std::size_t order) {
  runoff::ngrams::Estimates made;
  {
    nb::gil_scoped_release release;
    made = runoff::ngrams::estimate(view(text), vocabulary, order, check_signals);
  }
  nb::typed<nb::list, OrderTuple> orders;
  for (auto &one : made.orders)
    orders.append(nb::make_tuple(owned(std::move(one.words)), owned(std::move(one.children)),
                                 owned(std::move(one.probabilities)),
                                 owned(std::move(one.backoffs)), one.discounts, one.fallback));
  return orders;
}

std::vector<std::uint32_t> state_words(const State &state) {
  return {state.words.begin(), state.words.begin() + static_cast<std::ptrdiff_t>(state.length)};
}

void bind(nb::module_ &m) {
  nb::class_<State>(m, "NgramState", "What the probability of the next words depends on.")
      .def_prop_ro("words", &state_words, "Numbers of the words that matter, the last one first.")
      .def(
          "__eq__",
          [](const State &a, const nb::object &b) {
            return nb::isinstance<State>(b) && a == nb::cast<const State &>(b);
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &State::hash);
  nb::class_<KeptModel>(m, "NgramModel", "A trie of n-grams, which is checked on the way.")
      .def(nb::init<std::vector<std::tuple<Ids, Ids, Weights, Weights>>>(), "orders"_a,
           "Of every order words, children, probabilities and backoffs; see `model.hpp`.")
      .def(
          "begin", [](const KeptModel &kept) { return kept.model.begin(); },
          "The state before the first word of a sentence.")
      .def("score_word", &score_word, "state"_a, "word"_a,
           "The log10 of a word's probability after a state, and the state after it.")
      .def("score_vocabulary", &score_vocabulary, "state"_a,
           "The log10 of the probability of every word after a state.")
      .def("score_sentences", &score_sentences, "words"_a.noconvert(), "offsets"_a.noconvert(),
           "scores"_a.noconvert(), "threads"_a = 1,
           "Writes the log10 of the probability of every word and of the end of every sentence.");
  m.def(
      "match_ngrams",
      [](Ids outputs, Offsets output_offsets, Ids references, Offsets reference_offsets,
         std::size_t order) {
        return owned(runoff::ngrams::matches(view(outputs), view(output_offsets), view(references),
                                             view(reference_offsets), order));
      },
      "outputs"_a.noconvert(), "output_offsets"_a.noconvert(), "references"_a.noconvert(),
      "reference_offsets"_a.noconvert(), "order"_a,
      "How many n-grams of each order every output has in common with the references.");
  m.def("estimate_ngrams", &estimate, "text"_a.noconvert(), "vocabulary"_a, "order"_a,
        "Of every order words, children, probabilities, backoffs, discounts, and whether these are "
        "the fallback.");
}

const Room room("ngrams", bind);

} // namespace
