// Strings that are put together from parts, told apart without being written.
#pragma once

#include "runoff/base/hash_index.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::tree_translation {

// Numbers for strings: a string is known by its length and two polynomials of its words modulo
// primes near 2^31, so that those of a concatenation follow from those of its parts.
class Strings {
public:
  // The number of a string of tokens; variables stand for strings with the given numbers.
  std::uint32_t number(std::span<const std::uint32_t> tokens,
                       std::span<const std::uint32_t> variables);

private:
  static constexpr std::array<std::uint64_t, 2> PRIMES{2147483647, 2147483629};
  static constexpr std::array<std::uint64_t, 2> BASES{1103515245, 69069069};
  struct Known {
    std::array<std::uint64_t, 2> values{0, 0}, powers{1, 1}; // powers: BASES to the length
    std::uint64_t length = 0;
    friend bool operator==(const Known &, const Known &) = default;
  };
  static std::uint64_t hash(const Known &one) {
    std::uint64_t key = (one.values[0] << 31 ^ one.values[1]) + one.length * 0x9fb21c651e98df25;
    key *= 0x9e3779b97f4a7c15;
    return key ^ key >> 32;
  }

  std::vector<Known> known_;
  base::HashIndex<base::NumberSlot> index_{256};
};

} // namespace runoff::tree_translation
