#include "runoff/identity/aggregates.hpp"

#include <algorithm>
#include <cmath>
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

double identity_of(Fold fold) {
  return fold == Fold::minimum ? infinity : fold == Fold::maximum ? -infinity : 0.0;
}

double join(Fold fold, double a, double b) {
  switch (fold) {
  case Fold::minimum:
    return std::min(a, b);
  case Fold::maximum:
    return std::max(a, b);
  default:
    return a + b;
  }
}

double repeated(Fold fold, double value, std::uint64_t n) {
  if (std::isnan(value) || n == 0)
    return identity_of(fold);
  const auto times = static_cast<double>(n);
  return fold == Fold::sum ? value * times : fold == Fold::number ? times : value;
}

Language::Language(std::vector<Aggregate> pairs, std::vector<Aggregate> records,
                   std::vector<Statement> statements, std::size_t pair_columns,
                   std::size_t record_columns, std::size_t label_columns)
    : pairs_(std::move(pairs)), records_(std::move(records)), statements_(std::move(statements)),
      pair_columns_(pair_columns), record_columns_(record_columns), label_columns_(label_columns) {
  const auto within = [](std::size_t columns) {
    return [columns](const Aggregate &one) {
      return one.column < columns && one.fold <= Fold::number;
    };
  };
  check(std::ranges::all_of(pairs_, within(pair_columns)) &&
            std::ranges::all_of(records_, within(record_columns)),
        "an aggregate of a column that is not there");
  const auto known = 2 * pairs_.size() + records_.size();
  for (const auto &one : statements_) {
    check(one.saying <= Saying::joined && one.test <= Test::below, "an unknown statement");
    if (one.saying <= Saying::count || one.saying == Saying::joined)
      check(one.first < known && one.second < known, "a statement without its aggregates");
    if (one.saying == Saying::distinct)
      check(one.first < label_columns, "a statement about labels that are not there");
  }
}

void Language::clear(Summary &summary) const {
  summary.folded.resize(joint() + pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    summary.folded[i] = summary.folded[joint() + i] = identity_of(pairs_[i].fold);
  for (std::size_t i = 0; i < records_.size(); ++i)
    summary.folded[pairs_.size() + i] = identity_of(records_[i].fold);
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
