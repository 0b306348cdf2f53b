// Nodes of a forest while their cell is being filled.
#pragma once

#include "runoff/parsing/forest.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace runoff::parsing {

// Nodes of one kind that are being filled in a cell, each known by a number.
class ForestBin {
public:
  void begin(std::size_t symbols) {
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
  std::size_t edges() const { return edges_.size(); }

  // Moves what is found to the forest: calls done(node number) for each node that `around`, which
  // gives what surrounds a node, does not show to be below the threshold.
  template <typename Around, typename Done>
  void finish(Forest &forest, double threshold, Around &&around, Done &&done) {
    add_up(forest);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].inside * around(nodes_[n]) < threshold)
        continue;
      const auto first = forest.edges.size();
      for (auto e = counts_[n]; e < counts_[n + 1]; ++e)
        forest.edges.push_back(edges_[order_[e]].second);
      done(forest.add(nodes_[n], first));
    }
  }

private:
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

  std::vector<std::int32_t> places_; // symbol -> node, or -1
  std::vector<std::int32_t> symbols_;
  std::vector<ForestNode> nodes_;
  std::vector<std::pair<std::uint32_t, ForestEdge>> edges_; // with the node of each
  std::vector<std::uint32_t> counts_, next_, order_;
};

} // namespace runoff::parsing
