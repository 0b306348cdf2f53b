#include "runoff/search/kbest.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace runoff::search {

using base::at;

KBest::KBest(const Hypergraph &graph, std::int32_t root, Classes classes)
    : graph_(graph), root_(root), classes_(std::move(classes)), best_(at(graph.nodes()), NO_WEIGHT),
      best_edge_(best_.size(), -1), opened_at_(best_.size(), -1) {
  if (root < 0 || root >= graph.nodes())
    throw std::invalid_argument("the root is not a node");
  for (std::int32_t node = 0; node <= root; ++node) {
    for (std::int32_t edge = graph.first[at(node)]; edge < graph.first[at(node) + 1]; ++edge) {
      const double weight = graph.joined(graph.edges[at(edge)], best_);
      if (weight > best_[at(node)]) {
        best_[at(node)] = weight;
        best_edge_[at(node)] = edge;
      }
    }
  }
  if (classes_)
    best_class_.assign(best_.size(), -1);
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
    const auto [node, rank_of_it] = todo.back();
    todo.pop_back();
    const Step found = step(node, rank_of_it);
    const Edge &edge = graph_.edges[at(found.edge)];
    out.push_back(found.edge);
    for (auto tail = graph_.tails(edge); tail-- > 0;)
      todo.emplace_back(graph_.tail(edge, tail), rank(found, tail));
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
    const auto number = waiting_.back();
    Opened &node = open(number);
    if (const auto tail = missing_tail(node.last); tail >= 0) {
      waiting_.push_back(tail);
      continue;
    }
    add_followers(node, node.last);
    if (take_best(number))
      waiting_.pop_back();
  }
}

// All derivations of a node by one edge form a grid, by the ranks of the tails. One is followed by
// those that have one more at its last rank above 0, or at a tail behind that: so each comes after
// one that is not worse and of lower ranks, and none comes twice.
void KBest::add_followers(Opened &node, const Step &last) {
  const Edge &edge = graph_.edges[at(last.edge)];
  for (auto tail = graph_.tails(edge); tail-- > 0;) {
    const auto own = rank(last, tail);
    if (has(graph_.tail(edge, tail), own + 1))
      add(node, last, tail);
    if (own > 0)
      return;
  }
}

// A tail of which one more derivation must be looked for before there can be followers, or -1.
std::int32_t KBest::missing_tail(const Step &last) const {
  const Edge &edge = graph_.edges[at(last.edge)];
  for (auto tail = graph_.tails(edge); tail-- > 0;) {
    const auto own = rank(last, tail);
    if (const auto node = graph_.tail(edge, tail); missing(node, own + 1))
      return node;
    if (own > 0)
      break;
  }
  return -1;
}

// Takes the best of the frontier; false if it is of a class that was there before.
bool KBest::take_best(std::int32_t number) {
  const auto place = at(opened_at_[at(number)]);
  auto &node = opened_[place];
  if (node.frontier.empty()) {
    node.exhausted = true;
    return true;
  }
  std::pop_heap(node.frontier.begin(), node.frontier.end(), order());
  node.last = node.frontier.back();
  node.frontier.pop_back();
  if (classes_) {
    const auto found = class_of(node.last);
    if (!known_[place].all.insert(found).second)
      return false;
    known_[place].found.push_back(found);
  }
  node.found.push_back(node.last);
  return true;
}

// Adds what follows a derivation by one more at a tail.
void KBest::add(Opened &node, const Step &last, std::size_t tail) {
  Step next = last;
  const Edge &edge = graph_.edges[at(last.edge)];
  const auto tails = graph_.tails(edge);
  if (tails > 2) {
    next.more = static_cast<std::int32_t>(more_.size());
    for (std::size_t other = 2; other < tails; ++other)
      more_.push_back(rank(last, other));
  }
  ++(tail == 0 ? next.left : tail == 1 ? next.right : more_[at(next.more) + tail - 2]);
  next.weight = edge.weight;
  for (std::size_t other = 0; other < tails; ++other)
    next.weight += step(graph_.tail(edge, other), rank(next, other)).weight;
  if (next.weight == NO_WEIGHT)
    return;
  node.frontier.push_back(next);
  std::push_heap(node.frontier.begin(), node.frontier.end(), order());
}

// The order of derivations; as the order of a heap it puts the first on top.
bool KBest::comes_after(const Step &a, const Step &b) const {
  if (a.weight != b.weight)
    return a.weight < b.weight;
  const auto first = std::tie(a.edge, a.left, a.right), second = std::tie(b.edge, b.left, b.right);
  if (first != second)
    return first > second;
  for (std::size_t tail = 2; tail < graph_.tails(graph_.edges[at(a.edge)]); ++tail)
    if (rank(a, tail) != rank(b, tail))
      return rank(a, tail) > rank(b, tail);
  return false;
}

// The node's best derivation is known; those of its other edges are the frontier.
KBest::Opened &KBest::open(std::int32_t node) {
  auto &place = opened_at_[at(node)];
  if (place < 0) {
    Opened opened;
    opened.last = step(node, 0);
    opened.found.push_back(opened.last);
    for (auto edge = graph_.first[at(node)]; edge < graph_.first[at(node) + 1]; ++edge) {
      const double weight = graph_.joined(graph_.edges[at(edge)], best_);
      if (edge != best_edge_[at(node)] && weight != NO_WEIGHT)
        opened.frontier.push_back({weight, edge, 0, 0});
    }
    std::make_heap(opened.frontier.begin(), opened.frontier.end(), order());
    if (classes_) {
      const auto best = best_class(node);
      known_.push_back({{best}, {best}});
    }
    place = static_cast<std::int32_t>(opened_.size());
    opened_.push_back(std::move(opened));
  }
  return opened_[at(place)];
}

// Whether a node has a derivation of that rank among those found; every node has its best.
bool KBest::has(std::int32_t node, std::int32_t rank) const {
  const auto place = opened_at_[at(node)];
  return place < 0 ? rank == 0 : at(rank) < opened_[at(place)].found.size();
}

// Whether it must be looked for: not found, and the node may have more.
bool KBest::missing(std::int32_t node, std::int32_t rank) const {
  if (has(node, rank))
    return false;
  const auto place = opened_at_[at(node)];
  return place < 0 || !opened_[at(place)].exhausted;
}

// The class of a derivation, whose tails have been found.
std::uint32_t KBest::class_of(const Step &step) {
  const Edge &edge = graph_.edges[at(step.edge)];
  for (std::size_t tail = 0; tail < graph_.tails(edge); ++tail)
    best_class(graph_.tail(edge, tail)); // before tails_ is filled, which it may need itself
  tails_.clear();
  for (std::size_t tail = 0; tail < graph_.tails(edge); ++tail) {
    const auto node = graph_.tail(edge, tail);
    const auto place = opened_at_[at(node)];
    tails_.push_back(place < 0 ? static_cast<std::uint32_t>(best_class_[at(node)])
                               : known_[at(place)].found[at(rank(step, tail))]);
  }
  return classes_(step.edge, tails_);
}

// The class of a node's best derivation; tails first, by a stack of what is still to do.
std::uint32_t KBest::best_class(std::int32_t node) {
  if (const auto known = best_class_[at(node)]; known >= 0)
    return static_cast<std::uint32_t>(known);
  std::vector<std::int32_t> todo{node};
  while (!todo.empty()) {
    const auto next = todo.back();
    const Edge &edge = graph_.edges[at(best_edge_[at(next)])];
    const auto before = todo.size();
    for (std::size_t tail = 0; tail < graph_.tails(edge); ++tail)
      if (const auto below = graph_.tail(edge, tail); best_class_[at(below)] < 0)
        todo.push_back(below);
    if (todo.size() > before)
      continue;
    todo.pop_back();
    if (best_class_[at(next)] < 0)
      best_class_[at(next)] = class_of(step(next, 0));
  }
  return static_cast<std::uint32_t>(best_class_[at(node)]);
}

} // namespace runoff::search
