// Links of both directions made one alignment (Och & Ney 2003; Koehn, Och & Marcu 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::translation {

struct Link {
  std::uint32_t source, target;
  friend auto operator<=>(const Link &, const Link &) = default;
};

enum class Symmetrisation { intersection, union_, grow_diag_final_and };

// The links of a sentence pair, sorted. `forward` has the source place of every target word, and
// `backward` the target place of every source word; -1 is none. Places must be in range.
//
// grow-diag-final-and begins with the intersection, adds links of the union next to those that it
// has, also diagonally, while one of their words has no link, and ends with links of one direction
// both of whose words have none: forward first, then backward.
std::vector<Link> symmetrise(std::span<const std::int32_t> forward,
                             std::span<const std::int32_t> backward, Symmetrisation how);

} // namespace runoff::translation
