#include "bind.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/parsing/head_parser.hpp"

#include <algorithm>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace {

using namespace runoff;
using namespace runoff::parsing;
using Bytes = Vec<const std::uint8_t>;
using SmallIntegers = Vec<const std::int8_t>;
using Numbers = Vec<const std::int32_t>;
using Offsets = Vec<const std::int64_t>;
using Doubles = Vec<const double>;

template <typename T> std::vector<T> copied(const Vec<const T> &array) {
  return {array.data(), array.data() + array.shape(0)};
}

Labels labels_of(int tags, int top, int np, int base_np, const Bytes &is_verb,
                 const Bytes &is_conjunction, const SmallIntegers &complements) {
  Labels labels{tags,
                static_cast<Label>(is_verb.shape(0)),
                top,
                copied(is_verb),
                copied(is_conjunction),
                copied(complements),
                np,
                base_np};
  labels.check();
  return labels;
}

// Keeps the arrays of trees alive, checked once for all later calls.
class CheckedTrees {
public:
  CheckedTrees(const Labels &meaning, int words, Offsets offsets, Numbers labels, Numbers ends,
               Numbers heads, Numbers word_ids)
      : offsets_(offsets), labels_(labels), ends_(ends), heads_(heads), word_ids_(word_ids),
        words_(words),
        trees{view(offsets_), view(labels_), view(ends_), view(heads_), view(word_ids_)} {
    nb::gil_scoped_release release;
    check(meaning);
  }
  // Throws std::invalid_argument unless the trees have such labels.
  void check(const Labels &meaning) const { trees.check(meaning, words_); }

private:
  Offsets offsets_;
  Numbers labels_, ends_, heads_, word_ids_;
  int words_;

public:
  HeadedTrees trees;
};

// Rows of a few numbers as one flat array, and back.
template <std::size_t N> auto flat(const std::vector<std::array<std::int32_t, N>> &rows) {
  std::vector<std::int32_t> values;
  for (const auto &row : rows)
    values.insert(values.end(), row.begin(), row.end());
  return owned(std::move(values));
}

template <std::size_t N> std::vector<std::array<std::int32_t, N>> rows(const Numbers &values) {
  if (values.shape(0) % N != 0)
    throw std::invalid_argument("a table of what was seen has the wrong size");
  std::vector<std::array<std::int32_t, N>> result(values.shape(0) / N);
  for (std::size_t n = 0; n < values.shape(0); ++n)
    result[n / N][n % N] = values(n);
  return result;
}

HeadModel trained(const Labels &labels, const CheckedTrees &checked, Offsets chosen,
                  bool lexicalised, std::uint32_t least) {
  nb::gil_scoped_release release;
  checked.check(labels);
  const auto &trees = checked.trees;
  for (const auto tree : view(chosen))
    if (tree < 0 || tree + 1 >= static_cast<std::int64_t>(trees.offsets.size()))
      throw std::invalid_argument("a chosen tree is out of range");
  return train_head_model(labels, trees, view(chosen), lexicalised, least, check_signals);
}

HeadModel
restored(const Labels &labels, Numbers heads, Numbers modifiers, Numbers frames, Numbers above,
         Numbers tag_counts,
         std::vector<std::pair<Vec<const std::uint32_t>, Vec<const std::uint16_t>>> tables) {
  std::vector<BackoffTable> copies(tables.size());
  for (std::size_t n = 0; n < tables.size(); ++n) {
    copies[n].keys = copied(tables[n].first);
    copies[n].values = copied(tables[n].second);
  }
  return HeadModel(labels,
                   Seen{rows<2>(heads), rows<4>(modifiers), rows<4>(frames), rows<3>(above),
                        rows<2>(tag_counts)},
                   std::move(copies));
}

using Array32 = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Table = std::pair<nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>,
                        nb::ndarray<nb::numpy, std::uint16_t, nb::ndim<1>>>;

std::vector<Array32> seen_arrays(const HeadModel &model) {
  const auto &seen = model.seen();
  return {flat(seen.heads), flat(seen.modifiers), flat(seen.frames), flat(seen.above),
          flat(seen.tags)};
}

std::vector<Table> table_arrays(const HeadModel &model) {
  std::vector<Table> arrays;
  for (const auto &table : model.tables())
    arrays.emplace_back(owned(std::vector(table.keys)), owned(std::vector(table.values)));
  return arrays;
}

// The tags that a word may have, with probabilities of the word given the tag, up to a factor: by
// Bayes, what the caller says of the tag given the word, over how frequent the tag is. Tags that
// training never had are left out.
std::vector<TagChoice> given_tags(const HeadModel &model, std::span<const std::int32_t> tags,
                                  std::span<const double> probabilities) {
  std::vector<TagChoice> choices;
  const double largest =
      tags.empty() ? 1.0 : *std::max_element(probabilities.begin(), probabilities.end());
  for (std::size_t n = 0; n < tags.size(); ++n)
    if (const double share = model.tag_share(tags[n]); share > 0)
      choices.push_back({tags[n], probabilities[n] / largest / share});
  return choices;
}

// Words of several sentences, one after the other, and the tags that each word may have; none:
// those that the parser itself thinks of.
std::vector<Sentence> sentences_of(const HeadParser &parser,
                                   std::span<const std::int64_t> sentences,
                                   std::span<const std::int32_t> words, Word words_known,
                                   std::span<const std::int64_t> choices,
                                   std::span<const std::int32_t> tags,
                                   std::span<const double> probabilities, double ratio) {
  const auto require = [](bool holds) {
    if (!holds)
      throw std::invalid_argument("the columns do not hold sentences with choices of tags");
  };
  base::check_offsets(sentences, words.size(), "sentences");
  base::check_offsets(choices, tags.size(), "choices");
  require(choices.size() == words.size() + 1 && tags.size() == probabilities.size());
  for (const auto word : words)
    require(word >= 0 && word < words_known);
  for (const auto tag : tags)
    require(tag >= 0 && tag < parser.model().labels().tags);
  for (const double p : probabilities)
    require(p > 0 && p < 2); // sums of exponentials may round above 1
  std::vector<Sentence> result(sentences.size() - 1);
  for (std::size_t n = 0; n < result.size(); ++n)
    for (auto w = static_cast<std::size_t>(sentences[n]);
         w < static_cast<std::size_t>(sentences[n + 1]); ++w) {
      result[n].words.push_back(words[w]);
      const auto first = static_cast<std::size_t>(choices[w]);
      const auto count = static_cast<std::size_t>(choices[w + 1]) - first;
      auto own = given_tags(parser.model(), tags.subspan(first, count),
                            probabilities.subspan(first, count));
      for (std::size_t c = 1; c < own.size(); ++c)
        for (std::size_t d = 0; d < c; ++d)
          require(own[c].tag != own[d].tag);
      result[n].tags.push_back(own.empty() ? parser.own_tags(words[w], ratio) : std::move(own));
    }
  return result;
}

constexpr int LONGEST = 1 << 12; // words; keeps every number of a chart in range

std::vector<std::vector<std::pair<std::string, double>>>
parse(const HeadParser &parser, const std::vector<std::vector<std::string>> &words,
      Offsets sentence_offsets, Numbers word_ids, int words_known, Offsets choice_offsets,
      Numbers tags, Doubles probabilities, double ratio, std::size_t n, int threads) {
  const auto sentences = sentences_of(parser, view(sentence_offsets), view(word_ids), words_known,
                                      view(choice_offsets), view(tags), view(probabilities), ratio);
  if (words.size() != sentences.size())
    throw std::invalid_argument("there must be words for every sentence");
  for (std::size_t s = 0; s < words.size(); ++s)
    if (words[s].size() != sentences[s].words.size() || words[s].size() > LONGEST)
      throw std::invalid_argument("a sentence has the wrong number of words");
  std::vector<std::vector<std::pair<std::string, double>>> results(words.size());
  nb::gil_scoped_release release;
  base::in_long_blocks(words.size(), 16, {threads, check_signals},
                       [&](std::size_t begin, std::size_t end, const base::Poll &poll) {
                         for (auto s = begin; s < end; ++s)
                           for (auto &parse : parser.parse(sentences[s], words[s], n, poll))
                             results[s].emplace_back(std::move(parse.brackets), parse.logprob);
                       });
  return results;
}

nb::ndarray<nb::numpy, double, nb::ndim<1>>
tree_log_probabilities(const HeadModel &model, int words, Offsets offsets, Numbers labels,
                       Numbers ends, Numbers heads, Numbers word_ids) {
  const CheckedTrees checked(model.labels(), words, offsets, labels, ends, heads, word_ids);
  return owned(log_probabilities(model, checked.trees));
}

void bind_model(nb::module_ &m) {
  nb::class_<Labels>(m, "HeadLabels", "What the labels of a head-driven model mean, checked.")
      .def(
          "__init__",
          [](Labels *self, int tags, int top, int np, int base_np, Bytes is_verb,
             Bytes is_conjunction, SmallIntegers complements) {
            new (self)
                Labels(labels_of(tags, top, np, base_np, is_verb, is_conjunction, complements));
          },
          "tags"_a, "top"_a, "np"_a, "base_np"_a, "is_verb"_a.noconvert(),
          "is_conjunction"_a.noconvert(), "complements"_a.noconvert());
  nb::class_<CheckedTrees>(m, "HeadedTrees",
                           "Trees with heads as columns, checked; nothing is copied.")
      .def(nb::init<const Labels &, int, Offsets, Numbers, Numbers, Numbers, Numbers>(),
           "meaning"_a, "words"_a, "offsets"_a.noconvert(), "labels"_a.noconvert(),
           "ends"_a.noconvert(), "heads"_a.noconvert(), "word_ids"_a.noconvert());
  nb::class_<HeadModel>(m, "HeadModel", "A head-driven model of trees: what was seen, and tables.")
      .def("seen", &seen_arrays, "Heads, modifiers, frames, labels above and tags, as flat arrays.")
      .def("tables", &table_arrays, "Keys and values of each table of probabilities.")
      .def("log_probabilities", &tree_log_probabilities, "words"_a, "offsets"_a.noconvert(),
           "labels"_a.noconvert(), "ends"_a.noconvert(), "heads"_a.noconvert(),
           "word_ids"_a.noconvert(), "The log-probability of each tree.");
  m.def("train_head_model", &trained, "labels"_a, "trees"_a, "chosen"_a.noconvert(),
        "lexicalised"_a, "least"_a, "Learns a model from the chosen trees.");
  m.def("restore_head_model", &restored, "labels"_a, "heads"_a.noconvert(),
        "modifiers"_a.noconvert(), "frames"_a.noconvert(), "above"_a.noconvert(),
        "tag_counts"_a.noconvert(), "tables"_a, "A model from the arrays of a file, checked.");
}

void bind(nb::module_ &m) {
  bind_model(m);
  nb::class_<HeadParser>(m, "HeadParser", "Parses sentences with a head-driven model.")
      .def(
          "__init__",
          [](HeadParser *self, const HeadModel &model, std::vector<std::string> names, float coarse,
             double fine, std::size_t edges) {
            new (self) HeadParser(model, std::move(names), Beam{coarse, fine, edges});
          },
          "model"_a, "names"_a, "coarse"_a, "fine"_a, "edges"_a = Beam{}.edges,
          nb::keep_alive<1, 2>())
      .def_prop_ro("longest", &HeadParser::longest,
                   "Words of the longest sentence that fits the memory of one.")
      .def("parse", &parse, "words"_a, "sentence_offsets"_a.noconvert(), "word_ids"_a.noconvert(),
           "words_known"_a, "choice_offsets"_a.noconvert(), "tags"_a.noconvert(),
           "probabilities"_a.noconvert(), "ratio"_a, "n"_a, "threads"_a = 1,
           "For each sentence at most n trees with their log-probabilities, best first.");
}

const Room room("parsing_heads", bind);

} // namespace
