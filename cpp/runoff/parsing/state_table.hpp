// States of partial constituents, each known by a number.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_model.hpp"

#include <cstdint>
#include <vector>

namespace runoff::parsing {

// The states of partial constituents as numbers, with what the unlexicalised model says of them.
// Grows as sentences need more; not for several threads at once.
class StateTable {
public:
  explicit StateTable(const HeadModel &model);

  std::int32_t find(const State &state);
  const State &state(std::int32_t id) const { return states_[base::at(id)]; }
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
    return base::at(id) * width_ + base::at(modifier);
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

} // namespace runoff::parsing
