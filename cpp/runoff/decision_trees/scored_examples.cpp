#include "runoff/decision_trees/scored_examples.hpp"

#include "runoff/base/parallel.hpp"
#include "runoff/decision_trees/grower.hpp"
#include "runoff/decision_trees/leaf_value.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

namespace runoff::decision_trees {
namespace {

constexpr std::size_t examples_per_block = 1 << 12;

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// A power of two that gives all biases together 52 bits: a double holds every sum of weights.
double scale_of(std::span<const std::int8_t> y, std::span<const float> bias) {
  require(y.size() == bias.size(), "columns differ in length");
  require(y.size() < none, "there are too many examples");
  double total = 0.0;
  for (std::size_t i = 0; i < bias.size(); ++i) {
    require(y[i] == 1 || y[i] == -1, "y must be 1 or -1");
    require(bias[i] >= 0.0F && std::isfinite(bias[i]), "bias must be finite and not negative");
    total += static_cast<double>(bias[i]);
  }
  return total > 0.0 ? std::exp2(51 - std::ilogb(total)) : 1.0;
}

} // namespace

ScoredExamples::ScoredExamples(std::span<const std::int8_t> y, std::span<const float> bias,
                               std::span<const double> start)
    : y_(y), bias_(bias), scale_(scale_of(y, bias)), h_(y.size(), 0.0), weights_(y.size()) {
  require(start.empty() || start.size() == h_.size(), "start must have one entry per example");
  for (const double h : start)
    require(std::isfinite(h), "start must be finite");
  std::copy(start.begin(), start.end(), h_.begin());
  for (std::size_t i = 0; i < h_.size(); ++i)
    weigh(i);
}

void ScoredExamples::weigh(std::size_t example) {
  weights_[example] = weight_units(odds_of(y_[example] * h_[example]), bias_[example], scale_);
}

void ScoredExamples::set(std::vector<double> h, const base::Threads &threads) {
  require(h.size() == h_.size(), "h must have one entry per example");
  h_ = std::move(h);
  base::in_blocks(h_.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      weigh(i);
  });
}

std::int64_t ScoredExamples::units_of(double lambda) const {
  require(lambda > 0.0 && std::isfinite(lambda), "lambda must be positive");
  constexpr double most = 0x1p60;
  return std::max<std::int64_t>(1,
                                static_cast<std::int64_t>(std::min(lambda * scale_, most) + 0.5));
}

double ScoredExamples::loss() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < h_.size(); ++i)
    sum += static_cast<double>(bias_[i]) * std::log1p(1.0 / odds_of(y_[i] * h_[i]));
  return sum;
}

std::vector<std::int64_t> ScoredExamples::leaf_sums(std::size_t nodes,
                                                    std::span<const std::uint32_t> leaves,
                                                    const base::Threads &threads) const {
  std::vector<std::int64_t> sums(nodes, 0);
  std::mutex mutex;
  base::in_blocks(
      leaves.size(), 16 * examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int64_t> own(nodes, 0);
        for (std::size_t i = begin; i < end; ++i)
          own[leaves[i]] += y_[i] * weights_[i];
        const std::lock_guard lock(mutex);
        std::transform(own.begin(), own.end(), sums.begin(), sums.begin(), std::plus<>());
      });
  return sums;
}

bool ScoredExamples::add(Tree &tree, std::span<const std::uint32_t> leaves, std::int64_t lambda,
                         const base::Threads &threads) {
  const auto sums = leaf_sums(tree.size(), leaves, threads);
  std::int64_t gained = 0;
  for (const auto sum : sums)
    gained += gain(sum, lambda);
  if (static_cast<double>(gained) <= enough * static_cast<double>(lambda))
    return false;
  std::vector<std::vector<std::uint32_t>> members(tree.size());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (gain(sums[leaves[i]], lambda) > 0)
      members[leaves[i]].push_back(static_cast<std::uint32_t>(i));
  for (std::size_t node = 0; node < tree.size(); ++node)
    tree[node].value = members[node].empty() ? 0.0 : value_of(members[node], lambda, threads);
  // From here on nothing is polled, so that an interrupt leaves all of a tree or nothing.
  for (std::size_t node = 0; node < tree.size(); ++node)
    raise(members[node], tree[node].value, {threads.count});
  return true;
}

double ScoredExamples::value_of(std::span<const std::uint32_t> examples, std::int64_t lambda,
                                const base::Threads &threads) const {
  const std::size_t n = examples.size();
  std::vector<double> odds(n);
  std::vector<std::int8_t> y(n);
  std::vector<float> bias(n);
  base::in_blocks(n, examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const auto i = examples[at];
      odds[at] = odds_of(y_[i] * h_[i]);
      y[at] = y_[i];
      bias[at] = bias_[i];
    }
  });
  return leaf_value({odds, y, bias, scale_}, lambda, threads);
}

void ScoredExamples::raise(std::span<const std::uint32_t> examples, double value,
                           const base::Threads &threads) {
  base::in_blocks(examples.size(), examples_per_block, threads,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t at = begin; at < end; ++at) {
                      h_[examples[at]] += value;
                      weigh(examples[at]);
                    }
                  });
}

} // namespace runoff::decision_trees
