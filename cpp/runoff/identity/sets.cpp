#include "runoff/identity/sets.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace runoff::identity {

Sets::Sets(Language language, Table table)
    : language_(std::move(language)), table_(table), starts_(table.copies.size() + 1, 0) {
  const auto n = size(), columns = language_.pair_columns();
  std::size_t several = 0;
  own_rows_.assign(n, none);
  for (std::size_t r = 0; r < n; ++r)
    if (table_.copies[r] > 1)
      own_rows_[r] = static_cast<std::uint32_t>(several++);
  bool sound = table_.left.size() == table_.right.size() && table_.left.size() < none && n < none &&
               table_.pair_values.size() == table_.left.size() * columns &&
               table_.own_values.size() == several * columns &&
               table_.record_values.size() == n * language_.record_columns() &&
               table_.labels.size() == n * language_.label_columns() &&
               std::ranges::none_of(table_.copies, [](auto copies) { return copies == 0; });
  for (std::size_t p = 0; sound && p < pairs(); ++p) {
    sound = left(p) < right(p) && right(p) < n;
    if (sound) {
      ++starts_[left(p) + 1];
      ++starts_[right(p) + 1];
    }
  }
  if (!sound)
    throw std::invalid_argument("the values of the records do not fit together");
  for (std::size_t r = 0; r < n; ++r)
    starts_[r + 1] += starts_[r];
  neighbours_.resize(starts_.back());
  auto next = starts_;
  for (std::size_t p = 0; p < pairs(); ++p) {
    neighbours_[next[left(p)]++] = {right(p), static_cast<std::uint32_t>(p)};
    neighbours_[next[right(p)]++] = {left(p), static_cast<std::uint32_t>(p)};
  }
}

void Sets::add_single(std::size_t record, std::uint64_t n, Summary &summary) const {
  language_.records().add(table_.record_values.subspan(record * language_.record_columns()), n,
                          std::span(summary.folded).subspan(language_.pairs().size()));
  summary.size += n;
}

void Sets::add_pair(std::size_t pair, std::span<double> folded) const {
  language_.pairs().add(pair_row(pair), weight(pair), folded);
}

void Sets::add_record(std::size_t record, Summary &summary) const {
  const std::uint64_t n = copies(record), pairs = n * (n - 1) / 2;
  if (own_rows_[record] != none)
    language_.pairs().add(table_.own_values.subspan(own_rows_[record] * language_.pair_columns()),
                          pairs, summary.folded);
  add_single(record, n, summary);
  summary.compared += pairs;
}

void Sets::summarise_pair(std::size_t pair, Summary &summary) const {
  language_.clear(summary);
  const auto between = std::span(summary.folded).subspan(language_.joint());
  language_.pairs().add(pair_row(pair), 1, summary.folded);
  std::copy_n(summary.folded.begin(), between.size(), between.begin());
  add_single(left(pair), 1, summary);
  add_single(right(pair), 1, summary);
  summary.compared = summary.between = summary.across = 1;
  for (std::size_t column = 0; column < summary.counts.size(); ++column) {
    const auto a = label(left(pair), column), b = label(right(pair), column);
    summary.counts[column] = (a != none ? 1u : 0u) + (b != none && b != a ? 1u : 0u);
  }
}

void Sets::summarise_merge(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                           Summary &summary) const {
  std::vector<std::uint32_t> all(a.begin(), a.end()), second(b.begin(), b.end());
  all.insert(all.end(), b.begin(), b.end());
  summarise(all, summary);
  std::ranges::sort(second);
  const auto between = std::span(summary.folded).subspan(language_.joint());
  language_.pairs().clear(between);
  summary.between = 0;
  std::uint64_t first_size = 0, second_size = 0;
  for (const auto record : b)
    second_size += copies(record);
  for (const auto record : a) {
    first_size += copies(record);
    for (const auto [other, pair] : neighbours(record))
      if (std::ranges::binary_search(second, other)) {
        add_pair(pair, between);
        summary.between += weight(pair);
      }
  }
  summary.across = first_size * second_size;
}

void Sets::summarise(std::span<const std::uint32_t> members, Summary &summary) const {
  language_.clear(summary);
  std::vector<std::uint32_t> sorted(members.begin(), members.end());
  std::ranges::sort(sorted);
  for (const auto record : sorted) {
    add_record(record, summary);
    for (const auto [other, pair] : neighbours(record))
      if (other < record && std::ranges::binary_search(sorted, other)) {
        add_pair(pair, summary.folded);
        summary.compared += weight(pair);
      }
  }
  std::copy_n(summary.folded.begin(), language_.pairs().size(),
              summary.folded.begin() + static_cast<std::ptrdiff_t>(language_.joint()));
  summary.between = summary.compared;
  summary.across = summary.size * (summary.size - 1) / 2;
  for (std::size_t column = 0; column < language_.label_columns(); ++column) {
    std::vector<std::uint32_t> found;
    for (const auto record : sorted)
      if (const auto one = label(record, column); one != none)
        found.push_back(one);
    std::ranges::sort(found);
    const auto distinct = std::ranges::unique(found).begin() - found.begin();
    summary.counts[column] =
        static_cast<std::uint32_t>(std::min(static_cast<std::size_t>(distinct), most_distinct));
  }
}

} // namespace runoff::identity
