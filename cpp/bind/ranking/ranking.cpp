#include "checked_problem.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/ranking/line_search.hpp"
#include "runoff/ranking/losses.hpp"
#include "runoff/ranking/perceptron.hpp"
#include "runoff/ranking/voting.hpp"

#include <nanobind/stl/pair.h>

namespace {

void linear_scores(const CheckedProblem &checked, Doubles weights, double logprob_weight,
                   Vec<double> scores, int threads) {
  require(weights.shape(0) == checked.n_features, "weights must have one entry per feature");
  require(scores.shape(0) == checked.problem.candidates(),
          "scores must have one entry per candidate");
  nb::gil_scoped_release release;
  runoff::ranking::linear_scores(checked.problem, view(weights), logprob_weight, view(scores),
                                 {threads, check_signals});
}

void argmax_lists(Offsets list_offsets, Doubles keys, Doubles second, Vec<std::int64_t> places) {
  runoff::base::check_offsets(view(list_offsets), keys.shape(0), "list_offsets");
  require(second.shape(0) == keys.shape(0), "keys differ in length");
  require(places.shape(0) + 1 == list_offsets.shape(0), "places must have one entry per list");
  nb::gil_scoped_release release;
  runoff::ranking::argmax_lists(view(list_offsets), view(keys), view(second), view(places));
}

std::pair<std::int64_t, std::int64_t>
perceptron_epoch(const CheckedProblem &checked, Doubles qualities, Integers best, Integers order,
                 Doubles scales, Vec<double> w, Vec<double> u, std::int64_t t,
                 std::optional<Vec<std::int64_t>> wrong_picks) {
  const auto &problem = checked.problem;
  check_qualities(checked, qualities);
  check_best(checked, best);
  check_order(view(order), problem.lists());
  for (const auto length : {scales.shape(0), w.shape(0), u.shape(0)})
    require(length == checked.n_features + 1,
            "w, u and scales must have one entry per feature and one more");
  require(!wrong_picks || wrong_picks->shape(0) == order.shape(0),
          "wrong_picks must have one entry per step");
  const auto picks = wrong_picks ? view(*wrong_picks) : std::span<std::int64_t>();
  runoff::ranking::PerceptronState state{view(w), view(u), t};
  std::int64_t wrong = 0;
  {
    nb::gil_scoped_release release;
    wrong = runoff::ranking::perceptron_epoch(problem, view(qualities), view(best), view(order),
                                              view(scales), state, check_signals, picks);
  }
  return {wrong, state.t};
}

auto picks_on_line(Offsets list_offsets, Integers order, Doubles slopes, Doubles intercepts,
                   Doubles second, Doubles statistics, std::size_t columns, int threads) {
  const std::size_t candidates = slopes.shape(0);
  runoff::base::check_offsets(view(list_offsets), candidates, "list_offsets");
  check_order(view(order), list_offsets.shape(0) - 1);
  require(intercepts.shape(0) == candidates && second.shape(0) == candidates &&
              statistics.shape(0) == candidates * columns,
          "every candidate needs a line and its statistics");
  runoff::ranking::PicksOnLine made;
  {
    nb::gil_scoped_release release;
    made = runoff::ranking::picks_on_line(view(list_offsets), view(order), view(slopes),
                                          view(intercepts), view(second), view(statistics), columns,
                                          {threads, check_signals});
  }
  return std::pair(owned(std::move(made.corners)), owned(std::move(made.totals)));
}

void add_votes(const CheckedProblem &checked, Offsets update_offsets, Ids update_ids,
               Doubles update_values, Doubles update_logprobs, Doubles survivals,
               Vec<double> scores, Vec<double> votes) {
  const runoff::ranking::Voters voters{view(update_offsets), view(update_ids), view(update_values),
                                       view(update_logprobs), view(survivals)};
  for (const auto length : {scores.shape(0), votes.shape(0)})
    require(length == checked.problem.candidates(),
            "scores and votes must have one entry per candidate");
  nb::gil_scoped_release release;
  voters.check(checked.n_features);
  runoff::ranking::add_votes(checked.problem, checked.n_features, voters, view(scores), view(votes),
                             check_signals);
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

void bind(nb::module_ &m) {
  nb::class_<CheckedProblem>(m, "Problem",
                             "The arrays of a ranking problem, checked; nothing is copied.")
      .def(nb::init<Offsets, Offsets, Ids, std::optional<Doubles>, Doubles, std::size_t,
                    const Between &>(),
           "list_offsets"_a.noconvert(), "feature_offsets"_a.noconvert(),
           "feature_ids"_a.noconvert(), "feature_values"_a.noconvert().none(),
           "logprobs"_a.noconvert(), "n_features"_a, "between"_a);
  m.def("picks_on_line", &picks_on_line, "list_offsets"_a.noconvert(), "order"_a.noconvert(),
        "slopes"_a.noconvert(), "intercepts"_a.noconvert(), "second"_a.noconvert(),
        "statistics"_a.noconvert(), "columns"_a, "threads"_a = 1,
        "Where picks change along a line of weights, and the sums of their statistics before the "
        "first change and after each.");
  m.def("linear_scores", &linear_scores, "problem"_a, "weights"_a.noconvert(), "logprob_weight"_a,
        "scores"_a.noconvert(), "threads"_a = 1,
        "Writes the score of every candidate under a linear model.");
  m.def(
      "argmax_lists", &argmax_lists, "list_offsets"_a.noconvert(), "keys"_a.noconvert(),
      "second"_a.noconvert(), "places"_a.noconvert(),
      "Writes the place of each list's highest key; ties by the second key, then the lower place.");
  m.def(
      "shuffled",
      [](std::uint64_t seed, Vec<std::int64_t> order) {
        runoff::ranking::shuffled(seed, view(order));
      },
      "seed"_a, "order"_a.noconvert(), "Writes a permutation that depends on the seed alone.");
  m.def("perceptron_epoch", &perceptron_epoch, "problem"_a, "qualities"_a.noconvert(),
        "best"_a.noconvert(), "order"_a.noconvert(), "scales"_a.noconvert(), "w"_a.noconvert(),
        "u"_a.noconvert(), "t"_a, "wrong_picks"_a.noconvert() = nb::none(),
        "One pass of the averaged perceptron: (lists that were wrong, steps).");
  m.def("add_votes", &add_votes, "problem"_a, "update_offsets"_a.noconvert(),
        "update_ids"_a.noconvert(), "update_values"_a.noconvert(), "update_logprobs"_a.noconvert(),
        "survivals"_a.noconvert(), "scores"_a.noconvert(), "votes"_a.noconvert(),
        "Adds the votes of all weight vectors; scores move from the first vector's to the last's.");
  m.def("log_loss", &list_loss<runoff::ranking::log_loss>, "list_offsets"_a.noconvert(),
        "targets"_a.noconvert(), "scores"_a.noconvert(), "losses"_a.noconvert(),
        "coefficients"_a.noconvert(), "threads"_a = 1,
        "Writes each list's -sum of target * log p, and its derivative by each score.");
  m.def("sample_loss", &list_loss<runoff::ranking::sample_loss>, "list_offsets"_a.noconvert(),
        "signs"_a.noconvert(), "scores"_a.noconvert(), "losses"_a.noconvert(),
        "coefficients"_a.noconvert(), "threads"_a = 1,
        "Writes each list's mean of log(1 + exp(-sign * score)), and its derivatives.");
}

const Room room("ranking", bind);

} // namespace
