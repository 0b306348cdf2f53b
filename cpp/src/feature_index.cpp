#include "runoff/feature_index.hpp"

#include "runoff/parallel.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace runoff {

FeatureIndex::FeatureIndex(const Problem &problem, std::size_t n_features,
                           std::span<const std::int64_t> order)
    : offsets_(n_features + 2, 0), candidates_(problem.candidates()) {
  if (candidates_ > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("there are more than 4,294,967,295 candidates");
  for (const auto id : problem.feature_ids)
    ++offsets_[id + 1];
  offsets_[n_features + 1] = static_cast<std::int64_t>(candidates_);
  for (std::size_t row = 0; row <= n_features; ++row)
    offsets_[row + 1] += offsets_[row];

  const auto size = static_cast<std::size_t>(offsets_.back());
  const bool binary = problem.feature_values.empty();
  const std::size_t skipped = binary ? problem.feature_ids.size() : 0;
  entries_.resize(size);
  values_.resize(size - skipped);
  auto next = offsets_;
  for (const auto list : order) {
    const auto i = static_cast<std::size_t>(list);
    const auto begin = static_cast<std::size_t>(problem.list_offsets[i]);
    const auto end = static_cast<std::size_t>(problem.list_offsets[i + 1]);
    for (std::size_t j = begin; j < end; ++j) {
      for (auto at = static_cast<std::size_t>(problem.feature_offsets[j]);
           at < static_cast<std::size_t>(problem.feature_offsets[j + 1]); ++at) {
        const auto place = static_cast<std::size_t>(next[problem.feature_ids[at]]++);
        entries_[place] = static_cast<std::uint32_t>(j);
        if (!binary)
          values_[place] = problem.feature_values[at];
      }
      const auto place = static_cast<std::size_t>(next[n_features]++);
      entries_[place] = static_cast<std::uint32_t>(j);
      values_[place - skipped] = problem.logprobs[j] - problem.logprobs[begin];
    }
  }
}

const double *FeatureIndex::values_of(std::size_t row) const {
  const auto begin = static_cast<std::size_t>(offsets_[row]);
  const std::size_t skipped = entries_.size() - values_.size();
  return begin < skipped || begin == entries_.size() ? nullptr : values_.data() + (begin - skipped);
}

double FeatureIndex::sum(std::size_t row, std::span<const double> coefficients) const {
  const auto begin = static_cast<std::size_t>(offsets_[row]);
  const auto n = static_cast<std::size_t>(offsets_[row + 1]) - begin;
  const std::uint32_t *entries = entries_.data() + begin;
  const double *values = values_of(row);
  double total = 0.0;
  if (values == nullptr)
    for (std::size_t at = 0; at < n; ++at)
      total += coefficients[entries[at]];
  else
    for (std::size_t at = 0; at < n; ++at)
      total += values[at] * coefficients[entries[at]];
  return total;
}

void FeatureIndex::gradient(std::span<const double> coefficients, std::span<double> gradient,
                            const Threads &threads) const {
  const std::size_t block = std::clamp<std::size_t>(rows() / 256, 1, 4096);
  in_blocks(rows(), block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      gradient[row] = sum(row, coefficients);
  });
}

void FeatureIndex::scatter(std::size_t row, std::span<double> values) const {
  const auto begin = static_cast<std::size_t>(offsets_[row]);
  const auto n = static_cast<std::size_t>(offsets_[row + 1]) - begin;
  const double *own = values_of(row);
  for (std::size_t at = 0; at < n; ++at)
    values[entries_[begin + at]] = own == nullptr ? 1.0 : own[at];
}

} // namespace runoff
