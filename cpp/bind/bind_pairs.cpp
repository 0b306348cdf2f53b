#include "checked_problem.hpp"
#include "runoff/decoding.hpp"
#include "runoff/losses.hpp"
#include "runoff/push.hpp"

namespace {

// Keeps the arrays of crucial pairs alive, checked once for all later calls.
class CheckedPairs {
public:
  CheckedPairs(Offsets list_offsets, Doubles qualities, Doubles logprobs,
               Vec<const std::uint8_t> kept, Integers list_numbers, double closest,
               double closest_logprob, double largest, std::uint64_t subsets, std::uint64_t subset,
               std::uint64_t seed)
      : list_offsets_(list_offsets), qualities_(qualities), logprobs_(logprobs), kept_(kept),
        list_numbers_(list_numbers) {
    runoff::check_offsets(view(list_offsets), qualities.shape(0), "list_offsets");
    require(logprobs.shape(0) == qualities.shape(0) && kept.shape(0) == qualities.shape(0),
            "qualities, logprobs and kept must have one entry per candidate");
    require(list_numbers.shape(0) + 1 == list_offsets.shape(0),
            "list_numbers must have one entry per list");
    require(subset < subsets, "subset must be below subsets");
    pairs = {view(list_offsets_),
             view(qualities_),
             view(logprobs_),
             view(kept_),
             view(list_numbers_),
             closest,
             closest_logprob,
             largest,
             subsets,
             subset,
             seed};
  }

  void check_scores(const Doubles &scores) const {
    require(scores.shape(0) == pairs.qualities.size(), "scores must have one entry per candidate");
  }

private:
  Offsets list_offsets_;
  Doubles qualities_, logprobs_;
  Vec<const std::uint8_t> kept_;
  Integers list_numbers_;

public:
  runoff::CrucialPairs pairs;
};

runoff::LossOut checked_out(const CheckedPairs &checked, const Doubles &scores,
                            const Vec<double> &losses, const Vec<double> &coefficients) {
  checked.check_scores(scores);
  require(losses.shape(0) == checked.pairs.lists(), "losses must have one entry per list");
  require(coefficients.shape(0) == scores.shape(0),
          "coefficients must have one entry per candidate");
  return {view(losses), view(coefficients)};
}

runoff::SlopeOut checked_out(std::size_t size, const Vec<double> &losses, const Vec<double> &first,
                             const Vec<double> &second) {
  for (const auto length : {losses.shape(0), first.shape(0), second.shape(0)})
    require(length == size, "losses, first and second must have one entry per list");
  return {view(losses), view(first), view(second)};
}

template <runoff::PairLoss loss>
void pair_loss(const CheckedPairs &checked, Doubles scores, Vec<double> losses,
               Vec<double> coefficients, int threads) {
  const auto out = checked_out(checked, scores, losses, coefficients);
  nb::gil_scoped_release release;
  runoff::pair_loss(checked.pairs, loss, view(scores), out, {threads, check_signals});
}

void slope_loss(const CheckedPairs &checked, Doubles scores, double slope, double target,
                Vec<double> losses, Vec<double> first, Vec<double> second, int threads) {
  checked.check_scores(scores);
  const auto out = checked_out(checked.pairs.lists(), losses, first, second);
  nb::gil_scoped_release release;
  runoff::slope_loss(checked.pairs, view(scores), slope, target, out, {threads, check_signals});
}

void push_loss(const CheckedPairs &checked, double p, Doubles scores, Vec<double> losses,
               Vec<double> coefficients, int threads) {
  const auto out = checked_out(checked, scores, losses, coefficients);
  nb::gil_scoped_release release;
  runoff::push_loss(checked.pairs, p, view(scores), out, {threads, check_signals});
}

void push_line(const CheckedPairs &checked, double p, Integers lists, Doubles scores,
               Doubles direction, double step, Vec<double> losses, Vec<double> first,
               Vec<double> second, int threads) {
  checked.check_scores(scores);
  checked.check_scores(direction);
  check_order(view(lists), checked.pairs.lists());
  const auto out = checked_out(lists.shape(0), losses, first, second);
  nb::gil_scoped_release release;
  runoff::push_line(checked.pairs, p, view(lists), view(scores), view(direction), step, out,
                    {threads, check_signals});
}

void prune_and_select(Offsets list_offsets, Doubles scores, double better, double worse,
                      std::size_t beta, Vec<std::uint8_t> kept) {
  runoff::check_offsets(view(list_offsets), scores.shape(0), "list_offsets");
  require(kept.shape(0) == scores.shape(0), "kept must have one entry per candidate");
  nb::gil_scoped_release release;
  runoff::prune_and_select(view(list_offsets), view(scores), {better, worse, beta}, view(kept));
}

void add_votes(Offsets list_offsets, Doubles scores, double slope, Vec<double> votes) {
  runoff::check_offsets(view(list_offsets), scores.shape(0), "list_offsets");
  require(votes.shape(0) == scores.shape(0), "votes must have one entry per candidate");
  nb::gil_scoped_release release;
  runoff::add_votes(view(list_offsets), view(scores), slope, view(votes), check_signals);
}

void bind_pair_losses(nb::module_ &m) {
  m.def("pair_logistic_loss", &pair_loss<runoff::PairLoss::logistic>, "pairs"_a,
        "scores"_a.noconvert(), "losses"_a.noconvert(), "coefficients"_a.noconvert(),
        "threads"_a = 1,
        "Writes each list's mean of log(1 + exp(-margin)) over its pairs, and its derivatives.");
  m.def("pair_hinge_loss", &pair_loss<runoff::PairLoss::squared_hinge>, "pairs"_a,
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
        "direction"_a.noconvert(), "step"_a, "losses"_a.noconvert(), "first"_a.noconvert(),
        "second"_a.noconvert(), "threads"_a = 1,
        "Writes the logarithm of the push along a line, and its derivatives by the step.");
}

} // namespace

void bind_pairs(nb::module_ &m) {
  nb::class_<CheckedPairs>(m, "CrucialPairs",
                           "Pairs of candidates of one list, one better than the other.")
      .def(nb::init<Offsets, Doubles, Doubles, Vec<const std::uint8_t>, Integers, double, double,
                    double, std::uint64_t, std::uint64_t, std::uint64_t>(),
           "list_offsets"_a.noconvert(), "qualities"_a.noconvert(), "logprobs"_a.noconvert(),
           "kept"_a.noconvert(), "list_numbers"_a.noconvert(), "closest"_a, "closest_logprob"_a,
           "largest"_a, "subsets"_a, "subset"_a, "seed"_a);
  bind_pair_losses(m);
  m.def("prune_and_select", &prune_and_select, "list_offsets"_a.noconvert(), "scores"_a.noconvert(),
        "better"_a, "worse"_a, "beta"_a, "kept"_a.noconvert(),
        "Writes 1 for the candidates that remain when those that lose by enough are discarded.");
  m.def("add_votes", &add_votes, "list_offsets"_a.noconvert(), "scores"_a.noconvert(), "slope"_a,
        "votes"_a.noconvert(),
        "Adds the log-probabilities that a candidate is better than each other of its list.");
}
