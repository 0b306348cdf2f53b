// Records, the pairs of them that have values, and the aggregates of any set of them.
#pragma once

#include "runoff/identity/aggregates.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::identity {

inline constexpr std::uint32_t none = 0xffffffffu;

// Arrays of the caller, which must outlive what is made of them.
//
// Pair p is of the records left[p] < right[p], and has the values
// pair_values[p * columns .. (p + 1) * columns). Record r stands for copies[r] equal ones; where
// these are several, the next row of `own_values` has the values of a pair of them.
struct Table {
  std::span<const std::uint32_t> left, right;
  std::span<const float> pair_values;
  std::span<const std::uint32_t> copies;
  std::span<const float> own_values;
  std::span<const float> record_values;  // n × record columns
  std::span<const std::uint32_t> labels; // n × label columns; `none` where there is none
};

class Sets {
public:
  // Throws std::invalid_argument if the arrays do not fit together.
  Sets(Language language, Table table);

  const Language &language() const { return language_; }
  std::size_t size() const { return table_.copies.size(); }
  std::size_t pairs() const { return table_.left.size(); }
  std::uint32_t left(std::size_t pair) const { return table_.left[pair]; }
  std::uint32_t right(std::size_t pair) const { return table_.right[pair]; }

  std::uint32_t copies(std::size_t record) const { return table_.copies[record]; }
  // How many pairs of equal records a pair stands for.
  std::uint64_t weight(std::size_t pair) const {
    return std::uint64_t{table_.copies[left(pair)]} * table_.copies[right(pair)];
  }

  // The pairs that a record is part of.
  struct Neighbour {
    std::uint32_t record;
    std::uint32_t pair;
  };
  std::span<const Neighbour> neighbours(std::size_t record) const {
    return std::span(neighbours_).subspan(starts_[record], starts_[record + 1] - starts_[record]);
  }

  // Adds to aggregates of pairs the values of one pair.
  void add_pair(std::size_t pair, std::span<double> folded) const;
  // Adds a record, and the pairs of its copies; labels are not counted.
  void add_record(std::size_t record, Summary &summary) const;
  std::uint32_t label(std::size_t record, std::size_t column) const {
    return table_.labels[record * language_.label_columns() + column];
  }

  // The aggregates of a set, from all its pairs, which also count as those between its parts. Costs
  // the neighbours of its members.
  // The aggregates of two records, whatever copies there are of them.
  void summarise_pair(std::size_t pair, Summary &summary) const;
  // The aggregates of the union of two sets, and of the pairs between them.
  void summarise_merge(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                       Summary &summary) const;
  void summarise(std::span<const std::uint32_t> members, Summary &summary) const;

private:
  std::span<const float> pair_row(std::size_t pair) const {
    return table_.pair_values.subspan(pair * language_.pair_columns(), language_.pair_columns());
  }
  // Adds `n` equal records.
  void add_single(std::size_t record, std::uint64_t n, Summary &summary) const;

  Language language_;
  Table table_;
  std::vector<std::size_t> starts_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::uint32_t> own_rows_; // by record: row of own_values, or none
};

} // namespace runoff::identity
