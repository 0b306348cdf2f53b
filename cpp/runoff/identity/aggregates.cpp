#include "runoff/identity/aggregates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace runoff::identity {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(bool holds, const char *problem) {
  if (!holds)
    throw std::invalid_argument(problem);
}

} // namespace

Folds::Folds(std::span<const Aggregate> given, std::vector<std::uint32_t> &places) {
  const auto kind = [](const Aggregate &one) -> std::size_t {
    switch (one.fold) {
    case Fold::minimum:
      return 0;
    case Fold::maximum:
      return 1;
    case Fold::number:
      return 2;
    default:
      return 3 + static_cast<std::size_t>(one.compared);
    }
  };
  for (const auto &one : given)
    check(one.fold <= Fold::number && one.compared <= Compared::equal &&
              (one.fold == Fold::sum || one.compared == Compared::no),
          "an unknown aggregate");
  places.assign(given.size(), 0);
  for (std::size_t k = 0; k < kinds; ++k) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (kind(given[i]) != k)
        continue;
      places[i] = static_cast<std::uint32_t>(columns_.size());
      columns_.push_back(given[i].column);
      thresholds_.push_back(given[i].threshold);
    }
    ends_[k + 1] = columns_.size();
  }
}

void Folds::clear(std::span<double> folded) const {
  std::fill(folded.begin(), folded.begin() + static_cast<std::ptrdiff_t>(ends_[1]), infinity);
  std::fill(folded.begin() + static_cast<std::ptrdiff_t>(ends_[1]),
            folded.begin() + static_cast<std::ptrdiff_t>(ends_[2]), -infinity);
  std::fill(folded.begin() + static_cast<std::ptrdiff_t>(ends_[2]),
            folded.begin() + static_cast<std::ptrdiff_t>(size()), 0.0);
}

void Folds::join(std::span<double> folded, std::span<const double> other) const {
  for (std::size_t i = 0; i < ends_[1]; ++i)
    folded[i] = std::min(folded[i], other[i]);
  for (std::size_t i = ends_[1]; i < ends_[2]; ++i)
    folded[i] = std::max(folded[i], other[i]);
  for (std::size_t i = ends_[2]; i < size(); ++i)
    folded[i] += other[i];
}

template <typename Holds>
void Folds::count(std::size_t kind, std::span<const float> row, double n, std::span<double> folded,
                  Holds holds) const {
  // no comparison with NaN holds
  for (auto i = ends_[kind]; i < ends_[kind + 1]; ++i)
    folded[i] += holds(row[columns_[i]], thresholds_[i]) ? n : 0.0;
}

void Folds::add(std::span<const float> row, std::uint64_t n, std::span<double> folded) const {
  if (n == 0)
    return;
  const auto times = static_cast<double>(n);
  for (std::size_t i = 0; i < ends_[1]; ++i)
    if (const auto value = static_cast<double>(row[columns_[i]]); value < folded[i])
      folded[i] = value;
  for (std::size_t i = ends_[1]; i < ends_[2]; ++i)
    if (const auto value = static_cast<double>(row[columns_[i]]); value > folded[i])
      folded[i] = value;
  for (std::size_t i = ends_[2]; i < ends_[3]; ++i)
    folded[i] += std::isnan(row[columns_[i]]) ? 0.0 : times;
  for (std::size_t i = ends_[3]; i < ends_[4]; ++i)
    if (const auto value = static_cast<double>(row[columns_[i]]); !std::isnan(value))
      folded[i] += value * times;
  count(4, row, times, folded, std::less<>());
  count(5, row, times, folded, std::less_equal<>());
  count(6, row, times, folded, std::greater<>());
  count(7, row, times, folded, std::greater_equal<>());
  count(8, row, times, folded, std::equal_to<>());
}

Language::Language(std::span<const Aggregate> pairs, std::span<const Aggregate> records,
                   std::vector<Statement> statements, std::size_t pair_columns,
                   std::size_t record_columns, std::size_t label_columns)
    : statements_(std::move(statements)), pair_columns_(pair_columns),
      record_columns_(record_columns), label_columns_(label_columns) {
  const auto within = [](std::size_t columns) {
    return [columns](const Aggregate &one) { return one.column < columns; };
  };
  check(std::ranges::all_of(pairs, within(pair_columns)) &&
            std::ranges::all_of(records, within(record_columns)),
        "an aggregate of a column that is not there");
  std::vector<std::uint32_t> places, of_records;
  pairs_ = Folds(pairs, places);
  records_ = Folds(records, of_records);
  const auto between = places;
  for (const auto place : of_records)
    places.push_back(place + static_cast<std::uint32_t>(pairs.size()));
  for (const auto place : between)
    places.push_back(place + static_cast<std::uint32_t>(joint()));
  for (auto &one : statements_) {
    check(one.saying <= Saying::joined && one.test <= Test::below, "an unknown statement");
    if (one.saying <= Saying::count || one.saying == Saying::joined) {
      check(one.first < places.size() && one.second < places.size(),
            "a statement without its aggregates");
      one.first = places[one.first];
      one.second = places[one.second];
    }
    if (one.saying == Saying::distinct)
      check(one.first < label_columns, "a statement about labels that are not there");
  }
}

void Language::clear(Summary &summary) const {
  summary.folded.resize(joint() + pairs_.size());
  pairs_.clear(summary.folded);
  records_.clear(std::span(summary.folded).subspan(pairs_.size()));
  pairs_.clear(std::span(summary.folded).subspan(joint()));
  summary.counts.assign(label_columns_, 0);
  summary.size = summary.compared = summary.between = summary.across = 0;
}

double Language::value(std::size_t index, const Summary &summary) const {
  const auto &one = statements_[index];
  double value = std::numeric_limits<double>::quiet_NaN();
  const auto first = [&] { return summary.folded[one.first]; };
  const auto second = [&] { return summary.folded[one.second]; };
  switch (one.saying) {
  case Saying::extreme:
    value = std::isinf(first()) ? value : first();
    break;
  case Saying::mean:
    value = second() > 0 ? first() / second() : value;
    break;
  case Saying::all:
    value = second() > 0 ? (first() >= second() ? 1.0 : 0.0) : value;
    break;
  case Saying::some:
    value = first() > 0 ? 1.0 : 0.0;
    break;
  case Saying::count:
    value = first();
    break;
  case Saying::distinct:
    value = summary.counts[one.first];
    break;
  case Saying::size:
    value = static_cast<double>(summary.size);
    break;
  case Saying::apart: {
    const auto n = static_cast<double>(summary.size);
    const double pairs = n * (n - 1) / 2;
    value = pairs > 0 ? 1.0 - static_cast<double>(summary.compared) / pairs : 0.0;
    break;
  }
  case Saying::apart_between: {
    const auto pairs = static_cast<double>(summary.across);
    value = pairs > 0 ? 1.0 - static_cast<double>(summary.between) / pairs : 0.0;
    break;
  }
  case Saying::always:
    value = 1.0;
    break;
  case Saying::joined:
    return first() - one.threshold * static_cast<double>(summary.across - summary.between);
  }
  if (std::isnan(value))
    return 0.0;
  if (one.test == Test::above)
    return value > one.threshold ? 1.0 : 0.0;
  if (one.test == Test::below)
    return value < one.threshold ? 1.0 : 0.0;
  return value;
}

double Language::score(std::span<const double> weights, const Summary &summary) const {
  double score = 0.0;
  for (std::size_t i = 0; i < statements_.size(); ++i)
    if (weights[i] != 0.0)
      score += weights[i] * value(i, summary);
  return score;
}

} // namespace runoff::identity
