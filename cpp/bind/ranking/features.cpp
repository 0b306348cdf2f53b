#include "checked_problem.hpp"
#include "runoff/ranking/encoding.hpp"
#include "runoff/ranking/feature_index.hpp"
#include "runoff/ranking/list_maxima.hpp"

#include <nanobind/stl/pair.h>
#include <utility>

namespace {

using runoff::ranking::FeatureIndex;

// The rows are as long as the features occur, so a list must not come twice.
void check_distinct(std::span<const std::int64_t> order, std::size_t lists) {
  check_order(order, lists);
  std::vector<char> seen(lists, 0);
  for (const auto list : order)
    require(!std::exchange(seen[static_cast<std::size_t>(list)], char{1}),
            "order must not name a list twice");
}

void scores(const FeatureIndex &index, Doubles weights, Vec<double> scores, int threads) {
  require(weights.shape(0) == index.rows(), "weights must have one entry per feature and one more");
  require(scores.shape(0) == index.candidates(), "scores must have one entry per candidate");
  nb::gil_scoped_release release;
  index.scores(view(weights), view(scores), {threads, check_signals});
}

void gradient(const FeatureIndex &index, Doubles coefficients, Vec<double> gradient, int threads) {
  require(coefficients.shape(0) == index.candidates(),
          "coefficients must have one entry per candidate");
  require(gradient.shape(0) == index.rows(),
          "gradient must have one entry per feature and one more");
  nb::gil_scoped_release release;
  index.gradient(view(coefficients), view(gradient), {threads, check_signals});
}

void scatter(const FeatureIndex &index, std::size_t row, Vec<double> values) {
  require(row < index.rows(), "there is no such row");
  require(values.shape(0) == index.candidates(), "values must have one entry per candidate");
  index.scatter(row, view(values));
}

auto list_maxima(const CheckedProblem &checked) {
  runoff::ranking::ListMaxima maxima;
  {
    nb::gil_scoped_release release;
    maxima = runoff::ranking::list_maxima(checked.problem);
  }
  return std::pair(owned(std::move(maxima.feature_offsets)), owned(std::move(maxima.feature_ids)));
}

void feature_ranges(const CheckedProblem &checked, Vec<double> ranges) {
  require(ranges.shape(0) == checked.n_features + 1,
          "ranges must have one entry per feature and one more");
  nb::gil_scoped_release release;
  runoff::ranking::feature_ranges(checked.problem, view(ranges));
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

void feature_scales(const CheckedProblem &checked, Integers order, Vec<double> scales) {
  require(scales.shape(0) == checked.n_features + 1,
          "scales must have one entry per feature and one more");
  check_order(view(order), checked.problem.lists());
  nb::gil_scoped_release release;
  runoff::ranking::feature_scales(checked.problem, view(order), view(scales));
}

void bind(nb::module_ &m) {
  nb::class_<FeatureIndex>(
      m, "FeatureIndex",
      "Where each feature of a problem occurs, and in the last row the log-probabilities.")
      .def(
          "__init__",
          [](FeatureIndex *self, const CheckedProblem &checked, Integers order,
             const Between &between, int threads) {
            check_distinct(view(order), checked.problem.lists());
            nb::gil_scoped_release release;
            new (self) FeatureIndex(checked.problem, checked.n_features, view(order),
                                    calling(between), {threads, check_signals});
          },
          "problem"_a, "order"_a.noconvert(), "between"_a, "threads"_a = 1)
      .def(
          "scores", &scores, "weights"_a.noconvert(), "scores"_a.noconvert(), "threads"_a = 1,
          "Writes each candidate's sum of weight times value; the log-probability is that relative "
          "to the first of its list.")
      .def("gradient", &gradient, "coefficients"_a.noconvert(), "gradient"_a.noconvert(),
           "threads"_a = 1, "Writes, per row, the sum of value times coefficient.")
      .def("scatter", &scatter, "row"_a, "values"_a.noconvert(),
           "Writes the values of a row to the places of its candidates.");
  m.def("list_maxima", &list_maxima, "problem"_a,
        "(feature_offsets, feature_ids) of the features that are at their list's maximum.");
  m.def("feature_ranges", &feature_ranges, "problem"_a, "ranges"_a.noconvert(),
        "Writes the largest range of every feature within a list, 1 for those that never vary.");
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
  m.def("feature_scales", &feature_scales, "problem"_a, "order"_a.noconvert(),
        "scales"_a.noconvert(),
        "Writes the spread of every real-valued feature within its lists, 1 for the others.");
}

const Room room("ranking_features", bind);

} // namespace
