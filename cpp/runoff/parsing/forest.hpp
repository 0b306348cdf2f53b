// The second pass: a packed forest of the unlexicalised model, over what the coarse chart keeps.
#pragma once

#include "runoff/parsing/coarse_chart.hpp"

#include <cstdint>
#include <mutex>
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
};

// How much one sentence may take. Memory is for edges, in every pass: about 50 bytes each while
// they are built, with all that belongs to them. Sentences that take much wait for each other, so
// that the memory of all hardly depends on how many threads parse.
class Allowance {
public:
  Allowance(std::size_t edges, std::mutex &turn) : edges_(edges), turn_(turn, std::defer_lock) {}
  Allowance(const Allowance &) = delete;
  Allowance &operator=(const Allowance &) = delete;
  ~Allowance(); // what the sentence took goes back to the system before the next one's turn

  // Whether so many edges, or something that takes as much, may be in memory. The first time that
  // it is much, this waits for the turn of the sentence, which then lasts as long as this object.
  bool holds(std::size_t edges) {
    if (edges > MUCH)
      take_turn();
    return edges <= edges_;
  }
  std::size_t edges() const { return edges_; }
  void take_turn() {
    if (!turn_.owns_lock())
      turn_.lock();
  }

private:
  static constexpr std::size_t MUCH = 500'000;
  std::size_t edges_;
  std::unique_lock<std::mutex> turn_;
};

// The states of partial constituents as numbers, with what the unlexicalised model says of them.
// Grows as sentences need more; not for several threads at once.
class StateTable {
public:
  explicit StateTable(const HeadModel &model);

  std::int32_t find(const State &state);
  const State &state(std::int32_t id) const { return states_[std::size_t(id)]; }
  // Of the next modifier, or STOP.
  double probability(std::int32_t id, Label modifier) {
    const float known = probabilities_[place(id, modifier)];
    return known == 0.0F ? ask_probability(id, modifier) : known;
  }
  std::int32_t after(std::int32_t id, Label modifier) {
    const auto known = after_[place(id, modifier)];
    return known < 0 ? ask_after(id, modifier) : known;
  }
  std::size_t size() const { return states_.size(); }
  // What it takes, as so many edges.
  std::size_t edges() const { return probabilities_.size() / 4; }
  void clear();

private:
  std::size_t place(std::int32_t id, Label modifier) const {
    return static_cast<std::size_t>(id) * width_ + static_cast<std::size_t>(modifier);
  }
  double ask_probability(std::int32_t id, Label modifier);
  std::int32_t ask_after(std::int32_t id, Label modifier);

  const HeadModel &model_;
  std::size_t width_;
  KeyTable<std::int32_t> ids_;
  std::vector<State> states_;
  std::vector<float> probabilities_; // by state and label, 0 where not asked yet
  std::vector<std::int32_t> after_;
};

// Nodes whose inside value, with what the coarse chart says surrounds them, promises a smaller
// share of all parses than the threshold are left out. A forest that does not fit the allowance is
// given up. The result has the memory of `used`, a forest that is no longer needed.
Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, StateTable &states, double threshold,
                    Allowance &allowance, Forest used = {});

// Fills the outside values of a forest with a root.
void fill_outside(Forest &forest);

// What is left without nodes and edges that have a smaller share of all parses; it may have no root
// any more.
Forest pruned(const Forest &forest, double threshold);

// Makes the inside and outside values those of the best parse instead of all: inside * outside is
// then the probability of the best parse with a node, against the best of all.
void fill_best(Forest &forest);

// A forest with at most so many edges, those of the best parses; or, where that cannot be, with the
// best edge of each node. fill_best() comes first, and holds for the result.
Forest narrowed(const Forest &forest, std::size_t edges);

} // namespace runoff::parsing
