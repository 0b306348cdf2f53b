// What has been covered of a sentence: all words before the first hole, and some of the next ones.
#pragma once

#include "runoff/base/fingerprints.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace runoff::translation {

struct Coverage {
  std::uint32_t first = 0; // the first word that is not covered
  std::uint64_t mask = 0;  // bit i: word first + i is covered; bit 0 never is

  friend bool operator==(const Coverage &, const Coverage &) = default;

  bool has(std::size_t word) const {
    return word < first || (word - first < 64 && (mask >> (word - first) & 1) != 0);
  }
  // With the words from begin to end, none of which is covered.
  Coverage with(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t words = (std::uint64_t{2} << (end - begin)) - 1;
    const std::uint64_t all = mask | words << (begin - first);
    const auto done = static_cast<std::uint32_t>(std::countr_one(all));
    return {first + done, done == 64 ? 0 : all >> done};
  }
  // Intervals that are not covered and have covered words after them.
  std::size_t holes() const { return static_cast<std::size_t>(std::popcount(mask & ~(mask << 1))); }
  std::uint64_t hash() const { return base::Fold{}.then(mask).then(std::uint64_t{first}).a; }
};

} // namespace runoff::translation
