#include "checked_trees.hpp"
#include "loss_named.hpp"
#include "runoff/boosting/subtree_boosting.hpp"
#include "runoff/boosting/subtree_trie.hpp"

#include <chrono>
#include <cmath>

namespace {

using runoff::boosting::SubtreeBooster;
using runoff::trees::SharedTrees;

// The subtrees that candidates have: how many each, and which.
nb::tuple find_subtrees(const runoff::boosting::SubtreeTrie &trie, Offsets offsets, Ids labels,
                        Depths depths, std::size_t n_labels) {
  std::vector<std::int64_t> ends{0};
  std::vector<std::uint32_t> found;
  {
    nb::gil_scoped_release release;
    const auto trees = checked_trees(offsets, labels, depths, n_labels);
    runoff::boosting::SubtreeFinder finder(trie);
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      if (tree % 1024 == 0)
        check_signals();
      finder.find(trees[tree], found);
      ends.push_back(static_cast<std::int64_t>(found.size()));
    }
  }
  return nb::make_tuple(owned(std::move(ends)), owned(std::move(found)));
}

// A development curve, and the trees that it is drawn for.
struct SubtreeCurve {
  SubtreeCurve(runoff::boosting::DevCurve &curve, const SharedTrees &trees)
      : curve(curve), dev(trees) {
    require(curve.candidates() == trees.candidates(), "the curve is another problem's");
  }
  runoff::boosting::DevCurve &curve;
  runoff::boosting::SubtreeDev dev;
};

void make_booster(SubtreeBooster *place, const SharedTrees &trees, const std::string &loss,
                  Doubles exponents, double smoothing, std::size_t search_rounds,
                  std::size_t cache_rounds, std::size_t choice, std::size_t cache_bytes) {
  require(exponents.shape(0) == trees.candidates(), "exponents must have one entry per candidate");
  require(smoothing > 0.0 && std::isfinite(smoothing), "smoothing must be positive");
  require(search_rounds > 0 && choice > 0, "there must be rounds that search");
  const auto kind = loss_named(loss);
  nb::gil_scoped_release release;
  new (place) SubtreeBooster(trees, view(exponents),
                             {kind, smoothing, search_rounds, cache_rounds, choice, cache_bytes});
}

void add_to(SubtreeCurve *curve, const SubtreeBooster &booster, std::uint32_t number,
            double delta) {
  if (curve != nullptr)
    curve->dev.add(number, booster.cache(), booster.chosen()[number], delta, curve->curve);
}

std::size_t run(SubtreeBooster &booster, SubtreeCurve *curve, Vec<std::uint32_t> subtrees,
                Vec<double> deltas, Vec<double> losses, Vec<double> totals,
                Vec<std::int64_t> visited, Vec<std::int64_t> pruned, Vec<std::int64_t> cached,
                double seconds, int threads) {
  const std::size_t rounds = subtrees.shape(0), width = curve == nullptr ? 0 : curve->curve.width();
  for (const auto length :
       {deltas.shape(0), losses.shape(0), visited.shape(0), pruned.shape(0), cached.shape(0)})
    require(length == rounds, "all arrays must have one entry per round");
  require(totals.shape(0) == rounds * width, "totals must have one row per round");
  nb::gil_scoped_release release;
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0;
  for (runoff::boosting::SubtreeRound round{};
       done < rounds && booster.round(round, {threads, check_signals});) {
    subtrees.data()[done] = round.subtree;
    deltas.data()[done] = round.delta;
    losses.data()[done] = round.loss;
    add_to(curve, booster, round.subtree, round.delta);
    if (curve != nullptr)
      curve->curve.write_totals({totals.data() + done * width, width});
    visited.data()[done] = static_cast<std::int64_t>(round.visited);
    pruned.data()[done] = static_cast<std::int64_t>(round.pruned);
    cached.data()[done] = static_cast<std::int64_t>(booster.cache().size());
    ++done;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (booster.begins_cycle() || booster.has_searched() || spent.count() >= seconds)
      break;
  }
  return done;
}

void replay(SubtreeBooster &booster, SubtreeCurve *curve, Ids extended, Ids chosen, Ids leaders,
            Ids subtrees, Doubles deltas, double scale, int threads) {
  nb::gil_scoped_release release;
  booster.replay(view(extended), view(chosen), view(leaders), view(subtrees), view(deltas), scale,
                 {threads, check_signals});
  for (std::size_t at = 0; at < subtrees.shape(0); ++at)
    add_to(curve, booster, subtrees.data()[at], deltas.data()[at]);
}

template <typename T> auto copied(std::span<const T> values) {
  return owned(std::vector<T>(values.begin(), values.end()));
}

// Entries of the cache as trees.
nb::tuple trees_of(const SubtreeBooster &booster, std::span<const std::uint32_t> entries) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> labels;
  std::vector<std::uint16_t> depths;
  for (const auto entry : entries) {
    booster.cache().write(entry, labels, depths);
    offsets.push_back(static_cast<std::int64_t>(labels.size()));
  }
  return nb::make_tuple(owned(std::move(offsets)), owned(std::move(labels)),
                        owned(std::move(depths)));
}

void bind_trie(nb::module_ &m) {
  nb::class_<runoff::boosting::SubtreeTrie>(m, "SubtreeTrie",
                                            "Finds many subtrees by one walk of a tree.")
      .def(
          "__init__",
          [](runoff::boosting::SubtreeTrie *place, Offsets offsets, Ids labels, Depths depths,
             std::size_t n_labels) {
            new (place) runoff::boosting::SubtreeTrie(
                checked_trees(offsets, labels, depths, n_labels), n_labels);
          },
          "offsets"_a.noconvert(), "labels"_a.noconvert(), "depths"_a.noconvert(), "n_labels"_a)
      .def("find", &find_subtrees, "offsets"_a.noconvert(), "labels"_a.noconvert(),
           "depths"_a.noconvert(), "n_labels"_a,
           nb::sig("def find(self, offsets: NDArray[numpy.int64], labels: NDArray[numpy.uint32], "
                   "depths: NDArray[numpy.uint16], n_labels: int) -> "
                   "tuple[NDArray[numpy.int64], NDArray[numpy.uint32]]"),
           "Offsets and numbers of the subtrees that each tree has.");
}

void bind(nb::module_ &m) {
  bind_trie(m);
  nb::class_<SubtreeCurve>(m, "SubtreeCurve", "A development curve for lists with trees.")
      .def(nb::init<runoff::boosting::DevCurve &, const SharedTrees &>(), "curve"_a, "trees"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());
  nb::class_<SubtreeBooster>(m, "SubtreeBooster", "Boosting over all subtrees of lists' trees.")
      .def("__init__", &make_booster, "trees"_a, "loss"_a, "exponents"_a.noconvert(), "smoothing"_a,
           "search_rounds"_a, "cache_rounds"_a, "choice"_a, "cache_bytes"_a, nb::keep_alive<1, 2>())
      .def("run", &run, "curve"_a.none(), "subtrees"_a.noconvert(), "deltas"_a.noconvert(),
           "losses"_a.noconvert(), "totals"_a.noconvert(), "visited"_a.noconvert(),
           "pruned"_a.noconvert(), "cached"_a.noconvert(), "seconds"_a, "threads"_a,
           "Rounds until the arrays are full, a cycle or its searches end, so many seconds are "
           "over, "
           "or nothing can be gained; returns how many.")
      .def("replay", &replay, "curve"_a.none(), "extended"_a.noconvert(), "chosen"_a.noconvert(),
           "leaders"_a.noconvert(), "subtrees"_a.noconvert(), "deltas"_a.noconvert(), "scale"_a,
           "threads"_a, "Goes to the state at the beginning of a cycle.")
      .def(
          "subtrees", [](const SubtreeBooster &b) { return trees_of(b, b.chosen()); },
          nb::sig("def subtrees(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], "
                  "NDArray[numpy.uint16]]"),
          "Offsets, labels and depths of the subtrees chosen so far.")
      .def(
          "telling", [](SubtreeBooster &b, std::size_t n) { return trees_of(b, b.telling(n)); },
          "n"_a,
          nb::sig("def telling(self, n: int) -> tuple[NDArray[numpy.int64], "
                  "NDArray[numpy.uint32], NDArray[numpy.uint16]]"),
          "The same of at most n subtrees, those of the highest gains in the last search; of equal "
          "gains the first.")
      .def_prop_ro("has_searched", &SubtreeBooster::has_searched,
                   "Whether the last round was the last of its cycle that searched.")
      .def_prop_ro("begins_cycle", &SubtreeBooster::begins_cycle,
                   "Whether the next round is the first of a cycle.")
      .def(
          "extended", [](const SubtreeBooster &b) { return copied(b.cache().extended()); },
          "Entries of the cache that were extended, in their order.")
      .def(
          "chosen", [](const SubtreeBooster &b) { return copied(b.chosen()); },
          "Entries of the cache that were chosen.")
      .def(
          "leaders", [](const SubtreeBooster &b) { return copied(b.leaders()); },
          "Entries of the cache that the next search begins with.")
      .def_prop_ro("scale", &SubtreeBooster::scale, "Weights are whole multiples of 1 / scale.")
      .def_prop_ro("loss", &SubtreeBooster::loss, "The loss as it is now.")
      .def_prop_ro(
          "cache_bytes", [](const SubtreeBooster &b) { return b.cache().bytes(); },
          "Memory of the occurrences in the cache.");
}

const Room room("boosting_subtrees", bind);

} // namespace
