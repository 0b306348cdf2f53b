// Sequences of words as numbers.
#pragma once

#include "runoff/base/fingerprints.hpp"
#include "runoff/base/hash_index.hpp"

#include <cstdint>

namespace runoff::base {

// Equal sequences have equal numbers; 0 has no words.
class WordTrie {
public:
  // The sequence with one word more, a new one if need be.
  std::uint32_t add(std::uint32_t sequence, std::uint32_t word) {
    const std::uint64_t key = std::uint64_t{sequence} << 32 | word;
    if (!known_.fits(std::size_t{size_} + 1))
      known_.grow([](const Known &one) { return hash(one.key); });
    auto &slot = known_[place(key)];
    if (slot.is_free()) {
      slot.key = key;
      slot.number = ++size_;
    }
    return slot.number;
  }
  // The same, or 0 where there is none.
  std::uint32_t find(std::uint32_t sequence, std::uint32_t word) const {
    return known_[place(std::uint64_t{sequence} << 32 | word)].number;
  }
  // Numbers are at most this.
  std::uint32_t size() const { return size_; }

private:
  struct Known {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
    bool is_free() const { return number == 0; }
  };
  static std::uint64_t hash(std::uint64_t key) { return Fold{}.then(key).a; }
  std::size_t place(std::uint64_t key) const {
    return known_.place(hash(key), [key](const Known &one) { return one.key == key; });
  }

  HashIndex<Known> known_{256};
  std::uint32_t size_ = 0;
};

} // namespace runoff::base
