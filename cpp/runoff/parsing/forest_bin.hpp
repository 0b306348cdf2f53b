// Nodes of a forest while their cell is being filled.
#pragma once

#include "runoff/parsing/forest.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace runoff::parsing {

// Nodes of one kind that are being filled in a cell, each known by a number.
class ForestBin {
public:
  // Edges are worth adding that have a hundredth of a node's threshold.
  void begin(std::size_t symbols, double threshold = 0) {
    least_ = threshold / 100;
    beside_ = threshold / EDGE;
    if (places_.size() < symbols)
      places_.resize(symbols + symbols / 2, -1);
    for (const auto symbol : symbols_)
      places_[base::at(symbol)] = -1;
    symbols_.clear();
    nodes_.clear();
    edges_.clear();
  }
  // Whether there is such a node; if not, node() must be called before add().
  bool has(std::int32_t symbol) const {
    return base::at(symbol) < places_.size() && places_[base::at(symbol)] >= 0;
  }
  void node(std::int32_t symbol, const ForestNode &node) {
    if (base::at(symbol) >= places_.size())
      places_.resize(2 * base::at(symbol) + 1, -1);
    places_[base::at(symbol)] = static_cast<std::int32_t>(nodes_.size());
    symbols_.push_back(symbol);
    nodes_.push_back(node);
  }
  void add(std::int32_t symbol, const ForestEdge &edge) {
    edges_.emplace_back(places_[base::at(symbol)], edge);
  }
  // Whether an edge is worth adding that has at most this share of all parses. What surrounds it is
  // known from the coarse chart alone: over many words the shares of all that is there come out
  // larger by the same factor, up to a million in long sentences. So they are compared with each
  // other as well.
  bool worth(double share) const { return share >= least_; }
  // The same for the share that it has; what comes later is compared with it.
  bool worth_adding(double share) {
    if (share < least_)
      return false;
    least_ = std::max(least_, beside_ * share);
    return true;
  }
  std::size_t edges() const { return edges_.size(); }

  // Moves what is found to the forest: calls done(node number) for each node that `around`, which
  // gives what surrounds a node, does not show to be below the threshold, or far below the best.
  template <typename Around, typename Done>
  void finish(Forest &forest, double threshold, Around &&around, Done &&done) {
    add_up(forest);
    shares_.clear();
    for (const auto &node : nodes_)
      shares_.push_back(node.inside * around(node));
    double best = 1;
    for (const double share : shares_)
      best = std::max(best, share / NODE);
    threshold *= best;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (shares_[n] < threshold)
        continue;
      const auto first = forest.edges.size();
      for (auto e = counts_[n]; e < counts_[n + 1]; ++e)
        forest.edges.push_back(edges_[order_[e]].second);
      done(forest.add(nodes_[n], first));
    }
  }

private:
  // So much more than the threshold an edge or a node may be below the largest of a cell.
  static constexpr double EDGE = 300, NODE = 30;

  // The inside values of the nodes, and the order of the edges that has those of a node together.
  void add_up(const Forest &forest) {
    counts_.assign(nodes_.size() + 1, 0);
    for (const auto &[place, edge] : edges_) {
      nodes_[place].inside += forest.inside(edge);
      ++counts_[place + 1];
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      counts_[n + 1] += counts_[n];
    order_.resize(edges_.size());
    next_ = counts_;
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
      order_[next_[edges_[e].first]++] = e;
  }

  double least_ = 0, beside_ = 0;
  std::vector<std::int32_t> places_; // symbol -> node, or -1
  std::vector<std::int32_t> symbols_;
  std::vector<ForestNode> nodes_;
  std::vector<std::pair<std::uint32_t, ForestEdge>> edges_; // with the node of each
  std::vector<double> shares_;                              // of the nodes
  std::vector<std::uint32_t> counts_, next_, order_;
};

} // namespace runoff::parsing
