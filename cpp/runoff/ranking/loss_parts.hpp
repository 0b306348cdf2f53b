// What losses of lists are made of.
#pragma once

#include "runoff/base/parallel.hpp"

#include <cmath>

namespace runoff::ranking {

// Calls one(list, begin, end) for every list, with its candidates.
template <typename One>
void each_list(std::span<const std::int64_t> offsets, const base::Threads &threads,
               const One &one) {
  constexpr std::size_t lists_per_block = 16;
  base::in_blocks(offsets.size() - 1, lists_per_block, threads,
                  [&](std::size_t first, std::size_t last) {
                    for (std::size_t list = first; list < last; ++list)
                      one(list, static_cast<std::size_t>(offsets[list]),
                          static_cast<std::size_t>(offsets[list + 1]));
                  });
}

// log(1 + exp(-m)) and its derivatives, safe for any m.
struct Logistic {
  double value, slope, curvature;

  explicit Logistic(double m) {
    const double e = std::exp(-std::fabs(m)), wrong = (m < 0 ? 1.0 : e) / (1.0 + e);
    value = std::log1p(e) + (m < 0 ? -m : 0.0);
    slope = -wrong;
    curvature = wrong * (1.0 - wrong);
  }
};

} // namespace runoff::ranking
