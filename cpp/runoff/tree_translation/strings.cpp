#include "runoff/tree_translation/strings.hpp"

#include "runoff/tree_translation/rule_counter.hpp"

namespace runoff::tree_translation {

std::uint32_t Strings::number(std::span<const std::uint32_t> tokens,
                              std::span<const std::uint32_t> variables) {
  Known made;
  const auto append = [&made](const std::array<std::uint64_t, 2> &values,
                              const std::array<std::uint64_t, 2> &powers, std::uint64_t length) {
    for (std::size_t k = 0; k < PRIMES.size(); ++k) {
      made.values[k] = (made.values[k] * powers[k] + values[k]) % PRIMES[k];
      made.powers[k] = made.powers[k] * powers[k] % PRIMES[k];
    }
    made.length += length;
  };
  for (const auto token : tokens) {
    if (token >= VARIABLE) {
      const Known &part = known_[variables[token - VARIABLE]];
      append(part.values, part.powers, part.length);
    } else {
      const auto word = std::uint64_t{token} + 1;
      append({word % PRIMES[0], word % PRIMES[1]}, BASES, 1);
    }
  }
  if (!index_.fits(known_.size() + 1))
    index_.grow([this](const base::NumberSlot &slot) { return hash(known_[slot.number]); });
  auto &slot = index_[index_.place(
      hash(made), [&](const base::NumberSlot &one) { return known_[one.number] == made; })];
  if (slot.is_free()) {
    slot.number = static_cast<std::uint32_t>(known_.size());
    known_.push_back(made);
  }
  return slot.number;
}

} // namespace runoff::tree_translation
