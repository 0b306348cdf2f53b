// N-grams that outputs have in common with references, which is what BLEU counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::ngrams {

// How many n-grams of each order, from 1, an output has in common with references, for every
// output: an n-gram counts at most as often as it is in one of the references. Time is linear in
// all words.
std::vector<std::int64_t> matches(std::span<const std::uint32_t> outputs,
                                  std::span<const std::int64_t> output_offsets,
                                  std::span<const std::uint32_t> references,
                                  std::span<const std::int64_t> reference_offsets,
                                  std::size_t order);

} // namespace runoff::ngrams
