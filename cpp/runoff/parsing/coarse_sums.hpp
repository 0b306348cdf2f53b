// Arithmetic on the vectors of a coarse chart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace runoff::parsing {

// Cut where products with other values of cells would leave the range of a float.
inline float power_of_two(int exponent) {
  return exponent < -126 ? 0.0F : std::ldexp(1.0F, std::min(exponent, 96));
}

// into += (factor * a) * b, entry by entry. Eight at a time where the processor can: the same bits.
void add_product(float *into, const float *a, const float *b, float factor, std::size_t size);

// The same for two products, one after the other.
void add_products(float *into, const float *a, const float *b, const float *c, const float *d,
                  float factor, std::size_t size);

// Marks entries whose product is not below a threshold, and is a number.
void mark_products(std::int32_t *marks, const float *a, const float *b, float least,
                   std::size_t size);

} // namespace runoff::parsing
