// Acyclic weighted hypergraphs, such as parse charts: inside and outside values, and the k best
// derivations, found lazily and exactly (Huang and Chiang, 2005, "Better k-best parsing",
// algorithm 3).
//
// All weights are logarithms. A weight of -inf means that there is no such edge: derivations that
// use one are never given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace runoff::search {

inline constexpr double NO_WEIGHT = -std::numeric_limits<double>::infinity();

// A rule that was applied: it joins its tails to its head. An edge without tails is a leaf, one
// with a single tail has it on the left.
struct Edge {
  double weight = 0.0;
  std::int32_t left = -1, right = -1; // nodes, -1 for none
  std::int32_t label = 0;             // the caller's; not looked at

  // Its weight together with that of its tails.
  double joined(std::span<const double> inside) const {
    double total = weight;
    if (left >= 0)
      total += inside[static_cast<std::size_t>(left)];
    if (right >= 0)
      total += inside[static_cast<std::size_t>(right)];
    return total;
  }
};

// Nodes are numbered so that tails come before heads. Node v's incoming edges are
// edges[first[v]] to edges[first[v + 1]]. To build one, for each node in turn: append its incoming
// edges to `edges`, then call close_node().
struct Hypergraph {
  std::vector<std::int32_t> first{0}; // nodes + 1
  std::vector<Edge> edges;

  std::int32_t nodes() const { return static_cast<std::int32_t>(first.size()) - 1; }

  // Makes the edges appended since the last call those of a new node; returns its number.
  std::int32_t close_node() {
    first.push_back(static_cast<std::int32_t>(edges.size()));
    return nodes() - 1;
  }

  std::span<const Edge> incoming(std::int32_t node) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(node)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(node) + 1]);
    return std::span(edges).subspan(begin, end - begin);
  }

  // Throws std::invalid_argument unless the arrays fit together, tails come before heads and no
  // weight is +inf or not a number. The functions below take that for granted.
  void check() const;
};

// The weight of each node's best derivation; -inf where there is none. Time is linear in edges,
// here and below.
std::vector<double> viterbi_inside(const Hypergraph &graph);

// The log of the sum over each node's derivations.
std::vector<double> inside(const Hypergraph &graph);

// What surrounds each node: the best, or the log of the sum, of the root's derivations with one
// occurrence of the node's own part left out; 0 for the root, -inf for what it does not reach. So
// inside[v] + outside[v] is the weight of the best derivation through v. The inside values are
// those of the function of the same kind.
std::vector<double> viterbi_outside(const Hypergraph &graph, std::span<const double> inside,
                                    std::int32_t root);
std::vector<double> outside(const Hypergraph &graph, std::span<const double> inside,
                            std::int32_t root);

// One derivation of a node: an edge, and which of their derivations its tails contribute, from 0.
struct Step {
  double weight;
  std::int32_t edge, left, right;
};

// The derivations of a root, best first, each once. Equal weights are ordered by the number of the
// edge, then by the rank of the left tail's derivation, then by that of the right one's; the order
// is the same however many are asked for. A weight is (edge + left) + right in floating point, at
// every node.
//
// The graph must outlive this. Construction takes linear time; after that only what the next
// derivation needs is looked at. What is still to do is kept on the heap, so depth has no limit.
// Derivations share their parts: a new one adds at most one Step to each node that it passes.
class KBest {
public:
  KBest(const Hypergraph &graph, std::int32_t root);

  // Finds one more derivation; false if there are no more.
  bool next();

  // How many were found; the functions below take places below that.
  std::size_t size() const { return size_; }
  double weight(std::size_t place) const;

  // The edges of a derivation, heads before tails and left before right, in place of `out`.
  void edges(std::size_t place, std::vector<std::int32_t> &out) const;

  // A node's derivation of that rank, for callers that walk themselves: start with the root and
  // a place, go on with the tails of the edge and their ranks.
  Step step(std::int32_t node, std::int32_t rank) const;

private:
  // What is known of a node of which more than the best derivation was asked for.
  struct Opened {
    std::vector<Step> found;    // best first
    std::vector<Step> frontier; // a heap; everything else is worse than something in it
    bool exhausted = false;
  };

  void find_another(std::int32_t node);
  Opened &open(std::int32_t node);
  void add_followers(Opened &node, const Step &last);
  static void take_best(Opened &node);
  bool missing(std::int32_t node, std::int32_t rank) const;
  bool has(std::int32_t node, std::int32_t rank) const;
  void add(Opened &node, std::int32_t edge, std::int32_t left, std::int32_t right);

  const Hypergraph &graph_;
  std::int32_t root_;
  std::size_t size_ = 0;
  std::vector<double> best_;            // node -> weight of its best derivation
  std::vector<std::int32_t> best_edge_; // node -> edge of that
  std::vector<std::int32_t> opened_at_; // node -> place in opened_, or -1
  std::vector<Opened> opened_;
  std::vector<std::int32_t> waiting_; // nodes that need another derivation, the next on top
};

} // namespace runoff::search
