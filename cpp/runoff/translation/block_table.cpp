#include "runoff/translation/block_table.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>

namespace runoff::translation {

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

// The words of a phrase, whose place comes out of a file.
std::span<const std::uint32_t> part(std::span<const std::uint32_t> words,
                                    std::span<const std::uint32_t> starts, std::size_t number) {
  const std::size_t begin = starts[number], end = starts[number + 1];
  require(begin <= end && end <= words.size(), "a phrase lies outside the table of blocks");
  return words.subspan(begin, end - begin);
}

} // namespace

BlockTable::BlockTable(const Arrays &arrays) : arrays_(arrays) {
  require(!arrays.source_starts.empty() && !arrays.target_starts.empty(),
          "a table of blocks needs the places of phrases");
  require(arrays.first_blocks.size() == arrays.source_starts.size(),
          "every source phrase needs its blocks");
  require(arrays.scores.size() == blocks() * SCORES, "every block needs four scores");
  require(arrays.orientations.size() == blocks() * 2 * ORIENTATIONS,
          "every block needs six orientations");
}

std::span<const std::uint32_t> BlockTable::source(std::size_t phrase) const {
  return part(arrays_.sources, arrays_.source_starts, phrase);
}

std::span<const std::uint32_t> BlockTable::target(std::size_t block) const {
  return part(arrays_.targets, arrays_.target_starts, block);
}

void BlockTable::find(std::span<const std::uint32_t> sentence, std::size_t begin,
                      std::vector<Range> &found) const {
  found.clear();
  std::size_t low = 0, high = sources(); // phrases that begin with the words so far
  for (std::size_t i = begin; i < sentence.size() && low < high; ++i) {
    const std::size_t depth = i - begin;
    const auto word = [&](std::size_t phrase) { // those that end here come first
      const auto words = source(phrase);
      return depth < words.size() ? std::int64_t{words[depth]} : std::int64_t{-1};
    };
    const auto own =
        std::ranges::equal_range(std::views::iota(low, high), std::int64_t{sentence[i]}, {}, word);
    if (own.empty())
      return;
    low = own.front();
    high = own.back() + 1;
    Range range{0, 0};
    if (source(low).size() == depth + 1) {
      range = {arrays_.first_blocks[low], arrays_.first_blocks[low + 1]};
      require(range.first <= range.last && range.last <= blocks(),
              "the blocks of a phrase lie outside the table");
    }
    found.push_back(range);
  }
}

} // namespace runoff::translation
