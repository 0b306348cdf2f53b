// The second pass: a packed forest of the unlexicalised model, over what the coarse chart keeps.
#pragma once

#include "runoff/coarse_chart.hpp"

#include <cstdint>
#include <vector>

namespace runoff {

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
  enum Kind : std::uint8_t { complete, right, left };
  Kind kind;
  Label label, above, head, previous; // label is the parent of a partial constituent
  std::int16_t start, end;
  std::int32_t first_edge, last_edge;
  double inside = 0, outside = 0; // scaled so that inside * outside is a share of all parses
};

struct Forest {
  std::vector<ForestNode> nodes; // tails before what is built from them
  std::vector<ForestEdge> edges; // of each node together
  std::int32_t root = -1;
  bool parsed() const { return root >= 0; }
};

Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, double threshold);

// Fills the outside values; then drops nodes and edges with a smaller share of all parses.
void prune_forest(Forest &forest, double threshold);

} // namespace runoff
