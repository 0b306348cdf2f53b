#include "runoff/decision_trees/leaf_value.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace runoff::decision_trees {
namespace {

constexpr double largest_margin = 600.0, largest_value = 100.0;
constexpr std::size_t examples_per_block = 1 << 14;

struct Slope {
  std::int64_t first, second; // W+ - W-, and how fast it falls as theta rises
};

Slope slope_at(const LeafExamples &leaf, double theta, const base::Threads &threads) {
  const double up = std::exp(theta), down = std::exp(-theta);
  std::atomic<std::int64_t> first = 0, second = 0;
  base::in_blocks(
      leaf.y.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
        std::int64_t sum = 0, bend = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const double odds = leaf.odds[i] * (leaf.y[i] > 0 ? up : down);
          const auto weight = weight_units(odds, leaf.bias[i], leaf.scale);
          sum += leaf.y[i] > 0 ? weight : -weight;
          bend +=
              static_cast<std::int64_t>(static_cast<double>(weight) * (1.0 - 1.0 / (1.0 + odds)));
        }
        first += sum;
        second += bend;
      });
  return {first, second};
}

} // namespace

double odds_of(double margin) {
  return std::exp(std::clamp(margin, -largest_margin, largest_margin));
}

double leaf_value(const LeafExamples &leaf, std::int64_t lambda, const base::Threads &threads) {
  const std::int64_t close = lambda >> 40; // 12 digits
  auto slope = slope_at(leaf, 0.0, threads);
  if (std::abs(slope.first) <= lambda + close)
    return 0.0;
  const int sign = slope.first > 0 ? 1 : -1;
  double low = 0.0, high = std::numeric_limits<double>::infinity(), theta = 0.0;
  while (true) {
    const auto excess = sign * slope.first - lambda;
    if (std::abs(excess) <= close || theta >= largest_value)
      return sign * theta;
    (excess > 0 ? low : high) = theta;
    if (std::isfinite(high) && high - low <= 1e-15 * high)
      return sign * high;
    double next = theta + static_cast<double>(excess) / static_cast<double>(slope.second);
    if (!(next > low && next < high)) // an overshoot, or no curvature left
      next = std::isinf(high) ? std::max(1.0, 2.0 * low) : (low + high) / 2;
    theta = std::min(next, largest_value);
    slope = slope_at(leaf, sign * theta, threads);
  }
}

} // namespace runoff::decision_trees
