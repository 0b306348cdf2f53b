// Whether two names may be one person's: first, middle and last names, or initials of them.
#pragma once

#include "runoff/strings/tokens.hpp"

#include <cstdint>
#include <span>

namespace runoff::strings {

// Names by the numbers of their parts; number 0 is no name at all. `lengths` and `initials` say of
// each number how many letters the part has, and its first one.
struct Names {
  std::span<const std::uint32_t> first, last;
  Texts middle;
  std::span<const std::uint32_t> lengths, initials;

  std::size_t size() const { return first.size(); }
  void check() const; // throws std::invalid_argument
  // Some two middle names in the same position cannot be one.
  bool conflict(std::size_t a, std::size_t b) const;
  // Nothing in them is different.
  bool may_be_one(std::size_t a, std::size_t b) const;

private:
  bool compatible(std::uint32_t a, std::uint32_t b) const;
};

} // namespace runoff::strings
