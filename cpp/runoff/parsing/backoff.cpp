#include "runoff/parsing/backoff.hpp"

#include <stdexcept>

namespace runoff::parsing {

BackoffTable::BackoffTable(std::size_t entries) {
  const auto slots = entries + entries / 4 + 1;
  keys.assign(slots, 0);
  values.assign(slots, 0);
}

void BackoffTable::add(Key key, float value) {
  auto slot = first_slot(key);
  while (keys[slot] != 0) {
    if (keys[slot] == cut(key))
      return; // taken for one that came before
    slot = next_slot(slot);
  }
  keys[slot] = cut(key);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  values[slot] = static_cast<std::uint16_t>((bits + 0x8000U) >> 16); // rounded
}

void BackoffTable::check() const {
  if (keys.size() != values.size() || keys.size() >> 32 != 0)
    throw std::invalid_argument("a table of probabilities has the wrong size");
  if (std::find(keys.begin(), keys.end(), 0U) == keys.end())
    throw std::invalid_argument("a table of probabilities has no free slot");
  for (const auto value : values)
    if (value > 0x3f80U) // 1.0, above which are larger numbers, what is no number, and the negative
      throw std::invalid_argument("a table of probabilities holds a number that is none");
}

void BackoffCounts::count(std::span<const Key> contexts, std::uint32_t future) {
  for (const Key context : contexts) {
    auto &seen = pairs_[with_future(context, future)];
    auto &known = contexts_[context];
    ++known.count;
    known.types += seen.count++ == 0;
  }
}

void BackoffCounts::estimate(std::span<const Key> contexts, std::uint32_t future, double unseen,
                             std::span<const Discount> discounts) {
  double below = unseen;
  for (std::size_t level = contexts.size(); level-- > 0;) {
    auto &known = *contexts_.find(contexts[level]);
    auto &seen = *pairs_.find(with_future(contexts[level], future));
    const double aside = discounts[level].constant + discounts[level].per_type * known.types;
    const double total = known.count + aside;
    known.backoff = static_cast<float>(aside / total);
    below = (seen.count + aside * below) / total;
    seen.probability = static_cast<float>(below);
    known.kept = seen.kept = known.count >= least_ || level + 1 == contexts.size();
  }
}

BackoffTable BackoffCounts::table() const {
  std::vector<std::pair<Key, float>> entries;
  contexts_.visit_sorted([&](Key key, const Context &context) {
    if (context.kept)
      entries.emplace_back(key, context.backoff);
  });
  pairs_.visit_sorted([&](Key key, const Seen &seen) {
    if (seen.kept)
      entries.emplace_back(key, seen.probability);
  });
  BackoffTable table(entries.size());
  for (const auto &[key, value] : entries)
    table.add(key, value);
  return table;
}

} // namespace runoff::parsing
