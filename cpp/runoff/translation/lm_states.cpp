#include "runoff/translation/lm_states.hpp"

#include <algorithm>
#include <numbers>

namespace runoff::translation {

LmStates::LmStates(const Models &models, const PhraseOptions &options)
    : models_(models), options_(options) {}

std::uint32_t LmStates::number(const ngrams::State &state) {
  if (!numbers_.fits(states_.size() + 1))
    numbers_.grow([&](const base::NumberSlot &slot) { return states_[slot.number].hash(); });
  auto &slot = numbers_[numbers_.place(
      state.hash(), [&](const base::NumberSlot &one) { return states_[one.number] == state; })];
  if (slot.is_free()) {
    slot.number = static_cast<std::uint32_t>(states_.size());
    states_.push_back(state);
  }
  return slot.number;
}

float LmStates::border(std::uint32_t state, std::uint32_t option, ngrams::State &next) const {
  const auto words = options_.lm_words(options_.all()[option]);
  const std::size_t size = std::min(words.size(), models_.lm.order() - 1);
  next = states_[state];
  float sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += models_.lm.score(next, words[i], next);
  return sum;
}

LmStates::Chunk &LmStates::chunk(std::uint32_t state, std::uint32_t first_option) {
  const std::uint64_t key = std::uint64_t{state} << 32 | first_option;
  if (!known_.fits(chunks_.size() + 1))
    known_.grow([](const Known &one) { return hash(one.key); });
  auto &slot = known_[known_.place(hash(key), [&](const Known &one) { return one.key == key; })];
  if (slot.is_free()) {
    slot = {key, static_cast<std::uint32_t>(chunks_.size())};
    chunks_.emplace_back();
  }
  return chunks_[slot.chunk];
}

void LmStates::ask(After &after, std::uint32_t state, std::uint32_t option) {
  ngrams::State next;
  after.border = border(state, option, next);
  const Option &own = options_.all()[option];
  after.state = number(own.ends_alone ? own.end_state : next);
}

double LmStates::border(std::uint32_t state, std::uint32_t option) const {
  ngrams::State next;
  return static_cast<double>(border(state, option, next)) * std::numbers::ln10;
}

double LmStates::end(std::uint32_t state) const {
  ngrams::State next;
  return static_cast<double>(models_.lm.score(states_[state], ngrams::END, next)) *
         std::numbers::ln10;
}

} // namespace runoff::translation
