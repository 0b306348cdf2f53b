// Numbers with a sign as places in arrays.
#pragma once

#include <concepts>
#include <cstddef>

namespace runoff::base {

constexpr std::size_t at(std::integral auto place) { return static_cast<std::size_t>(place); }

} // namespace runoff::base
