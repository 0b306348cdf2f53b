// Acyclic weighted hypergraphs, such as parse charts: inside and outside values. All weights are
// logarithms. A weight of -inf means that there is no such edge: derivations that use one are never
// given.
#pragma once

#include "runoff/base/at.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace runoff::search {

inline constexpr double NO_WEIGHT = -std::numeric_limits<double>::infinity();

// A rule that was applied: it joins its tails to its head. An edge without tails is a leaf, one
// with a single tail has it on the left. Charts have millions of edges with one or two tails, so
// these are held here, and others by the graph.
struct Edge {
  double weight = 0.0;
  std::int32_t left = -1, right = -1; // nodes, -1 for none
  std::int32_t label = 0;             // the caller's; not looked at
  std::int32_t more = -1;             // where Hypergraph::more has its other tails, -1 for none
};

// Nodes are numbered so that tails come before heads. Node v's incoming edges are
// edges[first[v]] to edges[first[v + 1]]. To build one, for each node in turn: append its incoming
// edges to `edges`, or call add_edge(); then call close_node().
struct Hypergraph {
  std::vector<std::int32_t> first{0}; // nodes + 1
  std::vector<Edge> edges;
  std::vector<std::int32_t> more; // for an edge of more than two tails: how many more, and which

  std::int32_t nodes() const { return static_cast<std::int32_t>(first.size()) - 1; }

  // Appends an edge with any number of tails.
  void add_edge(double weight, std::span<const std::int32_t> tails, std::int32_t label = 0);

  // Makes the edges appended since the last call those of a new node; returns its number.
  std::int32_t close_node() {
    first.push_back(static_cast<std::int32_t>(edges.size()));
    return nodes() - 1;
  }

  std::span<const Edge> incoming(std::int32_t node) const {
    return {edges.data() + first[base::at(node)], edges.data() + first[base::at(node) + 1]};
  }

  std::size_t tails(const Edge &edge) const {
    return std::size_t{edge.left >= 0} + std::size_t{edge.right >= 0} +
           (edge.more < 0 ? 0 : base::at(more[base::at(edge.more)]));
  }
  std::int32_t tail(const Edge &edge, std::size_t place) const {
    if (place < 2)
      return place == 0 ? edge.left : edge.right;
    return more[base::at(edge.more) + place - 1];
  }

  // The weight of an edge together with that of its tails, added up from the left.
  double joined(const Edge &edge, std::span<const double> inside) const {
    double total = edge.weight;
    if (edge.left >= 0)
      total += inside[base::at(edge.left)];
    if (edge.right >= 0)
      total += inside[base::at(edge.right)];
    if (edge.more >= 0)
      for (std::size_t place = 2; place < tails(edge); ++place)
        total += inside[base::at(tail(edge, place))];
    return total;
  }

  // Throws std::invalid_argument unless the arrays fit together, tails come before heads and no
  // weight is +inf or not a number. The functions below take that for granted.
  void check() const;

private:
  void check(const Edge &edge, std::int32_t head) const;
};

// The weight of each node's best derivation; -inf where there is none. Time is linear in tails,
// here and below.
std::vector<double> viterbi_inside(const Hypergraph &graph);

// The log of the sum over each node's derivations.
std::vector<double> inside(const Hypergraph &graph);

// What surrounds each node: the best, or the log of the sum, of the root's derivations with one
// occurrence of the node's own part left out; 0 for the root, -inf for what it does not reach. So
// inside[v] + outside[v] is the weight of the best derivation through v. The inside values are
// those of the function of the same kind. Time is quadratic in the tails of an edge.
std::vector<double> viterbi_outside(const Hypergraph &graph, std::span<const double> inside,
                                    std::int32_t root);
std::vector<double> outside(const Hypergraph &graph, std::span<const double> inside,
                            std::int32_t root);

} // namespace runoff::search
