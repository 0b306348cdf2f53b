// Conditional probabilities that back off from specific contexts to general ones.
//
// A decision has a future f and contexts c_1 (most specific) ... c_L, each of which determines the
// next. With n(.) the counts in training and u(c) how many different futures c was seen with,
// after Collins (1999):
//   p_l(f) = (n(c_l, f) + d(c_l) p_{l+1}(f)) / (n(c_l) + d(c_l)),   d(c) = a_l + b_l u(c)
// and p_{L+1} is what the caller says. Contexts and futures are 64-bit fingerprints.
#pragma once

#include "runoff/base/hash_index.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff::parsing {

using Key = std::uint64_t;

// Joins a fingerprint and a number to a new fingerprint, which is never 0. The first must be one
// already, or 0: of plain numbers in its place, many pairs give the same.
inline Key mixed(Key key, std::uint64_t value) {
  key ^= value + 0x9e3779b97f4a7c15ull + (key << 6) + (key >> 2);
  key *= 0xff51afd7ed558ccdull;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ull;
  key ^= key >> 29;
  return key == 0 ? 1 : key;
}

// At most four numbers of 16 bits side by side.
template <typename... Numbers> Key packed(Numbers... numbers) {
  static_assert(sizeof...(numbers) <= 4);
  Key key = 0;
  ((key = (key << 16) | static_cast<std::uint16_t>(numbers)), ...);
  return key;
}

// A context with a future; unlike any context with one more part.
inline Key with_future(Key context, std::uint32_t future) { return mixed(~context, future); }

// A map from fingerprints to values, by open addressing; a value that is not there yet is Value().
template <typename Value> class KeyTable {
public:
  explicit KeyTable(std::size_t slots = 16) : keys_(slots), values_(slots) {}

  Value *find(Key key) {
    const auto at = place(key);
    return keys_[at].is_free() ? nullptr : &values_[at];
  }
  Value &operator[](Key key) {
    if (!keys_.fits(used_ + 1))
      grow();
    const auto at = place(key);
    used_ += keys_[at].is_free();
    keys_[at].key = key;
    return values_[at];
  }
  std::size_t size() const { return used_; }

  // Calls visit(key, value) for all, in the order of the keys.
  template <typename Visit> void visit_sorted(Visit &&visit) const {
    std::vector<std::pair<Key, std::size_t>> order;
    for (std::size_t at = 0; at < keys_.size(); ++at)
      if (!keys_[at].is_free())
        order.emplace_back(keys_[at].key, at);
    std::sort(order.begin(), order.end());
    for (const auto &[key, at] : order)
      visit(key, values_[at]);
  }

private:
  struct Slot {
    Key key = 0;

    bool is_free() const { return key == 0; }
  };

  std::size_t place(Key key) const {
    return keys_.place(key, [key](Slot slot) { return slot.key == key; });
  }
  void grow() {
    std::vector<Value> values(2 * values_.size());
    keys_.grow([](Slot slot) { return slot.key; },
               [&](std::size_t from, std::size_t to) { values[to] = values_[from]; });
    values_ = std::move(values);
  }

  base::HashIndex<Slot> keys_;
  std::vector<Value> values_; // beside the keys, so that a search reads keys alone
  std::size_t used_ = 0;
};

// The finished table: for each context the weight of what is below it, for each context with
// a future seen in it the probability. Keys are cut to 32 bits and numbers to 16 (a float without
// its lower half), which makes six bytes an entry; of a million entries about one is mistaken
// for another. Four of five slots are taken. Not a base::HashIndex: slots are the arrays of a model
// file, of any size.
struct BackoffTable {
  std::vector<std::uint32_t> keys; // 0 is free
  std::vector<std::uint16_t> values;

  explicit BackoffTable(std::size_t entries = 0);
  void add(Key key, float value);
  // The number of a key, or -1.
  float find(Key key) const {
    const auto wanted = cut(key);
    for (auto slot = first_slot(key);; slot = next_slot(slot)) {
      if (keys[slot] == wanted)
        return std::bit_cast<float>(static_cast<std::uint32_t>(values[slot]) << 16);
      if (keys[slot] == 0)
        return -1.0F;
    }
  }
  double probability(std::span<const Key> contexts, std::uint32_t future, double unseen) const {
    double weight = 1.0;
    for (const Key context : contexts) {
      const float backoff = find(context);
      if (backoff < 0)
        continue;
      const float found = find(with_future(context, future));
      if (found >= 0)
        return weight * found;
      weight *= backoff;
    }
    return weight * unseen;
  }
  // Throws std::invalid_argument unless every search ends and every number is a probability.
  void check() const;

private:
  // By the half of the key that is not kept, times the slots (Lemire 2019): any size will do.
  std::size_t first_slot(Key key) const { return ((key & 0xffffffffU) * keys.size()) >> 32; }
  std::size_t next_slot(std::size_t slot) const { return slot + 1 == keys.size() ? 0 : slot + 1; }
  static std::uint32_t cut(Key key) {
    const auto high = static_cast<std::uint32_t>(key >> 32);
    return high == 0 ? 1 : high;
  }
};

struct Discount {
  double constant, per_type; // a and b
};

// Counts events, then gives the table: count() for all events first, then estimate() for all.
// Contexts of fewer than `least` events are left out, but never those of the last level.
class BackoffCounts {
public:
  explicit BackoffCounts(std::uint32_t least) : least_(least) {}
  void count(std::span<const Key> contexts, std::uint32_t future);
  void estimate(std::span<const Key> contexts, std::uint32_t future, double unseen,
                std::span<const Discount> discounts);
  BackoffTable table() const;

private:
  struct Seen {
    std::uint32_t count = 0;
    float probability = 0.0F;
    bool kept = false;
  };
  struct Context {
    std::uint32_t count = 0, types = 0;
    float backoff = 0.0F;
    bool kept = false;
  };
  std::uint32_t least_;
  KeyTable<Seen> pairs_;
  KeyTable<Context> contexts_;
};

} // namespace runoff::parsing
