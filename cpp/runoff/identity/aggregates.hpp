// Statements about sets of records, and the aggregates that they are computed from.
//
// Culotta & McCallum (2006), section 3.3: a statement such as "all titles match" has a value for
// every set. All values are functions of a few aggregates, each the minimum, maximum, sum or number
// of the values that one column has over the pairs, or the records, of a set. The aggregates of a
// union are those of its parts and of the pairs between them, so they are never computed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::identity {

// A missing value is NaN, and no part of any aggregate.
enum class Fold : std::uint8_t { minimum, maximum, sum, number };

// What a sum counts instead of adding values up: those that compare so with the threshold.
enum class Compared : std::uint8_t { no, less, less_equal, greater, greater_equal, equal };

struct Aggregate {
  std::uint32_t column;
  Fold fold;
  Compared compared = Compared::no; // of a sum
  float threshold = 0.0f;
};

// What a statement says: an aggregate itself, or what follows from two of them.
enum class Saying : std::uint8_t {
  extreme,
  mean,
  all,
  some,
  count,
  distinct,
  size,
  apart,
  apart_between,
  always,
  joined // the sum between the parts; pairs without values count as minus the threshold
};
enum class Test : std::uint8_t { none, above, below };

// `first` and `second` are aggregates (those of pairs, of records, and of the pairs between the two
// parts of a union), or, for `distinct`, a column of labels. With a test the value is 1 where it
// holds, else 0; without anything to compare the value is 0.
struct Statement {
  Saying saying;
  std::uint32_t first;
  std::uint32_t second;
  Test test;
  double threshold;
};

// Most distinct values that are told apart; more count as this many.
inline constexpr std::size_t most_distinct = 32;

// The aggregates of one set.
struct Summary {
  std::vector<double> folded;        // of pairs, of records, of pairs between the parts
  std::vector<std::uint32_t> counts; // distinct values, by column of labels
  std::uint64_t size = 0;            // records
  std::uint64_t compared = 0;        // pairs that have values
  std::uint64_t between = 0;         // pairs between the parts that have values
  std::uint64_t across = 0;          // all pairs between the parts
};

// Aggregates of one kind of row, in the order of what they do, so that each is a plain loop.
class Folds {
public:
  Folds() = default;
  // `places` is filled with where each of the given aggregates went.
  Folds(std::span<const Aggregate> given, std::vector<std::uint32_t> &places);

  std::size_t size() const { return columns_.size(); }
  // What an aggregate of nothing is.
  void clear(std::span<double> folded) const;
  // Adds the aggregates of other rows.
  void join(std::span<double> folded, std::span<const double> other) const;
  // Adds `n` rows that are equal to this one.
  void add(std::span<const float> row, std::uint64_t n, std::span<double> folded) const;

private:
  static constexpr std::size_t kinds = 9; // minimum, maximum, number, sum, and sums of comparisons
  template <typename Holds>
  void count(std::size_t kind, std::span<const float> row, double n, std::span<double> folded,
             Holds holds) const;

  std::array<std::size_t, kinds + 1> ends_{}; // where the aggregates of each kind begin
  std::vector<std::uint32_t> columns_;
  std::vector<float> thresholds_;
};

class Language {
public:
  // Throws std::invalid_argument where a statement speaks of something that is not there.
  Language(std::span<const Aggregate> pairs, std::span<const Aggregate> records,
           std::vector<Statement> statements, std::size_t pair_columns, std::size_t record_columns,
           std::size_t label_columns);

  const Folds &pairs() const { return pairs_; }
  const Folds &records() const { return records_; }
  std::size_t size() const { return statements_.size(); }
  // Where the aggregates of the pairs between the parts begin.
  std::size_t joint() const { return pairs_.size() + records_.size(); }
  std::size_t pair_columns() const { return pair_columns_; }
  std::size_t record_columns() const { return record_columns_; }
  std::size_t label_columns() const { return label_columns_; }

  void clear(Summary &summary) const;
  double value(std::size_t statement, const Summary &summary) const;
  double score(std::span<const double> weights, const Summary &summary) const;

private:
  Folds pairs_, records_;
  std::vector<Statement> statements_;
  std::size_t pair_columns_, record_columns_, label_columns_;
};

} // namespace runoff::identity
