#include "checked_problem.hpp"
#include "loss_named.hpp"

#include <cmath>

namespace {

using runoff::boosting::Booster;
using runoff::boosting::DevCurve;
using runoff::boosting::PairIndex;

constexpr std::uint64_t updates_between_polls = 1 << 22; // some hundredths of a second

void make_index(PairIndex *place, const CheckedProblem &checked, Doubles qualities, Integers best,
                const Between &between) {
  check_qualities(checked, qualities);
  check_best(checked, best);
  nb::gil_scoped_release release;
  new (place)
      PairIndex(checked.problem, checked.n_features, view(qualities), view(best), calling(between));
}

void differences(const PairIndex &index, Doubles values, Vec<double> out) {
  require(out.shape(0) == index.pairs(), "out must have one entry per pair");
  require(values.shape(0) == index.candidates(), "values must have one entry per candidate");
  for (std::size_t pair = 0; pair < index.pairs(); ++pair)
    out.data()[pair] = values.data()[index.best(pair)] - values.data()[index.worse(pair)];
}

void starts(const PairIndex &index, Vec<std::int64_t> out) {
  require(out.shape(0) == index.groups(), "out must have one entry per group");
  for (std::size_t group = 0; group < index.groups(); ++group)
    out.data()[group] = index.group_start(group);
}

void make_booster(Booster *place, const PairIndex &index, const std::string &loss,
                  Doubles exponents, double smoothing) {
  require(index.inverted(), "the index must be inverted first");
  require(exponents.shape(0) == index.pairs(), "exponents must have one entry per pair");
  require(smoothing > 0.0 && std::isfinite(smoothing), "smoothing must be positive");
  const auto kind = loss_named(loss);
  nb::gil_scoped_release release;
  new (place) Booster(index, kind, view(exponents), smoothing);
}

std::size_t run(Booster &booster, DevCurve *dev, Vec<std::uint32_t> features, Vec<double> deltas,
                Vec<std::int64_t> updates, Vec<double> losses, Vec<double> totals,
                std::uint64_t budget) {
  const std::size_t rounds = features.shape(0), width = dev == nullptr ? 0 : dev->width();
  for (const auto length : {deltas.shape(0), updates.shape(0), losses.shape(0)})
    require(length == rounds, "all arrays must have one entry per round");
  require(totals.shape(0) == rounds * width, "totals must have one row per round");
  nb::gil_scoped_release release;
  std::uint64_t spent = 0, since_poll = 0;
  std::size_t done = 0;
  for (runoff::boosting::Round round{}; done < rounds && spent < budget && booster.round(round);
       ++done) {
    features.data()[done] = round.feature;
    deltas.data()[done] = round.delta;
    updates.data()[done] = static_cast<std::int64_t>(round.updates);
    losses.data()[done] = round.loss;
    if (dev != nullptr) {
      dev->add(round.feature, round.delta);
      dev->write_totals({totals.data() + done * width, width});
    }
    spent += round.updates + 1;
    if ((since_poll += round.updates + 1) >= updates_between_polls) {
      since_poll = 0;
      check_signals();
    }
  }
  return done;
}

void make_curve(DevCurve *place, const CheckedProblem &checked,
                const runoff::ranking::FeatureIndex &index, Doubles statistics, std::size_t width,
                double logprob_weight) {
  require(width > 0 && statistics.shape(0) == checked.problem.candidates() * width,
          "statistics must have one row per candidate");
  for (std::size_t at = 0; at < statistics.shape(0); ++at)
    require(std::isfinite(statistics.data()[at]), "statistics must be finite");
  require(index.candidates() == checked.problem.candidates() &&
              index.rows() == checked.n_features + 1,
          "the index is another problem's");
  nb::gil_scoped_release release;
  new (place) DevCurve(checked.problem, index, view(statistics), width, logprob_weight);
}

void totals(const DevCurve &curve, Vec<double> out) {
  require(out.shape(0) == curve.width(), "out must have one entry per statistic");
  curve.write_totals({out.data(), out.shape(0)});
}

void replay(DevCurve &curve, Ids features, Doubles deltas) {
  require(features.shape(0) == deltas.shape(0), "features and deltas differ in length");
  for (std::size_t at = 0; at < features.shape(0); ++at) {
    require(features.data()[at] < curve.features(), "a feature is not in the space");
    curve.add(features.data()[at], deltas.data()[at]);
  }
}

// W of every feature, both signs; features that never differ have 0.
void sums(const Booster &booster, Vec<double> plus, Vec<double> minus) {
  const auto &index = booster.index();
  require(plus.shape(0) == index.n_features() && minus.shape(0) == index.n_features(),
          "plus and minus must have one entry per feature");
  for (std::size_t feature = 0; feature < index.n_features(); ++feature) {
    const auto rank = index.rank(feature);
    const auto side = 2 * static_cast<std::size_t>(rank);
    plus.data()[feature] = rank < 0 ? 0.0 : booster.w(side);
    minus.data()[feature] = rank < 0 ? 0.0 : booster.w(side + 1);
  }
}

void exponents(const Booster &booster, Vec<double> out) {
  require(out.shape(0) == booster.exponents().size(), "exponents must have one entry per pair");
  std::copy(booster.exponents().begin(), booster.exponents().end(), out.data());
}

void bind(nb::module_ &m) {
  nb::class_<PairIndex>(m, "PairIndex",
                        "Pairs of a list's best candidate and a worse one, indexed both ways.")
      .def("__init__", &make_index, "problem"_a, "qualities"_a.noconvert(), "best"_a.noconvert(),
           "between"_a)
      .def_prop_ro("pairs", &PairIndex::pairs, "How many pairs there are.")
      .def_prop_ro("entries", &PairIndex::entries, "Features that differ, over all pairs: T.")
      .def_prop_ro("bytes", &PairIndex::bytes, "Memory of the two indices.")
      .def("invert", &PairIndex::invert, nb::call_guard<nb::gil_scoped_release>(),
           "Makes the way from features to pairs; the problem is not needed for it.")
      .def_prop_ro("groups", &PairIndex::groups, "How many lists have pairs.")
      .def("differences", &differences, "values"_a.noconvert(), "out"_a.noconvert(),
           "Writes the value of the best candidate minus the worse one's, for each pair.")
      .def("starts", &starts, "out"_a.noconvert(), "Writes the first pair of each list.");
  nb::class_<DevCurve>(m, "DevCurve",
                       "The summed statistics of what is picked from development lists, round by "
                       "round.")
      .def("__init__", &make_curve, "problem"_a, "index"_a, "statistics"_a.noconvert(), "width"_a,
           "logprob_weight"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("replay", &replay, "features"_a.noconvert(), "deltas"_a.noconvert(),
           "Goes to the state after these rounds.")
      .def("totals", &totals, "out"_a.noconvert(),
           "Writes the summed statistics of what is picked now.");
  nb::class_<Booster>(m, "Booster", "Boosting on the exponential or logarithmic loss.")
      .def("__init__", &make_booster, "index"_a, "loss"_a, "exponents"_a.noconvert(), "smoothing"_a,
           nb::keep_alive<1, 2>())
      .def("run", &run, "dev"_a.none(), "features"_a.noconvert(), "deltas"_a.noconvert(),
           "updates"_a.noconvert(), "losses"_a.noconvert(), "totals"_a.noconvert(), "budget"_a,
           "Rounds until the arrays are full, `budget` updates were made, or nothing can be "
           "gained; returns how many. Without a curve there are no totals.")
      .def(
          "replay",
          [](Booster &booster, Ids features, Doubles deltas, double scale) {
            nb::gil_scoped_release release;
            booster.replay(view(features), view(deltas), scale);
          },
          "features"_a.noconvert(), "deltas"_a.noconvert(), "scale"_a,
          "Goes to the state after these rounds.")
      .def("sums", &sums, "plus"_a.noconvert(), "minus"_a.noconvert(),
           "Writes W+ and W- of every feature.")
      .def("exponents", &exponents, "out"_a.noconvert(),
           "Writes log S minus the margin of every pair.")
      .def_prop_ro("scale", &Booster::scale, "Weights are whole multiples of 1 / scale.")
      .def_prop_ro("loss", &Booster::loss, "The loss as it is now.")
      .def_prop_ro("total", &Booster::total, "Sum of the weights of all pairs: Z.")
      .def_prop_ro("search_seconds", &Booster::search_seconds,
                   "Time spent on finding the best feature.");
}

const Room room("boosting", bind);

} // namespace
