#include "runoff/search/hypergraph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::search {

using base::at;

namespace {

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

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
      const auto tails = graph.tails(edge);
      for (std::size_t own = 0; own < tails; ++own) {
        double beside = around + edge.weight;
        for (std::size_t other = 0; other < tails; ++other)
          if (other != own)
            beside += inside[at(graph.tail(edge, other))];
        double &value = values[at(graph.tail(edge, own))];
        value = sum(value, beside);
      }
    }
  }
  return values;
}

} // namespace

void Hypergraph::add_edge(double weight, std::span<const std::int32_t> tails, std::int32_t label) {
  Edge edge{weight, -1, -1, label};
  if (!tails.empty())
    edge.left = tails[0];
  if (tails.size() > 1)
    edge.right = tails[1];
  if (tails.size() > 2) {
    edge.more = static_cast<std::int32_t>(more.size());
    more.push_back(static_cast<std::int32_t>(tails.size()) - 2);
    more.insert(more.end(), tails.begin() + 2, tails.end());
  }
  edges.push_back(edge);
}

void Hypergraph::check() const {
  require(!first.empty() && first.front() == 0 && at(first.back()) == edges.size() &&
              std::is_sorted(first.begin(), first.end()),
          "first must rise from 0 to the number of edges");
  for (std::int32_t node = 0; node < nodes(); ++node)
    for (const Edge &edge : incoming(node))
      check(edge, node);
}

void Hypergraph::check(const Edge &edge, std::int32_t head) const {
  const char *tails_first = "tails must be nodes that come before the head, or -1";
  require(edge.weight < -NO_WEIGHT, "weights must be numbers below +inf");
  require(edge.left >= -1 && edge.left < head && edge.right >= -1 && edge.right < head,
          tails_first);
  require(edge.left >= 0 || edge.right < 0, "an edge with one tail has it on the left");
  if (edge.more < 0)
    return;
  require(edge.right >= 0 && at(edge.more) < more.size() && more[at(edge.more)] > 0 &&
              at(more[at(edge.more)]) < more.size() - at(edge.more),
          "an edge with more than two tails has them all");
  for (std::size_t place = 2; place < tails(edge); ++place)
    require(tail(edge, place) >= 0 && tail(edge, place) < head, tails_first);
}

std::vector<double> viterbi_inside(const Hypergraph &graph) {
  std::vector<double> values(at(graph.nodes()), NO_WEIGHT);
  for (std::int32_t node = 0; node < graph.nodes(); ++node)
    for (const Edge &edge : graph.incoming(node))
      values[at(node)] = std::max(values[at(node)], graph.joined(edge, values));
  return values;
}

std::vector<double> inside(const Hypergraph &graph) {
  std::vector<double> values(at(graph.nodes()), NO_WEIGHT);
  for (std::int32_t node = 0; node < graph.nodes(); ++node) {
    double high = NO_WEIGHT, total = 0.0;
    for (const Edge &edge : graph.incoming(node))
      high = std::max(high, graph.joined(edge, values));
    if (high == NO_WEIGHT)
      continue;
    for (const Edge &edge : graph.incoming(node))
      total += std::exp(graph.joined(edge, values) - high);
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
