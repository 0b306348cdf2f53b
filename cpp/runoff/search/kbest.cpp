#include "runoff/search/hypergraph.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace runoff::search {
namespace {

std::size_t at(std::int32_t place) { return static_cast<std::size_t>(place); }

// The order of derivations; as the order of a heap it puts the first on top.
bool comes_after(const Step &a, const Step &b) {
  if (a.weight != b.weight)
    return a.weight < b.weight;
  return std::tie(a.edge, a.left, a.right) > std::tie(b.edge, b.left, b.right);
}

} // namespace

KBest::KBest(const Hypergraph &graph, std::int32_t root)
    : graph_(graph), root_(root), best_(at(graph.nodes()), NO_WEIGHT), best_edge_(best_.size(), -1),
      opened_at_(best_.size(), -1) {
  if (root < 0 || root >= graph.nodes())
    throw std::invalid_argument("the root is not a node");
  for (std::int32_t node = 0; node <= root; ++node) {
    for (std::int32_t edge = graph.first[at(node)]; edge < graph.first[at(node) + 1]; ++edge) {
      const double weight = graph.edges[at(edge)].joined(best_);
      if (weight > best_[at(node)]) {
        best_[at(node)] = weight;
        best_edge_[at(node)] = edge;
      }
    }
  }
}

bool KBest::next() {
  if (size_ == 0) {
    size_ = best_[at(root_)] == NO_WEIGHT ? 0 : 1;
    return size_ != 0;
  }
  const auto rank = static_cast<std::int32_t>(size_);
  if (missing(root_, rank))
    find_another(root_);
  if (!has(root_, rank))
    return false;
  ++size_;
  return true;
}

double KBest::weight(std::size_t place) const {
  return step(root_, static_cast<std::int32_t>(place)).weight;
}

void KBest::edges(std::size_t place, std::vector<std::int32_t> &out) const {
  out.clear();
  std::vector<std::pair<std::int32_t, std::int32_t>> todo{
      {root_, static_cast<std::int32_t>(place)}};
  while (!todo.empty()) {
    const auto [node, rank] = todo.back();
    todo.pop_back();
    const Step found = step(node, rank);
    const Edge &edge = graph_.edges[at(found.edge)];
    out.push_back(found.edge);
    if (edge.right >= 0)
      todo.emplace_back(edge.right, found.right);
    if (edge.left >= 0)
      todo.emplace_back(edge.left, found.left);
  }
}

Step KBest::step(std::int32_t node, std::int32_t rank) const {
  const auto place = opened_at_[at(node)];
  if (place >= 0)
    return opened_[at(place)].found[at(rank)];
  return {best_[at(node)], best_edge_[at(node)], 0, 0};
}

// Tails first: a node waits until the followers of its last derivation can be added.
void KBest::find_another(std::int32_t start) {
  waiting_.push_back(start);
  while (!waiting_.empty()) {
    Opened &node = open(waiting_.back());
    const Step last = node.found.back();
    const Edge &edge = graph_.edges[at(last.edge)];
    if (missing(edge.right, last.right + 1)) {
      waiting_.push_back(edge.right);
    } else if (last.right == 0 && missing(edge.left, last.left + 1)) {
      waiting_.push_back(edge.left);
    } else {
      add_followers(node, last);
      take_best(node);
      waiting_.pop_back();
    }
  }
}

// All derivations of a node by one edge form a grid, by the ranks of the tails. (left, right) is
// followed by (left, right + 1), and at the edge of the grid also by (left + 1, 0): so each comes
// after one that is not worse and of lower ranks, and none comes twice.
void KBest::add_followers(Opened &node, const Step &last) {
  const Edge &edge = graph_.edges[at(last.edge)];
  if (has(edge.right, last.right + 1))
    add(node, last.edge, last.left, last.right + 1);
  if (last.right == 0 && has(edge.left, last.left + 1))
    add(node, last.edge, last.left + 1, 0);
}

void KBest::take_best(Opened &node) {
  if (node.frontier.empty()) {
    node.exhausted = true;
    return;
  }
  std::pop_heap(node.frontier.begin(), node.frontier.end(), comes_after);
  node.found.push_back(node.frontier.back());
  node.frontier.pop_back();
}

void KBest::add(Opened &node, std::int32_t edge, std::int32_t left, std::int32_t right) {
  const Edge &rule = graph_.edges[at(edge)];
  double weight = rule.weight;
  if (rule.left >= 0)
    weight += step(rule.left, left).weight;
  if (rule.right >= 0)
    weight += step(rule.right, right).weight;
  if (weight == NO_WEIGHT)
    return;
  node.frontier.push_back({weight, edge, left, right});
  std::push_heap(node.frontier.begin(), node.frontier.end(), comes_after);
}

// The node's best derivation is known; those of its other edges are the frontier.
KBest::Opened &KBest::open(std::int32_t node) {
  auto &place = opened_at_[at(node)];
  if (place < 0) {
    Opened opened;
    opened.found.push_back(step(node, 0));
    for (auto edge = graph_.first[at(node)]; edge < graph_.first[at(node) + 1]; ++edge) {
      const double weight = graph_.edges[at(edge)].joined(best_);
      if (edge != best_edge_[at(node)] && weight != NO_WEIGHT)
        opened.frontier.push_back({weight, edge, 0, 0});
    }
    std::make_heap(opened.frontier.begin(), opened.frontier.end(), comes_after);
    place = static_cast<std::int32_t>(opened_.size());
    opened_.push_back(std::move(opened));
  }
  return opened_[at(place)];
}

// Whether a node has a derivation of that rank among those found; every node has its best.
bool KBest::has(std::int32_t node, std::int32_t rank) const {
  if (node < 0)
    return false;
  const auto place = opened_at_[at(node)];
  return place < 0 ? rank == 0 : at(rank) < opened_[at(place)].found.size();
}

// Whether it must be looked for: not found, and the node may have more.
bool KBest::missing(std::int32_t node, std::int32_t rank) const {
  if (node < 0 || has(node, rank))
    return false;
  const auto place = opened_at_[at(node)];
  return place < 0 || !opened_[at(place)].exhausted;
}

} // namespace runoff::search
