#include "runoff/decision_trees/sampling.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff::decision_trees {
namespace {

constexpr std::size_t examples_per_block = 1 << 14;

// The finaliser of SplitMix64: all bits of the result depend on all bits of the number.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

} // namespace

double Draw::uniform(std::uint64_t example) const {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  const auto stream = mixed(mixed(seed + step) + number * step);
  const auto bits = mixed(stream + (example + 1) * step);
  return (static_cast<double>(bits >> 11) + 1.0) * 0x1p-53;
}

Sample priority_sample(std::span<const std::int64_t> weights, std::size_t size, const Draw &draw,
                       const base::Threads &threads) {
  Sample sample;
  const std::size_t n = weights.size();
  const auto take = [&](std::size_t example, std::int64_t weight) {
    sample.examples.push_back(static_cast<std::uint32_t>(example));
    sample.weights.push_back(weight);
  };
  const auto positive =
      n - static_cast<std::size_t>(std::count(weights.begin(), weights.end(), std::int64_t{0}));
  if (positive <= size) {
    for (std::size_t i = 0; i < n; ++i)
      if (weights[i] != 0)
        take(i, weights[i]);
    return sample;
  }
  std::vector<double> priorities(n);
  base::in_blocks(n, examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      priorities[i] = static_cast<double>(weights[i]) / draw.uniform(i);
  });
  auto sorted = priorities;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(size), sorted.end(),
                   std::greater<>());
  const double tau = sorted[size];
  const auto above = static_cast<std::size_t>(std::count_if(
      priorities.begin(), priorities.end(), [&](double priority) { return priority > tau; }));
  auto equals = size - above; // how many of priority tau are taken
  const auto total = std::reduce(weights.begin(), weights.end());
  // No estimate above all weight together: that takes a u of one in millions, and sums stay exact.
  const auto least = static_cast<std::int64_t>(std::min(tau, static_cast<double>(total)) + 0.5);
  std::int64_t kept = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (priorities[i] > tau || (priorities[i] == tau && equals > 0)) {
      equals -= priorities[i] == tau ? 1 : 0;
      kept += weights[i];
      take(i, std::max(weights[i], least));
    }
  sample.lost = static_cast<double>(total - kept) / static_cast<double>(total);
  return sample;
}

} // namespace runoff::decision_trees
