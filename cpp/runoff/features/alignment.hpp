// Which edits turn one sequence into another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::features {

enum class Change : std::uint8_t { substitution, swap, insertion, deletion };

// An edit, with the positions in both sequences before which, or at which, it happens.
struct Edit {
  Change change;
  std::size_t before, after;
};

// Finds the fewest edits, neighbours that change places being one (optimal string alignment): from
// the end, a match where there may be one, else a swap, a substitution, an insertion, a deletion.
class Aligner {
public:
  // The edits, the last first. The memory is the aligner's, until the next call.
  std::span<const Edit> align(std::span<const std::uint32_t> before,
                              std::span<const std::uint32_t> after);

private:
  std::vector<std::uint32_t> table_;
  std::vector<Edit> edits_;
};

} // namespace runoff::features
