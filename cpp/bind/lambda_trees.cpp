#include "checked_problem.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/lambda_trees/booster.hpp"
#include "runoff/lambda_trees/trees.hpp"
#include "runoff/ranking/list_views.hpp"

#include <nanobind/stl/tuple.h>
#include <tuple>

namespace {

using runoff::lambda_trees::Bin;
using runoff::lambda_trees::Trees;

using Column = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Numbers = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>;

std::tuple<Column, Column, Column> list_views(const CheckedProblem &checked, const Ids &features) {
  std::uint32_t least = 0;
  for (const auto one : view(features)) {
    require(one >= least && one < checked.n_features, "features must rise, and be in the problem");
    least = one + 1;
  }
  runoff::ranking::ListViews found{};
  {
    nb::gil_scoped_release release;
    found = runoff::ranking::list_views(checked.problem, view(features), check_signals);
  }
  return {owned(std::move(found.raw)), owned(std::move(found.rank)), owned(std::move(found.score))};
}

std::tuple<nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>, Numbers, Numbers, Numbers, Column>
boost_trees(const Offsets &list_offsets, const Doubles &qualities, const Vec<const Bin> &bins,
            std::size_t n_columns, std::size_t leaves, std::size_t least_rows, double l2,
            double rate, std::size_t rounds, double lists, double columns, std::size_t top,
            std::uint64_t seed) {
  const auto n = qualities.shape(0);
  require(bins.shape(0) == n * n_columns, "bins must have one entry per candidate and column");
  runoff::base::check_offsets(view(list_offsets), n, "list_offsets");
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> asked, above, cuts;
  std::vector<double> values;
  {
    nb::gil_scoped_release release;
    for (const auto &tree : runoff::lambda_trees::boost(
             view(list_offsets), view(qualities), view(bins), n_columns,
             {leaves, least_rows, l2, rate}, {rounds, lists, columns, top, seed}, check_signals)) {
      for (const auto &node : tree) {
        asked.push_back(node.column);
        above.push_back(node.above);
        cuts.push_back(node.cut);
        values.push_back(node.value);
      }
      offsets.push_back(static_cast<std::int64_t>(asked.size()));
    }
  }
  return {owned(std::move(offsets)), owned(std::move(asked)), owned(std::move(above)),
          owned(std::move(cuts)), owned(std::move(values))};
}

// Trees whose arrays are Python's; they are checked once.
class OwnedTrees {
public:
  OwnedTrees(Offsets offsets, Ids columns, Ids above, Doubles cuts, Doubles values,
             std::size_t n_columns)
      : offsets_(offsets), columns_(columns), above_(above), cuts_(cuts), values_(values),
        n_columns_(n_columns),
        trees_{view(offsets_), view(columns_), view(above_), view(cuts_), view(values_)} {
    trees_.check(n_columns);
  }

  void add_scores(const Doubles &rows, Vec<double> scores) const {
    require(rows.shape(0) == scores.shape(0) * n_columns_, "rows must have all columns");
    nb::gil_scoped_release release;
    trees_.add_scores(view(rows), n_columns_, view(scores));
  }

  void add_contributions(const Doubles &rows, Vec<double> parts) const {
    require(rows.shape(0) == parts.shape(0), "there must be one part per entry");
    nb::gil_scoped_release release;
    trees_.add_contributions(view(rows), n_columns_, view(parts));
  }

private:
  Offsets offsets_;
  Ids columns_, above_;
  Doubles cuts_, values_;
  std::size_t n_columns_;
  Trees trees_;
};

void bind(nb::module_ &m) {
  m.def("list_views", &list_views, "problem"_a, "features"_a.noconvert(),
        "The values of some features and, last, of the log-probability, row by row: themselves, "
        "their ranks in the list, their distances from its mean.");
  m.def("boost_trees", &boost_trees, "list_offsets"_a.noconvert(), "qualities"_a.noconvert(),
        "bins"_a.noconvert(), "n_columns"_a, "leaves"_a, "least_rows"_a, "l2"_a, "rate"_a,
        "rounds"_a, "lists"_a, "columns"_a, "top"_a, "seed"_a,
        "Trees boosted by LambdaRank: offsets, columns, children above, bins, values.");
  nb::class_<OwnedTrees>(m, "RegressionTrees", "Trees over real-valued columns, checked.")
      .def(nb::init<Offsets, Ids, Ids, Doubles, Doubles, std::size_t>(), "offsets"_a.noconvert(),
           "columns"_a.noconvert(), "above"_a.noconvert(), "cuts"_a.noconvert(),
           "values"_a.noconvert(), "n_columns"_a)
      .def("add_scores", &OwnedTrees::add_scores, "rows"_a.noconvert(), "scores"_a.noconvert(),
           "Adds the score of each row.")
      .def("add_contributions", &OwnedTrees::add_contributions, "rows"_a.noconvert(),
           "parts"_a.noconvert(), "Adds what each column contributed to the score of its row.");
}

const Room room("lambda_trees", bind, "ranking");

} // namespace
