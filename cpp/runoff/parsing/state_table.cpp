#include "runoff/parsing/state_table.hpp"

#include "runoff/parsing/head_contexts.hpp"

namespace runoff::parsing {

StateTable::StateTable(const HeadModel &model, const CoarseGrammar &grammar)
    : model_(model), grammar_(grammar), ids_(1 << 14) {}

void StateTable::clear() {
  ids_ = KeyTable<std::int32_t>(1 << 14);
  std::vector<State>().swap(states_);
  std::vector<std::size_t>().swap(first_);
  std::vector<Step>().swap(steps_);
}

std::int32_t StateTable::find(const State &s) {
  const Key key = joined(0, packed(s.parent, s.above, s.head, s.previous),
                         packed(2 * s.before + static_cast<int>(s.side)));
  std::int32_t &id = ids_[key]; // from 1
  if (id == 0) {
    states_.push_back(s);
    id = static_cast<std::int32_t>(states_.size());
    first_.push_back(steps_.size());
    const auto taken = grammar_.slots(s.side, grammar_.pair_number(s.parent, s.head));
    steps_.resize(steps_.size() + 1 + base::at(taken));
  }
  return id - 1;
}

double StateTable::ask_probability(std::int32_t id, Label modifier, int slot) {
  return step(id, slot).probability = float(model_.label1(state(id), modifier));
}

std::int32_t StateTable::ask_after(std::int32_t id, Label modifier, int slot) {
  const auto found = find(state(id).after(modifier)); // may move the steps
  return step(id, slot).after = found;
}

} // namespace runoff::parsing
