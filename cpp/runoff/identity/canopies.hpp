// Canopies: which pairs of records are worth comparing (McCallum, Nigam & Ungar 2000).
#pragma once

#include "runoff/base/threads.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff::identity {

// Records as sparse vectors of length 1: the tokens of record r, in ascending order, are
// tokens[offsets[r] .. offsets[r + 1]), each with its weight. Records of different blocks are never
// compared.
struct TokenVectors {
  std::span<const std::int64_t> offsets;
  std::span<const std::uint32_t> tokens;
  std::span<const float> weights;
  std::span<const std::uint32_t> blocks;

  std::size_t size() const { return offsets.size() - 1; }
  void check(std::size_t n_tokens) const; // throws std::invalid_argument
};

// A record is the centre of a canopy if it is in no earlier centre's tight neighbourhood. The
// canopy has all records whose cosine with the centre is at least `loose`; those that reach `tight`
// are centres no more, and are paired with everything in the canopy. Tokens in more than `frequent`
// records find nobody, but count in cosines. Without any token that finds, a record is compared
// with its neighbours in the order given. The tokens of a record are asked from the rarest on,
// until `reads` records were met, which bounds time.
struct Thresholds {
  double loose;
  double tight;
  std::size_t frequent;
  std::size_t reads;
};

// The product of the vectors of two records.
double product(const TokenVectors &records, std::size_t a, std::size_t b);

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The pairs in some canopy, smaller record first, sorted, each once.
Pairs canopy_pairs(const TokenVectors &records, std::size_t n_tokens, const Thresholds &thresholds,
                   const base::Poll &poll);

// The cosines with all others of every `every`-th record that reach `loose`: how many pairs there
// would be at any greater threshold.
std::vector<float> canopy_cosines(const TokenVectors &records, std::size_t n_tokens,
                                  const Thresholds &thresholds, std::size_t every,
                                  const base::Poll &poll);

} // namespace runoff::identity
