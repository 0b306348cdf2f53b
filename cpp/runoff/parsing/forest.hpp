// Packed forests of the unlexicalised model: what the second pass over a sentence keeps.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::parsing {

// How a node of the forest is made from others.
enum class Move : std::uint8_t {
  leaf,       // a word gets its tag
  same,       // one of several ways to build the same
  head,       // constituent -> partial constituent that it heads
  right,      // partial constituent, modifier -> larger partial constituent
  right_stop, // no more modifiers to the right
  left,       // modifier, partial constituent -> larger partial constituent
  left_stop,  // no more to the left: a constituent
  unary,      // constituent -> constituent with no modifiers
  top         // constituent -> the sentence
};

struct ForestEdge {
  Move move;
  std::int32_t tails[2];
  double probability;
};

struct ForestNode {
  Label label = -1, above = -1; // of a partial constituent: its parent, and what is above that
  Label head = -1, previous = -1, before = -1; // of a partial constituent
  std::int32_t state = -1;                     // of a partial constituent in a StateTable
  std::int16_t start = 0, end = 0;
  std::int32_t first_edge = 0, last_edge = 0;
  double inside = 0, outside = 0; // scaled so that inside * outside is a share of all parses
};

struct Forest {
  std::vector<ForestNode> nodes; // tails before what is built from them
  std::vector<ForestEdge> edges; // of each node together
  std::int32_t root = -1;
  bool too_large = false; // it was given up

  bool parsed() const { return root >= 0; }
  const ForestNode &node(std::int32_t id) const { return nodes[base::at(id)]; }
  // The ways to make a node.
  std::span<const ForestEdge> incoming(const ForestNode &node) const {
    return {edges.data() + node.first_edge, edges.data() + node.last_edge};
  }
  // The probability of a way to make a node, with that of its tails.
  double inside(const ForestEdge &edge) const {
    double product = edge.probability;
    for (const auto tail : edge.tails)
      if (tail >= 0)
        product *= node(tail).inside;
    return product;
  }
  // What was added to the edges since there were `first` of them makes a new node; its number.
  std::int32_t add(ForestNode made, std::size_t first) {
    made.first_edge = static_cast<std::int32_t>(first);
    made.last_edge = static_cast<std::int32_t>(edges.size());
    nodes.push_back(made);
    return static_cast<std::int32_t>(nodes.size()) - 1;
  }
};

} // namespace runoff::parsing
