#include "checked_problem.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/ranking/feature_index.hpp"
#include "runoff/ranking/list_maxima.hpp"
#include "runoff/ranking/losses.hpp"

#include <algorithm>
#include <nanobind/stl/pair.h>

namespace {

using runoff::ranking::FeatureIndex;

// The rows are as long as the features occur, so a list must not come twice.
void check_permutation(std::span<const std::int64_t> order, std::size_t lists) {
  check_order(order, lists);
  std::vector<char> seen(lists, 0);
  for (const auto list : order)
    seen[static_cast<std::size_t>(list)] = 1;
  require(order.size() == lists && std::find(seen.begin(), seen.end(), 0) == seen.end(),
          "order must name every list once");
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

using ListLoss = void(std::span<const std::int64_t>, std::span<const double>,
                      std::span<const double>, runoff::ranking::LossOut,
                      const runoff::base::Threads &);

// A loss that compares scores with one number per candidate.
template <ListLoss loss>
void list_loss(Offsets list_offsets, Doubles wanted, Doubles scores, Vec<double> losses,
               Vec<double> coefficients, int threads) {
  runoff::base::check_offsets(view(list_offsets), scores.shape(0), "list_offsets");
  require(losses.shape(0) + 1 == list_offsets.shape(0), "losses must have one entry per list");
  require(wanted.shape(0) == scores.shape(0) && coefficients.shape(0) == scores.shape(0),
          "all but losses must have one entry per candidate");
  nb::gil_scoped_release release;
  loss(view(list_offsets), view(wanted), view(scores), {view(losses), view(coefficients)},
       {threads, check_signals});
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

} // namespace

void bind_losses(nb::module_ &m) {
  nb::class_<FeatureIndex>(
      m, "FeatureIndex",
      "Where each feature of a problem occurs, and in the last row the log-probabilities.")
      .def(
          "__init__",
          [](FeatureIndex *self, const CheckedProblem &checked, Integers order,
             const Between &between, int threads) {
            check_permutation(view(order), checked.problem.lists());
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
  m.def("log_loss", &list_loss<runoff::ranking::log_loss>, "list_offsets"_a.noconvert(),
        "targets"_a.noconvert(), "scores"_a.noconvert(), "losses"_a.noconvert(),
        "coefficients"_a.noconvert(), "threads"_a = 1,
        "Writes each list's -sum of target * log p, and its derivative by each score.");
  m.def("sample_loss", &list_loss<runoff::ranking::sample_loss>, "list_offsets"_a.noconvert(),
        "signs"_a.noconvert(), "scores"_a.noconvert(), "losses"_a.noconvert(),
        "coefficients"_a.noconvert(), "threads"_a = 1,
        "Writes each list's mean of log(1 + exp(-sign * score)), and its derivatives.");
  m.def("list_maxima", &list_maxima, "problem"_a,
        "(feature_offsets, feature_ids) of the features that are at their list's maximum.");
  m.def("feature_ranges", &feature_ranges, "problem"_a, "ranges"_a.noconvert(),
        "Writes the largest range of every feature within a list, 1 for those that never vary.");
}
