#include "bind.hpp"
#include "runoff/search/score_errors.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace {

using runoff::search::ScoreErrors;
using Floats = Vec<const double>;

void build(ScoreErrors *self, Floats centres, Floats scales, Floats lows, Floats highs,
           Floats means, Floats deviations, Floats correlations, std::size_t rows,
           std::size_t columns) {
  const ScoreErrors::Arrays arrays{view(centres), view(scales),     view(lows),        view(highs),
                                   view(means),   view(deviations), view(correlations)};
  new (self) ScoreErrors(arrays, rows, columns);
}

std::pair<double, double> expected(const ScoreErrors &self, double u,
                                   const std::vector<double> &scores) {
  const auto found = self.expected(u, scores);
  return {found.mean, found.variance};
}

void bind(nb::module_ &m) {
  nb::class_<ScoreErrors>(m, "ScoreErrors",
                          "How much the scores of half-read candidates still move.")
      .def("__init__", &build, "centres"_a.noconvert(), "scales"_a.noconvert(),
           "lows"_a.noconvert(), "highs"_a.noconvert(), "means"_a.noconvert(),
           "deviations"_a.noconvert(), "correlations"_a.noconvert(), "rows"_a, "columns"_a)
      .def("expected", &expected, "completion"_a, "scores"_a,
           "Mean and variance of the final score, by the scores so far.");
}

const Room room("search_partial", bind);

} // namespace
