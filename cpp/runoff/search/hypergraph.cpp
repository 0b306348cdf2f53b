#include "runoff/search/hypergraph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::search {
namespace {

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

std::size_t at(std::int32_t place) { return static_cast<std::size_t>(place); }

// log(exp(a) + exp(b))
double log_add(double a, double b) {
  const double high = std::max(a, b);
  return high == NO_WEIGHT ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

double larger(double a, double b) { return std::max(a, b); }

template <double (*sum)(double, double)>
std::vector<double> outside_by(const Hypergraph &graph, std::span<const double> inside,
                               std::int32_t root) {
  require(inside.size() == at(graph.nodes()), "inside must have one entry per node");
  require(root >= 0 && root < graph.nodes(), "the root is not a node");
  std::vector<double> values(inside.size(), NO_WEIGHT);
  values[at(root)] = 0.0;
  for (std::int32_t node = root; node >= 0; --node) {
    const double around = values[at(node)];
    if (around == NO_WEIGHT)
      continue;
    for (const Edge &edge : graph.incoming(node)) {
      const double above = around + edge.weight;
      const double left = edge.left < 0 ? 0.0 : inside[at(edge.left)];
      const double right = edge.right < 0 ? 0.0 : inside[at(edge.right)];
      if (edge.left >= 0)
        values[at(edge.left)] = sum(values[at(edge.left)], above + right);
      if (edge.right >= 0)
        values[at(edge.right)] = sum(values[at(edge.right)], above + left);
    }
  }
  return values;
}

} // namespace

void Hypergraph::check() const {
  require(!first.empty() && first.front() == 0 && at(first.back()) == edges.size() &&
              std::is_sorted(first.begin(), first.end()),
          "first must rise from 0 to the number of edges");
  for (std::int32_t node = 0; node < nodes(); ++node) {
    for (const Edge &edge : incoming(node)) {
      require(edge.weight < -NO_WEIGHT, "weights must be numbers below +inf");
      require(edge.left >= -1 && edge.left < node && edge.right >= -1 && edge.right < node,
              "tails must be nodes that come before the head, or -1");
      require(edge.left >= 0 || edge.right < 0, "an edge with one tail has it on the left");
    }
  }
}

std::vector<double> viterbi_inside(const Hypergraph &graph) {
  std::vector<double> values(at(graph.nodes()), NO_WEIGHT);
  for (std::int32_t node = 0; node < graph.nodes(); ++node)
    for (const Edge &edge : graph.incoming(node))
      values[at(node)] = std::max(values[at(node)], edge.joined(values));
  return values;
}

std::vector<double> inside(const Hypergraph &graph) {
  std::vector<double> values(at(graph.nodes()), NO_WEIGHT);
  for (std::int32_t node = 0; node < graph.nodes(); ++node) {
    double high = NO_WEIGHT, total = 0.0;
    for (const Edge &edge : graph.incoming(node))
      high = std::max(high, edge.joined(values));
    if (high == NO_WEIGHT)
      continue;
    for (const Edge &edge : graph.incoming(node))
      total += std::exp(edge.joined(values) - high);
    values[at(node)] = high + std::log(total);
  }
  return values;
}

std::vector<double> viterbi_outside(const Hypergraph &graph, std::span<const double> inside,
                                    std::int32_t root) {
  return outside_by<larger>(graph, inside, root);
}

std::vector<double> outside(const Hypergraph &graph, std::span<const double> inside,
                            std::int32_t root) {
  return outside_by<log_add>(graph, inside, root);
}

} // namespace runoff::search
