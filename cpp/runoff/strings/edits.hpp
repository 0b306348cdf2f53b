// Edit distance: the fewest substitutions, deletions and insertions between two sequences.
//
// Myers (1999), "A fast bit-vector algorithm for approximate string matching based on dynamic
// programming", with the multi-word columns of Hyyrö (2003): a column of the table is two bit
// vectors of differences.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::strings {

struct Edits {
  std::int64_t substitutions = 0, deletions = 0, insertions = 0;
};

// Counts the edits that turn a gold sequence into others, along one best alignment: from the end,
// a deletion where there may be one, else an insertion.
class EditCounter {
public:
  // Units are small numbers, since there is an index over them; the memory stays the caller's. At
  // least `block` columns are kept together.
  EditCounter(std::span<const std::uint32_t> gold, std::size_t block);

  // Time is the length of the output times that of gold over 64, after what both begin and end
  // with; memory that of some thousand columns. `poll` is called now and then.
  Edits count(std::span<const std::uint32_t> output, const base::Poll &poll);

private:
  using Bits = std::uint64_t;
  struct Column {
    std::vector<Bits> down, up; // where it grows downwards by 1, and where it shrinks
  };

  void index(std::size_t start, std::size_t size);
  void columns(std::span<const std::uint32_t> output, Column &state, bool keep);
  Edits trace(std::span<const std::uint32_t> output, const base::Poll &poll);

  std::size_t block_;
  std::span<const std::uint32_t> gold_, middle_; // middle_: what is not set aside
  std::uint32_t units_ = 0;                      // above all of gold's
  std::size_t words_ = 0;                        // of 64 rows
  std::vector<std::uint32_t> places_;            // of each unit, where its rows are, or 0 for none
  std::vector<Bits> rows_;                       // rows of each unit, a vector of words each
  std::vector<Bits> downs_, rights_;             // of a block of columns
};

} // namespace runoff::strings
