// Positive numbers as whole multiples of 1 / scale, so that their sums are exact in 64 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace runoff::base {

// A power of two that leaves 60 bits for a loss.
inline double scale_for(double loss) {
  constexpr int bits = 60;
  constexpr int largest_exponent = 900; // a loss that is lost below it is nothing
  if (!std::isfinite(loss))
    throw std::invalid_argument("the log-probabilities of a list lie too far apart");
  return loss > 0.0 ? std::exp2(std::min(bits - 1 - std::ilogb(loss), largest_exponent)) : 1.0;
}

// Whether a loss has shrunk so far that the scale should be chosen anew.
inline bool needs_scale(std::int64_t loss, double scale) {
  constexpr int fewest_bits = 52;
  return loss > 0 && loss < std::int64_t{1} << fewest_bits &&
         scale_for(static_cast<double>(loss) / scale) != scale;
}

inline std::int64_t in_units(double weight, double scale) {
  return static_cast<std::int64_t>(weight * scale + 0.5);
}

} // namespace runoff::base
