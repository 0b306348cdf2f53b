#include "bind.hpp"
#include "runoff/search/kbest.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace {

using runoff::search::Hypergraph;
using Tails =
    nb::ndarray<const std::int32_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Classes = nb::typed<nb::callable, std::uint32_t(std::int32_t, std::vector<std::uint32_t>)>;

// A row of tails without the -1 that fill it up.
std::span<const std::int32_t> row(const Tails &tails, std::size_t edge) {
  const std::size_t width = tails.shape(1);
  const std::span all(tails.data() + edge * width, width);
  std::size_t size = width;
  while (size > 0 && all[size - 1] == -1)
    --size;
  return all.first(size);
}

void build(Hypergraph *self, Vec<const std::int32_t> first, Vec<const double> weights,
           Tails tails) {
  if (tails.shape(0) != weights.shape(0))
    throw std::invalid_argument("weights and tails must have one entry per edge");
  const auto offsets = view(first);
  Hypergraph graph;
  graph.first.assign(offsets.begin(), offsets.end());
  graph.edges.reserve(weights.shape(0));
  for (std::size_t i = 0; i < weights.shape(0); ++i)
    graph.add_edge(weights.data()[i], row(tails, i));
  graph.check();
  new (self) Hypergraph(std::move(graph));
}

using Numbers = std::vector<std::int32_t>;

// The derivations end to end: weights, offsets into the edges, edges.
auto k_best(const Hypergraph &graph, std::int32_t root, std::size_t k,
            const std::optional<Classes> &classes) {
  runoff::search::Classes called;
  if (classes)
    called = [&classes](std::int32_t edge, std::span<const std::uint32_t> tails) {
      nb::gil_scoped_acquire lock;
      return nb::cast<std::uint32_t>((*classes)(edge, Numbers(tails.begin(), tails.end())));
    };
  std::vector<double> weights;
  std::vector<std::int64_t> offsets{0};
  Numbers edges, own;
  {
    nb::gil_scoped_release release;
    runoff::search::KBest best(graph, root, called);
    while (best.size() < k && best.next()) {
      if (best.size() % 64 == 0)
        check_signals();
      best.edges(best.size() - 1, own);
      weights.push_back(best.weight(best.size() - 1));
      edges.insert(edges.end(), own.begin(), own.end());
      offsets.push_back(static_cast<std::int64_t>(edges.size()));
    }
  }
  return std::tuple(owned(std::move(weights)), owned(std::move(offsets)), owned(std::move(edges)));
}

auto inside(const Hypergraph &graph, bool best) {
  nb::gil_scoped_release release;
  return best ? runoff::search::viterbi_inside(graph) : runoff::search::inside(graph);
}

auto outside(const Hypergraph &graph, std::int32_t root, bool best) {
  nb::gil_scoped_release release;
  return best ? runoff::search::viterbi_outside(graph, runoff::search::viterbi_inside(graph), root)
              : runoff::search::outside(graph, runoff::search::inside(graph), root);
}

void bind(nb::module_ &m) {
  nb::class_<Hypergraph>(m, "Hypergraph", "Nodes in order, tails before heads, and their edges.")
      .def("__init__", &build, "first"_a.noconvert(), "weights"_a.noconvert(),
           "tails"_a.noconvert())
      .def("k_best", &k_best, "root"_a, "k"_a, "classes"_a.none(),
           "(weights, offsets, edges) of the k best derivations, best first; heads before tails. "
           "Only the best of each class, if classes(edge, classes of its tails) gives them.")
      .def(
          "inside", [](const Hypergraph &graph, bool best) { return owned(inside(graph, best)); },
          "best"_a, "Each node's best derivation, or the log of the sum of all of them.")
      .def(
          "outside",
          [](const Hypergraph &graph, std::int32_t root, bool best) {
            return owned(outside(graph, root, best));
          },
          "root"_a, "best"_a, "What surrounds each node in the root's derivations.");
}

const Room room("search", bind);

} // namespace
