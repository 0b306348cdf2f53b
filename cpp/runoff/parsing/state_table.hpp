// States of partial constituents, each known by a number.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/coarse_grammar.hpp"

#include <cstdint>
#include <vector>

namespace runoff::parsing {

// The states of partial constituents as numbers, with what the unlexicalised model says of them.
// Grows as sentences need more; not for several threads at once.
class StateTable {
public:
  // Both must live as long.
  StateTable(const HeadModel &model, const CoarseGrammar &grammar);

  std::int32_t find(const State &state);
  const State &state(std::int32_t id) const { return states_[base::at(id)]; }
  // Of the next modifier, which has a slot of the coarse grammar.
  double probability(std::int32_t id, Label modifier, int slot) {
    const float known = step(id, slot).probability;
    return known == 0.0F ? ask_probability(id, modifier, slot) : known;
  }
  double stop(std::int32_t id) { return probability(id, model_.labels().stop(), 0); }
  std::int32_t after(std::int32_t id, Label modifier, int slot) {
    const auto known = step(id, slot).after;
    return known < 0 ? ask_after(id, modifier, slot) : known;
  }
  std::size_t size() const { return states_.size(); }
  // What it takes, as so many edges.
  std::size_t edges() const { return (steps_.size() + 4 * states_.size()) / 4; }
  void clear();

private:
  // A modifier of a state, or STOP.
  struct Step {
    float probability = 0;   // 0 where not asked yet
    std::int32_t after = -1; // the state then; the same
  };
  Step &step(std::int32_t id, int slot) { return steps_[first_[base::at(id)] + base::at(slot)]; }
  double ask_probability(std::int32_t id, Label modifier, int slot);
  std::int32_t ask_after(std::int32_t id, Label modifier, int slot);

  const HeadModel &model_;
  const CoarseGrammar &grammar_;
  KeyTable<std::int32_t> ids_;
  std::vector<State> states_;
  std::vector<std::size_t> first_; // state -> its steps: STOP, and what its pair takes
  std::vector<Step> steps_;
};

} // namespace runoff::parsing
