#include "checked_problem.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/decision_trees/active_leaves.hpp"
#include "runoff/decision_trees/booster.hpp"
#include "runoff/decision_trees/sampling.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {

using runoff::base::Threads;
using runoff::decision_trees::ActiveLeaves;
using runoff::decision_trees::Atom;
using runoff::decision_trees::AtomSource;
using runoff::decision_trees::Booster;
using runoff::decision_trees::Ensemble;
using runoff::decision_trees::Node;
using runoff::decision_trees::SparseRows;

using Pointers = Vec<const std::uint64_t>;

constexpr std::size_t examples_per_block = 512;

Threads threads_of(int count) { return {count, check_signals}; }

// Rows whose arrays are Python's; they are checked once.
class OwnedRows final : public SparseRows {
public:
  OwnedRows(Offsets offsets, Ids atoms, std::size_t n_atoms)
      : SparseRows(view(offsets), view(atoms)), offsets_(offsets), atoms_(atoms) {
    nb::gil_scoped_release release;
    runoff::base::check_offsets(view(offsets_), atoms_.shape(0), "offsets");
    for (std::size_t number = 0; number < rows(); ++number)
      runoff::decision_trees::check_atoms(row(number), n_atoms);
  }

private:
  Offsets offsets_;
  Ids atoms_;
};

void check_pointers(const AtomSource &source, const Pointers &pointers) {
  if (const auto *rows = dynamic_cast<const SparseRows *>(&source))
    for (const auto pointer : view(pointers))
      require(pointer < rows->rows(), "a pointer is not a row");
}

using NodeArrays = std::tuple<nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>,
                              nb::ndarray<nb::numpy, Atom, nb::ndim<1>>,
                              nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>,
                              nb::ndarray<nb::numpy, double, nb::ndim<1>>>;

NodeArrays arrays_of(const Ensemble &ensemble) {
  std::vector<Atom> atoms;
  std::vector<std::uint32_t> yes;
  std::vector<double> values;
  for (const auto &node : ensemble.nodes()) {
    atoms.push_back(node.atom);
    yes.push_back(node.yes);
    values.push_back(node.value);
  }
  std::vector<std::int64_t> offsets(ensemble.offsets().begin(), ensemble.offsets().end());
  return {owned(std::move(offsets)), owned(std::move(atoms)), owned(std::move(yes)),
          owned(std::move(values))};
}

Ensemble ensemble_of(const Offsets &offsets, const Ids &atoms, const Ids &yes,
                     const Doubles &values, std::size_t n_atoms) {
  const auto n = atoms.shape(0);
  require(yes.shape(0) == n && values.shape(0) == n, "all arrays must have one entry per node");
  std::vector<Node> nodes(n);
  for (std::size_t at = 0; at < n; ++at)
    nodes[at] = {atoms.data()[at], yes.data()[at], values.data()[at]};
  return {{offsets.data(), offsets.data() + offsets.shape(0)}, std::move(nodes), n_atoms};
}

void make_leaves(ActiveLeaves *place, Offsets offsets, Ids atoms, Ids yes, Doubles values,
                 std::size_t n_atoms) {
  nb::gil_scoped_release release;
  const auto ensemble = ensemble_of(offsets, atoms, yes, values, n_atoms);
  new (place) ActiveLeaves({&ensemble, 1});
}

void scores(const ActiveLeaves &trees, const AtomSource &source, Pointers pointers, Vec<double> out,
            int threads) {
  require(out.shape(0) == pointers.shape(0), "out must have one entry per example");
  check_pointers(source, pointers);
  nb::gil_scoped_release release;
  runoff::base::in_blocks(out.shape(0), examples_per_block, threads_of(threads),
                          [&](std::size_t begin, std::size_t end) {
                            ActiveLeaves::Room room;
                            std::vector<Atom> atoms;
                            for (auto i = begin; i < end; ++i) {
                              source.extract(pointers.data()[i], atoms);
                              trees.reach(atoms, room);
                              out.data()[i] = trees.score(0, room);
                            }
                          });
}

auto leaves(const ActiveLeaves &trees, const AtomSource &source, Pointers pointers) {
  check_pointers(source, pointers);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> nodes, reached;
  ActiveLeaves::Room room;
  std::vector<Atom> atoms;
  for (const auto pointer : view(pointers)) {
    source.extract(pointer, atoms);
    trees.reach(atoms, room);
    trees.leaves(0, room, reached);
    nodes.insert(nodes.end(), reached.begin(), reached.end());
    offsets.push_back(static_cast<std::int64_t>(nodes.size()));
  }
  return std::tuple(owned(std::move(offsets)), owned(std::move(nodes)));
}

// Keeps the columns of its examples alive.
struct OwnedBooster {
  Pointers pointers;
  Vec<const std::int8_t> y;
  Vec<const float> bias;
  std::size_t n_atoms;
  Booster booster;

  OwnedBooster(const AtomSource &source, Pointers given, Vec<const std::int8_t> signs,
               Vec<const float> biases, Doubles start, std::size_t atoms, std::size_t sample,
               std::uint64_t seed, double split_gain, std::size_t per_sample, std::size_t cache)
      : pointers(given), y(signs), bias(biases), n_atoms(atoms),
        booster(source, {view(pointers), view(y), view(bias)}, view(start),
                {n_atoms, sample, seed, split_gain, per_sample, cache}) {
    check_pointers(source, pointers);
  }
};

void restore(OwnedBooster &owner, Offsets offsets, Ids atoms, Ids yes, Doubles values,
             std::optional<Doubles> h, int threads) {
  nb::gil_scoped_release release;
  owner.booster.restore(ensemble_of(offsets, atoms, yes, values, owner.n_atoms),
                        h ? view(*h) : std::span<const double>(), threads_of(threads));
}

auto priority_sample(Integers weights, std::size_t size, std::uint64_t seed, std::uint64_t number) {
  for (const auto weight : view(weights))
    require(weight >= 0, "a weight is negative");
  auto sample = runoff::decision_trees::priority_sample(view(weights), size, {seed, number}, {});
  return std::tuple(owned(std::move(sample.examples)), owned(std::move(sample.weights)),
                    sample.lost);
}

void bind(nb::module_ &m) {
  nb::class_<AtomSource>(m, "AtomSource", "What an example's atoms are, asked on demand.");
  nb::class_<OwnedRows, AtomSource>(m, "SparseRows",
                                    "Rows of a sparse matrix; a pointer is the number of a row.")
      .def(nb::init<Offsets, Ids, std::size_t>(), "offsets"_a.noconvert(), "atoms"_a.noconvert(),
           "n_atoms"_a);
  nb::class_<ActiveLeaves>(m, "TreeEnsemble",
                           "Decision trees, checked, whose values add up to scores.")
      .def("__init__", &make_leaves, "offsets"_a.noconvert(), "atoms"_a.noconvert(),
           "yes"_a.noconvert(), "values"_a.noconvert(), "n_atoms"_a)
      .def("scores", &scores, "source"_a, "pointers"_a.noconvert(), "out"_a.noconvert(),
           "threads"_a, "Writes the score of each example.")
      .def("leaves", &leaves, "source"_a, "pointers"_a.noconvert(),
           "The leaves with a value that each example reaches: offsets, and numbers of nodes.");
  nb::class_<OwnedBooster>(m, "TreeBooster", "Boosting of l1-regularised decision trees.")
      .def(nb::init<const AtomSource &, Pointers, Vec<const std::int8_t>, Vec<const float>, Doubles,
                    std::size_t, std::size_t, std::uint64_t, double, std::size_t, std::size_t>(),
           "source"_a, "pointers"_a.noconvert(), "y"_a.noconvert(), "bias"_a.noconvert(),
           "start"_a.noconvert(), "n_atoms"_a, "sample"_a, "seed"_a, "split_gain"_a = 0.0,
           "per_sample"_a = 1, "cache"_a = 0, nb::keep_alive<1, 2>())
      .def(
          "first_lambda",
          [](OwnedBooster &owner, int threads) {
            nb::gil_scoped_release release;
            return owner.booster.first_lambda(threads_of(threads));
          },
          "threads"_a, "The largest lambda that lets the root be split: any below it does.")
      .def(
          "grow",
          [](OwnedBooster &owner, double lambda, int threads) {
            nb::gil_scoped_release release;
            return owner.booster.grow(lambda, threads_of(threads));
          },
          "lambda_"_a, "threads"_a,
          "Adds the trees of a sample; False if all is converged for this lambda.")
      .def("restore", &restore, "offsets"_a.noconvert(), "atoms"_a.noconvert(), "yes"_a.noconvert(),
           "values"_a.noconvert(), "h"_a.none().noconvert(), "threads"_a,
           "Goes to the state after these trees; without h, all examples walk them again.")
      .def(
          "trees", [](const OwnedBooster &owner) { return arrays_of(owner.booster.ensemble()); },
          "The trees so far: offsets, atoms, yes, values.")
      .def_prop_ro(
          "n_trees", [](const OwnedBooster &owner) { return owner.booster.ensemble().trees(); },
          "How many trees there are.")
      .def(
          "h",
          [](const OwnedBooster &owner, Vec<double> out) {
            require(out.shape(0) == owner.booster.h().size(),
                    "out must have one entry per example");
            std::copy(owner.booster.h().begin(), owner.booster.h().end(), out.data());
          },
          "out"_a.noconvert(), "Writes the score of each example.")
      .def_prop_ro(
          "lost", [](const OwnedBooster &owner) { return owner.booster.lost(); },
          "The share of weight outside the last sample.")
      .def_prop_ro(
          "loss", [](const OwnedBooster &owner) { return owner.booster.loss(); },
          "The loss without the penalty.")
      .def_prop_ro(
          "seconds",
          [](const OwnedBooster &owner) {
            const auto seconds = owner.booster.seconds();
            return std::vector<double>(seconds.begin(), seconds.end());
          },
          "CPU seconds of sampling, extraction, building, percolation and updates.");
  m.def("priority_sample", &priority_sample, "weights"_a.noconvert(), "size"_a, "seed"_a,
        "number"_a, "Examples, estimates of their weights, and the share of weight left out.");
}

const Room room("decision_trees", bind);

} // namespace
