#include "runoff/strings/edits.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::strings {

EditCounter::EditCounter(std::span<const std::uint32_t> gold, std::size_t block)
    : block_(block), gold_(gold) {
  for (const auto unit : gold)
    units_ = std::max(units_, unit + 1);
  places_.assign(units_, 0);
}

Edits EditCounter::count(std::span<const std::uint32_t> output, const base::Poll &poll) {
  std::size_t start = 0, end = std::min(output.size(), gold_.size());
  while (start < end && output[start] == gold_[start])
    ++start;
  end -= start;
  std::size_t tail = 0;
  while (tail < end && output[output.size() - 1 - tail] == gold_[gold_.size() - 1 - tail])
    ++tail;
  output = output.subspan(start, output.size() - tail - start);
  index(start, gold_.size() - tail - start);
  if (output.empty() || middle_.empty())
    return {0, static_cast<std::int64_t>(middle_.size()), static_cast<std::int64_t>(output.size())};
  return trace(output, poll);
}

// Notes the rows of each unit of a part of gold.
void EditCounter::index(std::size_t start, std::size_t size) {
  for (const auto unit : middle_)
    places_[unit] = 0;
  middle_ = gold_.subspan(start, size);
  words_ = (size + 63) / 64;
  rows_.assign(words_, 0); // of units that gold does not have
  for (std::size_t row = 0; row < size; ++row) {
    auto &place = places_[middle_[row]];
    if (place == 0) {
      place = static_cast<std::uint32_t>(rows_.size() / words_);
      rows_.resize(rows_.size() + words_, 0);
    }
    rows_[place * words_ + row / 64] |= Bits{1} << (row % 64);
  }
}

// Goes on from a column over some units of the output; keeps, if asked, where each column grows
// downwards and where it grew from the left. `down` and `up` are the vertical differences, `right`
// and `left` the horizontal ones, one bit per row.
void EditCounter::columns(std::span<const std::uint32_t> output, Column &state, bool keep) {
  if (keep) {
    downs_.resize(output.size() * words_);
    rights_.resize(output.size() * words_);
  }
  for (std::size_t column = 0; column < output.size(); ++column) {
    const auto unit = output[column];
    const auto *equal_rows = rows_.data() + (unit < units_ ? places_[unit] : 0) * words_;
    Bits carried_right = 1, carried_left = 0; // the row above the first grows by 1
    for (std::size_t word = 0; word < words_; ++word) {
      auto &down = state.down[word], &up = state.up[word];
      const Bits vertical = equal_rows[word] | up;
      const Bits equal = equal_rows[word] | carried_left;
      const Bits horizontal = (((equal & down) + down) ^ down) | equal;
      Bits right = up | ~(horizontal | down);
      Bits left = down & horizontal;
      if (keep)
        rights_[column * words_ + word] = right;
      const Bits next_right = right >> 63, next_left = left >> 63;
      right = (right << 1) | carried_right;
      left = (left << 1) | carried_left;
      carried_right = next_right;
      carried_left = next_left;
      down = left | ~(vertical | right);
      up = right & vertical;
      if (keep)
        downs_[column * words_ + word] = down;
    }
  }
}

// Of a long output only the first columns of blocks are kept, and a block is made again when it is
// reached on the way back.
Edits EditCounter::trace(std::span<const std::uint32_t> output, const base::Poll &poll) {
  const auto size =
      std::max(block_, static_cast<std::size_t>(std::sqrt(static_cast<double>(output.size()))));
  std::vector<Column> states{{std::vector<Bits>(words_, ~Bits{0}), std::vector<Bits>(words_, 0)}};
  for (std::size_t start = 0; start + size < output.size(); start += size) {
    poll();
    states.push_back(states.back());
    columns(output.subspan(start, size), states.back(), false);
  }
  Edits edits;
  std::size_t column = output.size(), row = middle_.size(), start = column;
  while (column > 0 && row > 0) {
    if (column <= start) {
      poll();
      start = (column - 1) / size * size;
      auto state = states[start / size];
      columns(output.subspan(start, std::min(size, output.size() - start)), state, true);
    }
    const auto at = (column - 1 - start) * words_ + (row - 1) / 64;
    const auto bit = Bits{1} << ((row - 1) % 64);
    if ((downs_[at] & bit) != 0) {
      ++edits.deletions;
      --row;
    } else if ((rights_[at] & bit) != 0) {
      ++edits.insertions;
      --column;
    } else {
      edits.substitutions += output[--column] != middle_[--row];
    }
  }
  edits.deletions += static_cast<std::int64_t>(row);
  edits.insertions += static_cast<std::int64_t>(column);
  return edits;
}

} // namespace runoff::strings
