#include "runoff/ranking/feature_index.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace runoff::ranking {

namespace {

constexpr std::size_t lists_per_block = 8;
constexpr std::size_t lists_at_once = 64; // one may take a megabyte while its columns are found

struct Entry {
  std::uint32_t feature, candidate;
  double value;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  hash = (hash ^ next) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::span<const Entry> column) {
  std::uint64_t hash = column.size();
  for (const auto &entry : column)
    hash = mixed(mixed(hash, entry.candidate), std::bit_cast<std::uint64_t>(entry.value));
  return hash;
}

// Same candidates, same values.
bool same_column(std::span<const Entry> one, std::span<const Entry> other) {
  return std::ranges::equal(one, other, [](const Entry &a, const Entry &b) {
    return a.candidate == b.candidate && a.value == b.value;
  });
}

} // namespace

// The columns of one list.
class FeatureIndex::Columns {
public:
  Columns() = default;

  Columns(const Problem &problem, std::size_t list) {
    gather(problem, list);
    for (std::size_t at = 0; at < entries_.size();) {
      std::size_t end = at;
      while (end < entries_.size() && entries_[end].feature == entries_[at].feature)
        ++end;
      add({entries_.data() + at, end - at});
      at = end;
    }
  }

  struct Column {
    std::span<const Entry> entries;
    std::vector<std::uint32_t> features;
  };

  const std::vector<Column> &columns() const { return columns_; }

private:
  void gather(const Problem &problem, std::size_t list) {
    for (auto j = problem.list_offsets[list]; j < problem.list_offsets[list + 1]; ++j) {
      const auto candidate = static_cast<std::size_t>(j);
      for (auto at = problem.feature_offsets[candidate];
           at < problem.feature_offsets[candidate + 1]; ++at) {
        const auto place = static_cast<std::size_t>(at);
        entries_.push_back(
            {problem.feature_ids[place], static_cast<std::uint32_t>(j), problem.value(place)});
      }
    }
    std::ranges::sort(entries_, [](const Entry &a, const Entry &b) {
      return std::pair(a.feature, a.candidate) < std::pair(b.feature, b.candidate);
    });
  }

  void add(std::span<const Entry> column) {
    const auto [first, last] = known_.equal_range(hash_of(column));
    const auto found = std::find_if(first, last, [&](const auto &known) {
      return same_column(columns_[known.second].entries, column);
    });
    if (found != last) {
      columns_[found->second].features.push_back(column.front().feature);
      return;
    }
    known_.emplace(hash_of(column), columns_.size());
    columns_.push_back({column, {column.front().feature}});
  }

  std::vector<Entry> entries_;
  std::vector<Column> columns_;
  std::unordered_multimap<std::uint64_t, std::size_t> known_;
};

FeatureIndex::FeatureIndex(const Problem &problem, std::size_t n_features,
                           std::span<const std::int64_t> order, const base::Poll &between,
                           const base::Threads &threads)
    : logprobs_(problem.candidates()) {
  if (problem.candidates() > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("there are more than 4,294,967,295 candidates");
  const bool binary = problem.feature_values.empty();
  for (std::size_t done = 0; done < order.size(); done += lists_at_once) {
    const auto lists = order.subspan(done, std::min(lists_at_once, order.size() - done));
    std::vector<Columns> found(lists.size());
    base::in_blocks(lists.size(), lists_per_block, threads,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t at = begin; at < end; ++at)
                        found[at] = Columns(problem, static_cast<std::size_t>(lists[at]));
                    });
    for (const auto &columns : found)
      append(columns, binary);
    between();
  }
  for (const auto list : order) {
    const auto begin = problem.list_offsets[static_cast<std::size_t>(list)];
    const auto end = problem.list_offsets[static_cast<std::size_t>(list) + 1];
    lists_.emplace_back(begin, end);
    for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j)
      logprobs_[j] = problem.logprobs[j] - problem.logprobs[static_cast<std::size_t>(begin)];
  }
  fill_rows(n_features);
}

void FeatureIndex::append(const Columns &columns, bool binary) {
  for (const auto &column : columns.columns()) {
    for (const auto &entry : column.entries) {
      candidates_.push_back(entry.candidate);
      if (!binary)
        values_.push_back(entry.value);
    }
    column_offsets_.push_back(static_cast<std::int64_t>(candidates_.size()));
    features_.insert(features_.end(), column.features.begin(), column.features.end());
    feature_offsets_.push_back(static_cast<std::int64_t>(features_.size()));
  }
  list_columns_.push_back(static_cast<std::int64_t>(column_offsets_.size() - 1));
}

void FeatureIndex::fill_rows(std::size_t n_features) {
  row_offsets_.assign(n_features + 1, 0);
  for (const auto feature : features_)
    ++row_offsets_[feature + 1];
  for (std::size_t row = 0; row < n_features; ++row)
    row_offsets_[row + 1] += row_offsets_[row];
  row_columns_.resize(features_.size());
  auto next = row_offsets_;
  for (std::size_t number = 0; number + 1 < column_offsets_.size(); ++number)
    for (const auto feature : part(features_, feature_offsets_, number))
      row_columns_[static_cast<std::size_t>(next[feature]++)] = static_cast<std::uint32_t>(number);
}

void FeatureIndex::scores(std::span<const double> weights, std::span<double> scores,
                          const base::Threads &threads) const {
  base::in_blocks(lists_.size(), lists_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t list = begin; list < end; ++list)
      score_list(list, weights, scores);
  });
}

void FeatureIndex::score_list(std::size_t list, std::span<const double> weights,
                              std::span<double> scores) const {
  const auto [begin, end] = lists_[list];
  for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j)
    scores[j] = weights.back() * logprobs_[j];
  for (auto number = static_cast<std::size_t>(list_columns_[list]);
       number < static_cast<std::size_t>(list_columns_[list + 1]); ++number) {
    double weight = 0.0;
    for (const auto feature : part(features_, feature_offsets_, number))
      weight += weights[feature];
    const auto candidates = column(number);
    const double *values = values_of(number);
    for (std::size_t at = 0; at < candidates.size(); ++at)
      scores[candidates[at]] += values == nullptr ? weight : weight * values[at];
  }
}

const double *FeatureIndex::values_of(std::size_t number) const {
  return values_.empty() ? nullptr : values_.data() + column_offsets_[number];
}

double FeatureIndex::column_sum(std::size_t number, std::span<const double> coefficients) const {
  const auto candidates = column(number);
  const double *values = values_of(number);
  double total = 0.0;
  for (std::size_t at = 0; at < candidates.size(); ++at)
    total += (values == nullptr ? 1.0 : values[at]) * coefficients[candidates[at]];
  return total;
}

void FeatureIndex::gradient(std::span<const double> coefficients, std::span<double> gradient,
                            const base::Threads &threads) const {
  std::vector<double> sums(column_offsets_.size() - 1);
  base::in_blocks(sums.size(), 4096, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number)
      sums[number] = column_sum(number, coefficients);
  });
  const std::size_t features = rows() - 1, block = std::clamp<std::size_t>(features / 256, 1, 4096);
  base::in_blocks(features, block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t feature = begin; feature < end; ++feature) {
      gradient[feature] = 0.0;
      for (const auto number : row(feature))
        gradient[feature] += sums[number];
    }
  });
  gradient[features] = 0.0;
  for (const auto &[begin, end] : lists_)
    for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j)
      gradient[features] += logprobs_[j] * coefficients[j];
}

void FeatureIndex::scatter(std::size_t number, std::span<double> values) const {
  if (number + 1 == rows()) {
    std::ranges::copy(logprobs_, values.begin());
    return;
  }
  for (const auto column_number : row(number)) {
    const auto candidates = column(column_number);
    const double *own = values_of(column_number);
    for (std::size_t at = 0; at < candidates.size(); ++at)
      values[candidates[at]] = own == nullptr ? 1.0 : own[at];
  }
}

} // namespace runoff::ranking
