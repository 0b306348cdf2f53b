// Conditional probabilities that back off from specific contexts to general ones.
//
// A decision has a future f and contexts c_1 (most specific) ... c_L. With n the counts in training
// and u(c) how many different futures c was seen with, after Collins (1999), section 7.1:
//   p_l(f) = n(c_l, f) / (n(c_l) + a + b u(c_l)) + (a + b u(c_l)) / (n(c_l) + a + b u(c_l)) p_{l+1}(f)
// and p_{L+1} is what the caller says. Contexts and futures are 64-bit fingerprints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff {

using Key = std::uint64_t;

// Joins a fingerprint and a number to a new fingerprint.
inline Key mixed(Key key, std::uint64_t value) {
  key ^= value + 0x9e3779b97f4a7c15ull + (key << 6) + (key >> 2);
  key *= 0xff51afd7ed558ccdull;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ull;
  return key ^ (key >> 29);
}

// A map from fingerprints to numbers, by open addressing.
template <typename Value> class KeyTable {
public:
  explicit KeyTable(std::size_t expected = 16) { rehash(expected); }

  Value *find(Key key) { return const_cast<Value *>(std::as_const(*this).find(key)); }
  const Value *find(Key key) const {
    for (auto slot = key & mask_;; slot = (slot + 1) & mask_) {
      if (keys_[slot] == key)
        return &values_[slot];
      if (keys_[slot] == 0)
        return nullptr;
    }
  }
  Value &operator[](Key key) {
    if (2 * (used_ + 1) > keys_.size())
      rehash(2 * keys_.size());
    auto slot = key & mask_;
    while (keys_[slot] != key) {
      if (keys_[slot] == 0) {
        keys_[slot] = key;
        ++used_;
        break;
      }
      slot = (slot + 1) & mask_;
    }
    return values_[slot];
  }
  std::size_t size() const { return used_; }
  std::size_t slots() const { return keys_.size(); }
  void clear() {
    std::fill(keys_.begin(), keys_.end(), 0);
    std::fill(values_.begin(), values_.end(), Value());
    used_ = 0;
  }

private:
  void rehash(std::size_t expected) {
    std::size_t size = 16;
    while (size < expected)
      size *= 2;
    std::vector<Key> old_keys(size, 0);
    std::vector<Value> old_values(size);
    old_keys.swap(keys_);
    old_values.swap(values_);
    mask_ = size - 1;
    used_ = 0;
    for (std::size_t slot = 0; slot < old_keys.size(); ++slot)
      if (old_keys[slot] != 0)
        (*this)[old_keys[slot]] = old_values[slot];
  }

  std::vector<Key> keys_;
  std::vector<Value> values_;
  std::size_t mask_ = 0, used_ = 0;
};

struct Discount {
  double constant, per_type; // a and b
};

class Backoff {
public:
  // Counting: first count() for every event, then estimate() for every event.
  void count(std::span<const Key> contexts, std::uint32_t future);
  void estimate(std::span<const Key> contexts, std::uint32_t future, double base,
                std::span<const Discount> discounts);

  double probability(std::span<const Key> contexts, std::uint32_t future, double base) const {
    double weight = 1.0;
    for (const Key context : contexts) {
      const auto *known = contexts_.find(context);
      if (known == nullptr)
        continue;
      const auto *pair = pairs_.find(mixed(context, future));
      if (pair != nullptr)
        return weight * pair->probability;
      weight *= known->backoff;
    }
    return weight * base;
  }
  std::size_t size() const { return pairs_.size() + contexts_.size(); }

private:
  struct Seen {
    std::uint32_t count = 0;
    float probability = 0.0F;
  };
  struct Context {
    std::uint32_t count = 0, types = 0;
    float backoff = 0.0F;
  };
  KeyTable<Seen> pairs_;
  KeyTable<Context> contexts_;
};

} // namespace runoff
