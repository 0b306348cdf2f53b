// Parts laid end to end, known by where each begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::base {

// Throws unless offsets rise from 0 to total.
void check_offsets(std::span<const std::int64_t> offsets, std::size_t total, const char *what);

} // namespace runoff::base
