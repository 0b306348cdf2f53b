#include "runoff/parsing/coarse_sums.hpp"

namespace runoff::parsing {

[[gnu::target_clones("avx2", "default")]] void
add_product(float *into, const float *a, const float *b, float factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    into[i] += factor * a[i] * b[i];
}

[[gnu::target_clones("avx2", "default")]] void add_products(float *into, const float *a,
                                                            const float *b, const float *c,
                                                            const float *d, float factor,
                                                            std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const float first = into[i] + factor * a[i] * b[i];
    into[i] = first + factor * c[i] * d[i];
  }
}

[[gnu::target_clones("avx2", "default")]] void
mark_products(std::int32_t *marks, const float *a, const float *b, float least, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    marks[i] |= a[i] * b[i] >= least;
}

} // namespace runoff::parsing
