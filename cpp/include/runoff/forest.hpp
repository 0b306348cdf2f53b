// The second pass: a packed forest of the unlexicalised model, over what the coarse chart keeps.
#pragma once

#include "runoff/coarse_chart.hpp"

#include <cstdint>
#include <vector>

namespace runoff {

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
};

// The states of partial constituents as numbers, with what the unlexicalised model says of them.
// Grows as sentences need more; not for several threads at once.
class StateTable {
public:
  explicit StateTable(const HeadModel &model);

  std::int32_t find(const State &state);
  const State &state(std::int32_t id) const { return states_[std::size_t(id)]; }
  // Of the next modifier, or STOP.
  double probability(std::int32_t id, Label modifier);
  std::int32_t after(std::int32_t id, Label modifier);
  std::size_t size() const { return states_.size(); }

private:
  const HeadModel &model_;
  std::size_t width_;
  KeyTable<std::int32_t> ids_;
  std::vector<State> states_;
  std::vector<float> probabilities_; // by state and label, 0 where not asked yet
  std::vector<std::int32_t> after_;
};

// Nodes whose inside value, with what the coarse chart says surrounds them, promises a smaller
// share of all parses than the threshold are left out. A forest of more than so many edges is given
// up.
Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, StateTable &states, double threshold,
                    std::size_t most_edges);

// Fills the outside values of a forest with a root.
void fill_outside(Forest &forest);

// What is left without nodes and edges that have a smaller share of all parses; it may have no root
// any more.
Forest pruned(const Forest &forest, double threshold);

} // namespace runoff
