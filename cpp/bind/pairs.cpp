#include "checked_problem.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/pairs/pruning.hpp"
#include "runoff/pairs/push.hpp"
#include "runoff/ranking/losses.hpp"

namespace {

using runoff::pairs::CrucialPairs;

using runoff::pairs::PairLimits;
using runoff::pairs::PairSubset;

void make_subset(PairSubset *self, std::uint64_t of, std::uint64_t number, std::uint64_t seed) {
  require(number < of && of < 1ULL << 32, "subset must be below subsets");
  new (self) PairSubset{of, number, seed};
}

void make_pairs(CrucialPairs *self, Offsets list_offsets, Doubles qualities, Doubles logprobs,
                Vec<const std::uint8_t> kept, Integers list_numbers, const PairLimits &limits,
                const PairSubset &subset) {
  nb::gil_scoped_release release;
  new (self) CrucialPairs(
      {view(list_offsets), view(qualities), view(logprobs), view(kept), view(list_numbers)}, limits,
      subset);
}

void check_scores(const CrucialPairs &pairs, const Doubles &scores) {
  require(scores.shape(0) == pairs.candidates(), "scores must have one entry per candidate");
}

runoff::ranking::LossOut checked_out(const CrucialPairs &pairs, const Doubles &scores,
                                     const Vec<double> &losses, const Vec<double> &coefficients) {
  check_scores(pairs, scores);
  require(losses.shape(0) == pairs.lists(), "losses must have one entry per list");
  require(coefficients.shape(0) == scores.shape(0),
          "coefficients must have one entry per candidate");
  return {view(losses), view(coefficients)};
}

runoff::pairs::SlopeOut checked_out(std::size_t size, const Vec<double> &losses,
                                    const Vec<double> &first, const Vec<double> &second) {
  for (const auto length : {losses.shape(0), first.shape(0), second.shape(0)})
    require(length == size, "losses, first and second must have one entry per list");
  return {view(losses), view(first), view(second)};
}

template <runoff::pairs::PairLoss loss>
void pair_loss(const CrucialPairs &pairs, Doubles scores, Vec<double> losses,
               Vec<double> coefficients, int threads) {
  const auto out = checked_out(pairs, scores, losses, coefficients);
  nb::gil_scoped_release release;
  runoff::pairs::pair_loss(pairs, loss, view(scores), out, {threads, check_signals});
}

void slope_loss(const CrucialPairs &pairs, Doubles scores, double slope, double target,
                Vec<double> losses, Vec<double> first, Vec<double> second, int threads) {
  check_scores(pairs, scores);
  const auto out = checked_out(pairs.lists(), losses, first, second);
  nb::gil_scoped_release release;
  runoff::pairs::slope_loss(pairs, view(scores), slope, target, out, {threads, check_signals});
}

void push_loss(const CrucialPairs &pairs, double p, Doubles scores, Vec<double> losses,
               Vec<double> coefficients, int threads) {
  const auto out = checked_out(pairs, scores, losses, coefficients);
  nb::gil_scoped_release release;
  runoff::pairs::push_loss(pairs, p, view(scores), out, {threads, check_signals});
}

void push_line(const CrucialPairs &pairs, double p, Integers lists, Doubles scores,
               Doubles direction, Vec<double> losses, Vec<double> first, Vec<double> second,
               int threads) {
  check_scores(pairs, scores);
  check_scores(pairs, direction);
  check_order(view(lists), pairs.lists());
  const auto out = checked_out(lists.shape(0), losses, first, second);
  nb::gil_scoped_release release;
  runoff::pairs::push_line(pairs, p, view(lists), view(scores), view(direction), out,
                           {threads, check_signals});
}

void prune_and_select(Offsets list_offsets, Doubles scores, double better, double worse,
                      std::size_t beta, Vec<std::uint8_t> kept) {
  runoff::base::check_offsets(view(list_offsets), scores.shape(0), "list_offsets");
  require(kept.shape(0) == scores.shape(0), "kept must have one entry per candidate");
  nb::gil_scoped_release release;
  runoff::pairs::prune_and_select(view(list_offsets), view(scores), {better, worse, beta},
                                  view(kept));
}

void add_pair_votes(Offsets list_offsets, Doubles scores, double slope, Vec<double> votes) {
  runoff::base::check_offsets(view(list_offsets), scores.shape(0), "list_offsets");
  require(votes.shape(0) == scores.shape(0), "votes must have one entry per candidate");
  nb::gil_scoped_release release;
  runoff::pairs::add_pair_votes(view(list_offsets), view(scores), slope, view(votes),
                                check_signals);
}

void bind_pair_losses(nb::module_ &m) {
  m.def("pair_logistic_loss", &pair_loss<runoff::pairs::PairLoss::logistic>, "pairs"_a,
        "scores"_a.noconvert(), "losses"_a.noconvert(), "coefficients"_a.noconvert(),
        "threads"_a = 1,
        "Writes each list's mean of log(1 + exp(-margin)) over its pairs, and its derivatives.");
  m.def("pair_hinge_loss", &pair_loss<runoff::pairs::PairLoss::squared_hinge>, "pairs"_a,
        "scores"_a.noconvert(), "losses"_a.noconvert(), "coefficients"_a.noconvert(),
        "threads"_a = 1,
        "Writes each list's mean of max(0, 1 - margin)^2 over its pairs, and its derivatives.");
  m.def("slope_loss", &slope_loss, "pairs"_a, "scores"_a.noconvert(), "slope"_a, "target"_a,
        "losses"_a.noconvert(), "first"_a.noconvert(), "second"_a.noconvert(), "threads"_a = 1,
        "Writes how badly a sigmoid of this slope fits each list's pairs, and its derivatives.");
  m.def("push_loss", &push_loss, "pairs"_a, "p"_a, "scores"_a.noconvert(), "losses"_a.noconvert(),
        "coefficients"_a.noconvert(), "threads"_a = 1,
        "Writes the logarithm of each list's p-norm push, and its derivatives.");
  m.def("push_line", &push_line, "pairs"_a, "p"_a, "lists"_a.noconvert(), "scores"_a.noconvert(),
        "direction"_a.noconvert(), "losses"_a.noconvert(), "first"_a.noconvert(),
        "second"_a.noconvert(), "threads"_a = 1,
        "Writes the logarithm of the push of some lists, and its derivatives along a direction.");
}

void bind(nb::module_ &m) {
  nb::class_<PairLimits>(m, "PairLimits", "Which pairs of two candidates are let through.")
      .def(
          "__init__",
          [](PairLimits *self, double closest, double largest, double closest_logprob) {
            new (self) PairLimits{closest, largest, closest_logprob};
          },
          "closest"_a, "largest"_a, "closest_logprob"_a);
  nb::class_<PairSubset>(m, "PairSubset", "One of several disjoint subsets of the pairs.")
      .def("__init__", &make_subset, "of"_a, "number"_a, "seed"_a);
  nb::class_<CrucialPairs>(m, "CrucialPairs",
                           "Pairs of candidates of one list, one better than the other.")
      .def("__init__", &make_pairs, "list_offsets"_a.noconvert(), "qualities"_a.noconvert(),
           "logprobs"_a.noconvert(), "kept"_a.noconvert(), "list_numbers"_a.noconvert(), "limits"_a,
           "subset"_a);
  bind_pair_losses(m);
  m.def("prune_and_select", &prune_and_select, "list_offsets"_a.noconvert(), "scores"_a.noconvert(),
        "better"_a, "worse"_a, "beta"_a, "kept"_a.noconvert(),
        "Writes 1 for the candidates that remain when those that lose by enough are discarded.");
  m.def("add_pair_votes", &add_pair_votes, "list_offsets"_a.noconvert(), "scores"_a.noconvert(),
        "slope"_a, "votes"_a.noconvert(),
        "Adds the log-probabilities that a candidate is better than each other of its list.");
}

const Room room("pairs", bind);

} // namespace
