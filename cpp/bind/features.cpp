#include "checked_problem.hpp"
#include "head_table.hpp"
#include "runoff/features/change_features.hpp"
#include "runoff/features/parse_features.hpp"
#include "runoff/features/text_features.hpp"

#include <nanobind/stl/pair.h>
#include <utility>

namespace {

using runoff::features::ParseSet;

ParseSet parse_set(const std::string &name) {
  if (name == "small")
    return ParseSet::small;
  if (name == "full")
    return ParseSet::full;
  if (name == "rich")
    return ParseSet::rich;
  throw std::invalid_argument("no such set of parse features: " + name);
}

// The texts of symbols, each followed by a byte 255, which none of them has.
nb::bytes texts_of(const runoff::base::Symbols &symbols) {
  std::string texts;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    texts.append(symbols.text(static_cast<runoff::base::Symbol>(i))).push_back('\xff');
  return nb::bytes(texts.data(), texts.size());
}

nb::tuple columns_of(runoff::features::EncodedLists &&found, const runoff::base::Symbols &symbols) {
  return nb::make_tuple(owned(std::move(found.keys)), owned(std::move(found.checks)),
                        texts_of(symbols), owned(std::move(found.tokens)),
                        owned(std::move(found.token_offsets)), owned(std::move(found.list_counts)),
                        owned(std::move(found.feature_counts)), owned(std::move(found.ids)),
                        owned(std::move(found.values)));
}

std::string_view bytes_of(const nb::bytes &bytes) { return {bytes.c_str(), bytes.size()}; }

nb::tuple text_features(const std::vector<std::vector<nb::bytes>> &outputs,
                        const std::vector<nb::bytes> &inputs, Doubles logprobs, Integers ranks,
                        Integers thresholds, bool keep_all) {
  require(inputs.size() == outputs.size(), "inputs must have one entry per list");
  require(thresholds.shape(0) > 0, "there must be a threshold");
  std::vector<runoff::features::TextList> lists;
  std::size_t start = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto size = outputs[i].size();
    require(start + size <= logprobs.shape(0) && start + size <= ranks.shape(0),
            "logprobs and ranks must have one entry per candidate");
    lists.push_back({{},
                     bytes_of(inputs[i]),
                     view(logprobs).subspan(start, size),
                     view(ranks).subspan(start, size)});
    for (const auto &output : outputs[i])
      lists.back().outputs.push_back(bytes_of(output));
    start += size;
  }
  require(start == logprobs.shape(0) && start == ranks.shape(0),
          "logprobs and ranks must have one entry per candidate");
  runoff::base::Symbols symbols;
  runoff::features::EncodedTexts found;
  {
    nb::gil_scoped_release release;
    found =
        runoff::features::encode_texts(lists, view(thresholds), keep_all, symbols, check_signals);
  }
  return nb::make_tuple(columns_of(std::move(found.lists), symbols),
                        owned(std::move(found.is_count)));
}

using CasedBytes = std::pair<nb::bytes, nb::bytes>;

runoff::features::CasedText cased(const CasedBytes &both) {
  return {bytes_of(both.first), bytes_of(both.second)};
}

nb::tuple change_features(const std::vector<std::vector<CasedBytes>> &outputs,
                          const std::vector<std::optional<CasedBytes>> &inputs,
                          const std::vector<std::size_t> &favourites, Integers thresholds,
                          bool keep_all) {
  require(inputs.size() == outputs.size() && favourites.size() == outputs.size(),
          "inputs and favourites must have one entry per list");
  require(thresholds.shape(0) > 0, "there must be a threshold");
  std::vector<runoff::features::ChangeList> lists;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto &input = inputs[i];
    lists.push_back({{}, {}, input.has_value(), favourites[i]});
    if (input)
      lists.back().input = cased(*input);
    for (const auto &output : outputs[i])
      lists.back().outputs.push_back(cased(output));
  }
  runoff::base::Symbols symbols;
  runoff::features::EncodedLists found;
  {
    nb::gil_scoped_release release;
    found =
        runoff::features::encode_changes(lists, view(thresholds), keep_all, symbols, check_signals);
  }
  return columns_of(std::move(found), symbols);
}

class ParseFeatures {
public:
  ParseFeatures(const HeadTable &heads, Texts closed_tags, Texts verb_tags, Texts auxiliaries,
                const std::string &kind)
      : heads_(heads.table),
        classes_{std::move(closed_tags), std::move(verb_tags), std::move(auxiliaries)},
        set_(parse_set(kind)) {}

  nb::tuple encode(const std::vector<std::vector<nb::bytes>> &lists, Integers thresholds,
                   bool keep_all) const {
    std::vector<std::vector<std::string_view>> texts;
    for (const auto &list : lists) {
      texts.emplace_back();
      for (const auto &brackets : list)
        texts.back().emplace_back(brackets.c_str(), brackets.size());
    }
    runoff::base::Symbols symbols;
    runoff::features::EncodedLists found;
    {
      nb::gil_scoped_release release;
      found = runoff::features::encode_parses(heads_, classes_, set_, texts, view(thresholds),
                                              keep_all, symbols, check_signals);
    }
    return columns_of(std::move(found), symbols);
  }

  nb::tuple encode_pieces(const std::vector<nb::bytes> &trees) const {
    std::vector<std::string_view> texts;
    for (const auto &brackets : trees)
      texts.emplace_back(brackets.c_str(), brackets.size());
    runoff::base::Symbols symbols;
    runoff::features::EncodedLists found;
    std::vector<std::int64_t> pieces;
    {
      nb::gil_scoped_release release;
      found = runoff::features::encode_parse_pieces(heads_, classes_, set_, texts, symbols, pieces);
    }
    return nb::make_tuple(owned(std::move(pieces)), owned(std::move(found.keys)),
                          owned(std::move(found.feature_counts)), owned(std::move(found.ids)),
                          owned(std::move(found.values)));
  }

  nb::tuple places(nb::bytes brackets) const {
    const std::string_view text(brackets.c_str(), brackets.size());
    runoff::base::Symbols symbols;
    runoff::features::PlacedFeatures found;
    {
      nb::gil_scoped_release release;
      found = runoff::features::place_parse(heads_, classes_, set_, text, symbols);
    }
    return nb::make_tuple(texts_of(symbols), owned(std::move(found.tokens)),
                          owned(std::move(found.token_offsets)), owned(std::move(found.features)),
                          owned(std::move(found.nodes)), owned(std::move(found.starts)),
                          owned(std::move(found.stops)));
  }

private:
  runoff::trees::HeadTable heads_;
  runoff::trees::ClosedClasses classes_;
  ParseSet set_;
};

void bind(nb::module_ &m) {
  m.def("text_features", &text_features, "outputs"_a, "inputs"_a, "logprobs"_a.noconvert(),
        "ranks"_a.noconvert(), "thresholds"_a.noconvert(), "keep_all"_a,
        nb::sig("def text_features(outputs: Sequence[Sequence[bytes]], inputs: Sequence[bytes], "
                "logprobs: NDArray[numpy.float64], ranks: NDArray[numpy.int64], thresholds: "
                "NDArray[numpy.int64], keep_all: bool) -> tuple[tuple[NDArray[numpy.uint64], "
                "NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], NDArray[numpy.int64], "
                "NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], "
                "NDArray[numpy.float64]], NDArray[numpy.uint8]]"),
        "The columns that ParseFeatures.encode has, of lists of texts, and whether all values of "
        "each feature are counts; lists of items have a byte 255 before each.");
  m.def("change_features", &change_features, "outputs"_a, "inputs"_a, "favourites"_a,
        "thresholds"_a.noconvert(), "keep_all"_a,
        nb::sig("def change_features(outputs: Sequence[Sequence[tuple[bytes, bytes]]], inputs: "
                "Sequence[tuple[bytes, bytes] | None], favourites: Sequence[int], thresholds: "
                "NDArray[numpy.int64], keep_all: bool) -> tuple[NDArray[numpy.uint64], "
                "NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], NDArray[numpy.int64], "
                "NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], "
                "NDArray[numpy.float64]]"),
        "The columns that ParseFeatures.encode has, of texts and the same in small letters; the "
        "favourite of a list is the number of an output, or none of them.");
  nb::class_<ParseFeatures>(m, "ParseFeatures", "The features of parse trees.")
      .def(nb::init<const HeadTable &, Texts, Texts, Texts, const std::string &>(), "heads"_a,
           "closed_tags"_a, "verb_tags"_a, "auxiliaries"_a, "kind"_a)
      .def("encode", &ParseFeatures::encode, "lists"_a, "thresholds"_a.noconvert(), "keep_all"_a,
           nb::sig("def encode(self, lists: Sequence[Sequence[bytes]], thresholds: "
                   "NDArray[numpy.int64], keep_all: bool) -> tuple[NDArray[numpy.uint64], "
                   "NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], "
                   "NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], "
                   "NDArray[numpy.uint32], NDArray[numpy.float64]]"),
           "Columns (keys, checks, symbols, tokens, token offsets, list counts, feature counts, "
           "ids, values) of lists of brackets; ValueError if one is not a tree.")
      .def(
          "encode_pieces", &ParseFeatures::encode_pieces, "trees"_a,
          nb::sig("def encode_pieces(self, trees: Sequence[bytes]) -> tuple[NDArray[numpy.int64], "
                  "NDArray[numpy.uint64], NDArray[numpy.int64], NDArray[numpy.uint32], "
                  "NDArray[numpy.float64]]"),
          "Pieces of each tree, keys, and feature counts, ids and values of each piece; ValueError "
          "if one is not a tree.")
      .def("places", &ParseFeatures::places, "brackets"_a,
           nb::sig("def places(self, brackets: bytes) -> tuple[bytes, NDArray[numpy.uint32], "
                   "NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.int32], "
                   "NDArray[numpy.int32], NDArray[numpy.int32]]"),
           "Columns (symbols, tokens, token offsets, features, nodes, starts, stops) of a tree: "
           "each feature with the node it is about; ValueError if it is not a tree.");
}

const Room room("features", bind);

} // namespace
