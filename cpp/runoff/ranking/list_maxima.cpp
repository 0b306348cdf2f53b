#include "runoff/ranking/list_maxima.hpp"

#include <algorithm>

namespace runoff::ranking {
namespace {

// The features of one list as a table: a row per candidate, a column per feature that occurs.
class Table {
public:
  Table(const Problem &problem, std::size_t list)
      : begin_(static_cast<std::size_t>(problem.list_offsets[list])),
        end_(static_cast<std::size_t>(problem.list_offsets[list + 1])) {
    const auto first = static_cast<std::size_t>(problem.feature_offsets[begin_]);
    const auto last = static_cast<std::size_t>(problem.feature_offsets[end_]);
    const auto own = problem.feature_ids.subspan(first, last - first);
    ids.assign(own.begin(), own.end());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    values_.assign(rows() * ids.size(), 0.0);
    for (std::size_t j = begin_; j < end_; ++j)
      for (auto at = static_cast<std::size_t>(problem.feature_offsets[j]);
           at < static_cast<std::size_t>(problem.feature_offsets[j + 1]); ++at) {
        const auto found = std::lower_bound(ids.begin(), ids.end(), problem.feature_ids[at]);
        values_[(j - begin_) * ids.size() + static_cast<std::size_t>(found - ids.begin())] =
            problem.value(at);
      }
  }

  std::size_t rows() const { return end_ - begin_; }
  double value(std::size_t row, std::size_t column) const {
    return values_[row * ids.size() + column];
  }
  // The largest value of a column, or with sign -1 the smallest, negated.
  double largest(std::size_t column, double sign = 1.0) const {
    double best = sign * value(0, column);
    for (std::size_t row = 1; row < rows(); ++row)
      best = std::max(best, sign * value(row, column));
    return best;
  }

  std::vector<std::uint32_t> ids;

private:
  std::size_t begin_, end_;
  std::vector<double> values_;
};

} // namespace

ListMaxima list_maxima(const Problem &problem) {
  ListMaxima result;
  result.feature_offsets.reserve(problem.candidates() + 1);
  result.feature_offsets.push_back(0);
  std::vector<double> largest;
  for (std::size_t list = 0; list < problem.lists(); ++list) {
    const Table table(problem, list);
    largest.resize(table.ids.size());
    std::vector<char> varies(table.ids.size());
    for (std::size_t column = 0; column < table.ids.size(); ++column) {
      largest[column] = table.largest(column);
      varies[column] = -table.largest(column, -1.0) < largest[column];
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (std::size_t column = 0; column < table.ids.size(); ++column)
        if (varies[column] && table.value(row, column) == largest[column])
          result.feature_ids.push_back(table.ids[column]);
      result.feature_offsets.push_back(static_cast<std::int64_t>(result.feature_ids.size()));
    }
  }
  return result;
}

void feature_ranges(const Problem &problem, std::span<double> ranges) {
  std::fill(ranges.begin(), ranges.end(), 0.0);
  for (std::size_t list = 0; list < problem.lists(); ++list) {
    const Table table(problem, list);
    for (std::size_t column = 0; column < table.ids.size(); ++column) {
      const double range = table.largest(column) + table.largest(column, -1.0);
      ranges[table.ids[column]] = std::max(ranges[table.ids[column]], range);
    }
    const auto begin = problem.logprobs.begin() + problem.list_offsets[list];
    const auto end = problem.logprobs.begin() + problem.list_offsets[list + 1];
    if (begin != end) {
      const auto [low, high] = std::minmax_element(begin, end);
      ranges.back() = std::max(ranges.back(), *high - *low);
    }
  }
  for (auto &range : ranges)
    range = range > 0 ? range : 1.0;
}

} // namespace runoff::ranking
