#include "runoff/parsing/state_table.hpp"

#include "runoff/parsing/head_contexts.hpp"

namespace runoff::parsing {

StateTable::StateTable(const HeadModel &model)
    : model_(model), width_(base::at(model.labels().count) + 1), ids_(1 << 14) {}

void StateTable::clear() {
  ids_ = KeyTable<std::int32_t>(1 << 14);
  std::vector<State>().swap(states_);
  std::vector<float>().swap(probabilities_);
  std::vector<std::int32_t>().swap(after_);
}

std::int32_t StateTable::find(const State &s) {
  const Key key = joined(0, packed(s.parent, s.above, s.head, s.previous),
                         packed(2 * s.before + static_cast<int>(s.side)));
  std::int32_t &id = ids_[key]; // from 1
  if (id == 0) {
    states_.push_back(s);
    id = static_cast<std::int32_t>(states_.size());
    probabilities_.resize(states_.size() * width_, 0.0F);
    after_.resize(states_.size() * width_, -1);
  }
  return id - 1;
}

double StateTable::ask_probability(std::int32_t id, Label modifier) {
  return probabilities_[place(id, modifier)] = float(model_.label1(state(id), modifier));
}

std::int32_t StateTable::ask_after(std::int32_t id, Label modifier) {
  const auto found = find(state(id).after(modifier)); // may move after_
  return after_[place(id, modifier)] = found;
}

} // namespace runoff::parsing
