#include "bind.hpp"
#include "runoff/search/hypergraph.hpp"

#include <nanobind/stl/tuple.h>
#include <stdexcept>
#include <tuple>

namespace {

using runoff::search::Hypergraph;
using Tails =
    nb::ndarray<const std::int32_t, nb::numpy, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

void build(Hypergraph *self, Vec<const std::int32_t> first, Vec<const double> weights,
           Tails tails) {
  if (tails.shape(0) != weights.shape(0))
    throw std::invalid_argument("weights and tails must have one entry per edge");
  const auto offsets = view(first);
  Hypergraph graph;
  graph.first.assign(offsets.begin(), offsets.end());
  graph.edges.reserve(weights.shape(0));
  for (std::size_t i = 0; i < weights.shape(0); ++i)
    graph.edges.push_back({weights.data()[i], tails.data()[2 * i], tails.data()[2 * i + 1], 0});
  graph.check();
  new (self) Hypergraph(std::move(graph));
}

using Numbers = std::vector<std::int32_t>;

// The derivations end to end: weights, offsets into the edges, edges.
auto k_best(const Hypergraph &graph, std::int32_t root, std::size_t k) {
  std::vector<double> weights;
  std::vector<std::int64_t> offsets{0};
  Numbers edges, own;
  {
    nb::gil_scoped_release release;
    runoff::search::KBest best(graph, root);
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
      .def("k_best", &k_best, "root"_a, "k"_a,
           "(weights, offsets, edges) of the k best derivations, best first; heads before tails.")
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
