// A table of blocks, as sorted arrays in the caller's memory, such as a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::translation {

// How a block follows the one before it on the target side.
enum class Orientation : std::uint8_t { monotone, swap, other };
inline constexpr std::size_t ORIENTATIONS = 3;

class BlockTable {
public:
  static constexpr std::size_t SCORES = 4;

  // Source phrases are sorted by their words; each has the blocks [first_blocks[p],
  // first_blocks[p + 1]). Scores and orientations are natural logarithms of probabilities.
  struct Arrays {
    std::span<const std::uint32_t> sources, source_starts, first_blocks, targets, target_starts;
    std::span<const float> scores;       // SCORES of each block
    std::span<const float> orientations; // 3 of the block before, 3 of the one after, of each block
  };

  // Throws std::invalid_argument unless the sizes fit together. Nothing else is read: what the
  // arrays hold is checked on the way, so that a broken file throws.
  explicit BlockTable(const Arrays &arrays);

  std::size_t blocks() const { return arrays_.target_starts.size() - 1; }
  std::size_t sources() const { return arrays_.source_starts.size() - 1; }

  struct Range {
    std::uint32_t first, last; // blocks, without the last
  };
  // The blocks of every phrase that begins at a place of a sentence, by its number of words from 1;
  // empty where there are none. It ends with the longest phrase that the table may have. Time: a
  // binary search per word.
  void find(std::span<const std::uint32_t> sentence, std::size_t begin,
            std::vector<Range> &found) const;

  std::span<const std::uint32_t> target(std::size_t block) const;
  std::span<const float> scores(std::size_t block) const {
    return arrays_.scores.subspan(block * SCORES, SCORES);
  }
  std::span<const float> orientations(std::size_t block) const {
    return arrays_.orientations.subspan(block * 2 * ORIENTATIONS, 2 * ORIENTATIONS);
  }

private:
  std::span<const std::uint32_t> source(std::size_t phrase) const;

  Arrays arrays_;
};

} // namespace runoff::translation
