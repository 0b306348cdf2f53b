#include "checked_problem.hpp"
#include "head_table.hpp"
#include "runoff/features/parse_features.hpp"
#include "runoff/ranking/encoding.hpp"

#include <algorithm>

namespace {

using Keys = Vec<const std::uint64_t>;

// The keys and checks of names, which are pieces of a text.
nb::tuple fingerprints(Vec<const std::uint8_t> text, Offsets starts, Offsets ends) {
  require(starts.shape(0) == ends.shape(0), "there must be one end per start");
  std::vector<std::uint64_t> keys(starts.shape(0));
  std::vector<std::uint32_t> checks(starts.shape(0));
  {
    nb::gil_scoped_release release;
    const std::string_view all(reinterpret_cast<const char *>(text.data()), text.shape(0));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto start = static_cast<std::size_t>(starts.data()[i]);
      const auto end = static_cast<std::size_t>(ends.data()[i]);
      require(start <= end && end <= all.size(), "names must lie in the text");
      const auto one = runoff::base::fingerprint(all.substr(start, end - start));
      keys[i] = one.key;
      checks[i] = one.check;
    }
  }
  return nb::make_tuple(owned(std::move(keys)), owned(std::move(checks)));
}

auto add(runoff::base::FingerprintTable &table, Keys keys, Ids checks) {
  require(keys.shape(0) == checks.shape(0), "there must be one check per key");
  std::vector<std::uint32_t> numbers(keys.shape(0));
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = table.add({keys.data()[i], checks.data()[i]});
  }
  return owned(std::move(numbers));
}

auto find(const runoff::base::FingerprintTable &table, Keys keys) {
  std::vector<std::int64_t> numbers(keys.shape(0));
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = table.find(keys.data()[i]);
      numbers[i] = number == runoff::base::FingerprintTable::none ? -1 : std::int64_t{number};
    }
  }
  return owned(std::move(numbers));
}

// Keeps what becomes of the features of a space alive, checked once for all later calls.
class Encodings {
public:
  Encodings(Offsets offsets, Integers ids, Doubles cuts, std::size_t n_features)
      : offsets_(offsets), ids_(ids), cuts_(cuts), n_features_(n_features),
        encodings_{view(offsets_), view(ids_), view(cuts_)} {
    encodings_.check(n_features);
  }

  nb::tuple encode(Offsets list_offsets, Offsets feature_offsets, Ids ids, Doubles values,
                   Integers places) const {
    require(values.shape(0) == ids.shape(0), "there must be one value per id");
    const std::vector<double> none(std::max<std::size_t>(feature_offsets.shape(0), 1) - 1);
    const runoff::ranking::Problem found{view(list_offsets), view(feature_offsets), view(ids),
                                         view(values), none};
    runoff::ranking::Entries entries;
    {
      nb::gil_scoped_release release;
      found.check(places.shape(0));
      entries = runoff::ranking::encode_features(found, view(places), encodings_, n_features_,
                                                 check_signals);
    }
    return nb::make_tuple(owned(std::move(entries.counts)), owned(std::move(entries.ids)),
                          owned(std::move(entries.values)));
  }

private:
  Offsets offsets_;
  Integers ids_;
  Doubles cuts_;
  std::size_t n_features_;
  runoff::ranking::Encodings encodings_;
};

class ParseFeatures {
public:
  ParseFeatures(const HeadTable &heads, Texts closed_tags, Texts verb_tags, Texts auxiliaries,
                bool rich)
      : heads_(heads.table),
        classes_{std::move(closed_tags), std::move(verb_tags), std::move(auxiliaries)},
        rich_(rich) {}

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
      found = runoff::features::encode_parses(heads_, classes_, rich_, texts, view(thresholds),
                                              keep_all, symbols, check_signals);
    }
    return nb::make_tuple(
        owned(std::move(found.keys)), owned(std::move(found.checks)), names_of(symbols),
        owned(std::move(found.tokens)), owned(std::move(found.token_offsets)),
        owned(std::move(found.list_counts)), owned(std::move(found.feature_counts)),
        owned(std::move(found.ids)), owned(std::move(found.values)));
  }

private:
  runoff::trees::HeadTable heads_;
  runoff::trees::ClosedClasses classes_;
  bool rich_;
};

} // namespace

void bind_parse_features(nb::module_ &m) {
  m.def("fingerprints", &fingerprints, "text"_a.noconvert(), "starts"_a.noconvert(),
        "ends"_a.noconvert(),
        nb::sig("def fingerprints(text: NDArray[numpy.uint8], starts: NDArray[numpy.int64], "
                "ends: NDArray[numpy.int64]) -> "
                "tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]"),
        "Keys and checks of names of features, pieces [start, end) of a text.");
  nb::class_<runoff::base::FingerprintTable>(m, "FingerprintTable",
                                             "Numbers fingerprints in the order they come.")
      .def(nb::init<>())
      .def("add", &add, "keys"_a.noconvert(), "checks"_a.noconvert(),
           "Their numbers, new ones where need be; RuntimeError if two names share a key.")
      .def("find", &find, "keys"_a.noconvert(), "Their numbers, -1 where a key is not known.")
      .def("__len__", &runoff::base::FingerprintTable::size);
  nb::class_<Encodings>(m, "Encodings", "What becomes of the sources of a feature space.")
      .def(nb::init<Offsets, Integers, Doubles, std::size_t>(), "offsets"_a.noconvert(),
           "ids"_a.noconvert(), "cuts"_a.noconvert(), "n_features"_a)
      .def("encode", &Encodings::encode, "list_offsets"_a.noconvert(),
           "feature_offsets"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(),
           "places"_a.noconvert(),
           nb::sig("def encode(self, list_offsets: NDArray[numpy.int64], feature_offsets: "
                   "NDArray[numpy.int64], ids: NDArray[numpy.uint32], values: "
                   "NDArray[numpy.float64], places: NDArray[numpy.int64]) -> "
                   "tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]]"),
           "Columns (feature counts, ids, values) of lists in the space; places has the source of "
           "each feature that was found, or -1.");
  nb::class_<HeadTable>(m, "HeadTable", "Which child of a constituent is its head.")
      .def(nb::init<const Rules &, Texts, Texts>(), "rules"_a, "noun_phrases"_a, "punctuation"_a);
  nb::class_<ParseFeatures>(m, "ParseFeatures", "The features of parse trees.")
      .def(nb::init<const HeadTable &, Texts, Texts, Texts, bool>(), "heads"_a, "closed_tags"_a,
           "verb_tags"_a, "auxiliaries"_a, "rich"_a)
      .def("encode", &ParseFeatures::encode, "lists"_a, "thresholds"_a.noconvert(), "keep_all"_a,
           nb::sig("def encode(self, lists: Sequence[Sequence[bytes]], thresholds: "
                   "NDArray[numpy.int64], keep_all: bool) -> tuple[NDArray[numpy.uint64], "
                   "NDArray[numpy.uint32], list[str], NDArray[numpy.uint32], "
                   "NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], "
                   "NDArray[numpy.uint32], NDArray[numpy.float64]]"),
           "Columns (keys, checks, symbols, tokens, token offsets, list counts, feature counts, "
           "ids, values) of lists of brackets; ValueError if one is not a tree.");
}
