// Numbers with a sign, and enumerators, as places in arrays.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace runoff::base {

template <typename Number>
  requires std::integral<Number> || std::is_enum_v<Number>
constexpr std::size_t at(Number place) {
  return static_cast<std::size_t>(place);
}

} // namespace runoff::base
