#include "runoff/parsing/forest_pruning.hpp"

#include <algorithm>
#include <functional>

namespace runoff::parsing {

using base::at;

namespace {

// Outside values from inside ones; `add` joins what is known of a node with one more way to use it.
template <typename Add> void fill_outside(Forest &forest, Add &&add) {
  auto &nodes = forest.nodes;
  const auto inside = [&](std::int32_t id) { return id < 0 ? 1.0 : nodes[at(id)].inside; };
  const auto root = at(forest.root);
  nodes[root].outside = 1.0 / nodes[root].inside;
  for (auto id = root + 1; id-- > 0;) {
    const auto &node = nodes[id];
    if (node.outside == 0)
      continue;
    for (const auto &edge : forest.incoming(node)) {
      const double up = node.outside * edge.probability;
      const auto [left, right] = edge.tails;
      if (left >= 0)
        add(nodes[at(left)].outside, up * inside(right));
      if (right >= 0)
        add(nodes[at(right)].outside, up * inside(left));
    }
  }
}

} // namespace

void fill_outside(Forest &forest) {
  fill_outside(forest, [](double &known, double more) { known += more; });
}

void fill_best(Forest &forest) {
  for (auto &node : forest.nodes) {
    node.inside = node.outside = 0;
    for (const auto &edge : forest.incoming(node))
      node.inside = std::max(node.inside, forest.inside(edge));
  }
  fill_outside(forest, [](double &known, double more) { known = std::max(known, more); });
}

Forest pruned(const Forest &forest, double threshold) {
  const auto &nodes = forest.nodes;
  std::vector<std::int32_t> renumbered(nodes.size(), -1);
  Forest kept;
  // Edges without one of their tails go as well; those that stay have the new numbers.
  const auto keep_edge = [&](const ForestNode &node, ForestEdge edge) {
    double share = node.outside * edge.probability;
    for (auto &tail : edge.tails)
      if (tail >= 0) {
        share *= nodes[at(tail)].inside;
        tail = renumbered[at(tail)];
        if (tail < 0)
          return;
      }
    if (!(share < threshold))
      kept.edges.push_back(edge);
  };
  for (std::size_t id = 0; id <= at(forest.root); ++id) {
    const auto &node = nodes[id];
    if (node.inside * node.outside < threshold)
      continue;
    const auto first = kept.edges.size();
    for (const auto &edge : forest.incoming(node))
      keep_edge(node, edge);
    if (kept.edges.size() > first)
      renumbered[id] = kept.add(node, first);
  }
  kept.root = renumbered[at(forest.root)];
  return kept;
}

namespace {

// Every node with nothing but its best edge; of equal ones, the first.
Forest best_edges(const Forest &forest) {
  Forest kept;
  for (const auto &node : forest.nodes) {
    const auto edges = forest.incoming(node);
    const auto *best = &edges.front();
    for (const auto &edge : edges)
      if (forest.inside(edge) > forest.inside(*best))
        best = &edge;
    kept.edges.push_back(*best);
    kept.add(node, kept.edges.size() - 1);
  }
  kept.root = forest.root;
  return kept;
}

} // namespace

Forest narrowed(const Forest &forest, std::size_t edges) {
  if (forest.edges.size() <= edges)
    return forest;
  std::vector<double> shares;
  shares.reserve(forest.edges.size());
  for (const auto &node : forest.nodes)
    for (const auto &edge : forest.incoming(node))
      shares.push_back(node.outside * forest.inside(edge));
  const auto last = shares.begin() + static_cast<std::ptrdiff_t>(edges);
  std::nth_element(shares.begin(), last, shares.end(), std::greater<>());
  // Products of the same factors in another order differ a little.
  constexpr double ALMOST_ALL = 1 - 1e-9;
  auto kept = pruned(forest, std::min(*last * (1 + 1e-9), ALMOST_ALL));
  return kept.parsed() && kept.edges.size() <= edges ? kept
                                                     : best_edges(pruned(forest, ALMOST_ALL));
}

} // namespace runoff::parsing
