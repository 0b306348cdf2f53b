// Blocks (phrase pairs) of word-aligned parallel text, counted (Och & Ney 2004; Koehn, Och & Marcu
// 2003; Tillmann 2006, section 4).
#pragma once

#include "runoff/translation/aligner.hpp"
#include "runoff/translation/block_table.hpp"
#include "runoff/translation/symmetrisation.hpp"

#include <array>
#include <functional>

namespace runoff::translation {

// An interval of source words and one of target words, first and last included.
struct BlockLink {
  std::size_t source_begin, source_end, target_begin, target_end;
  friend auto operator<=>(const BlockLink &, const BlockLink &) = default;
};

// Calls `found` for all admissible blocks of a sentence pair: the links of their source words lead
// into the target interval and those of their target words into the source interval, and there is
// at least one. Words without links may be at the edges. Both intervals have at most `longest`
// words. Links are sorted.
void admissible_blocks(std::size_t source_size, std::size_t target_size,
                       std::span<const Link> links, std::size_t longest,
                       const std::function<void(const BlockLink &)> &found);

// The blocks of a text. Source phrases are sorted by their words; blocks of a source phrase by
// their count, highest first, then by the words of their target.
struct Blocks {
  std::vector<std::uint32_t> sources, source_starts; // words; where phrases begin, and the end
  std::vector<std::uint32_t> first_blocks;           // of each source phrase, and the end
  std::vector<std::uint32_t> targets, target_starts; // words of all blocks
  std::vector<std::uint32_t> target_numbers;         // blocks of one number have the same target
  std::vector<std::uint32_t> counts;                 // of each block
  std::vector<std::uint32_t> orientations;           // 3 of the block before, 3 of the one after
  std::vector<float> lexical; // of each block, target given source and source given target
};

// Lexical weights are natural logarithms, the highest of all occurrences; a word's probability is
// the share of its links. `links` are those of all sentences, `link_offsets` where each begins.
Blocks extract_blocks(const Bitext &bitext, std::span<const std::int64_t> link_offsets,
                      std::span<const Link> links, std::size_t longest, const base::Poll &poll);

} // namespace runoff::translation
