#include "runoff/features/alignment.hpp"

#include <algorithm>

namespace runoff::features {

std::span<const Edit> Aligner::align(std::span<const std::uint32_t> before,
                                     std::span<const std::uint32_t> after) {
  const auto width = after.size() + 1;
  table_.assign((before.size() + 1) * width, 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t & {
    return table_[i * width + j];
  };
  const auto swapped = [&](std::size_t i, std::size_t j) {
    return i > 1 && j > 1 && before[i - 1] == after[j - 2] && before[i - 2] == after[j - 1];
  };
  for (std::size_t i = 0; i <= before.size(); ++i)
    for (std::size_t j = 0; j <= after.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = static_cast<std::uint32_t>(i + j);
        continue;
      }
      const auto differs = static_cast<std::uint32_t>(before[i - 1] != after[j - 1]);
      at(i, j) = std::min({at(i - 1, j - 1) + differs, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (differs != 0 && swapped(i, j))
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  edits_.clear();
  for (std::size_t i = before.size(), j = after.size(); i > 0 || j > 0;) {
    const auto here = at(i, j);
    if (i > 0 && j > 0 && before[i - 1] == after[j - 1] && here == at(i - 1, j - 1)) {
      --i, --j;
    } else if (swapped(i, j) && here == at(i - 2, j - 2) + 1) {
      i -= 2, j -= 2;
      edits_.push_back({Change::swap, i, j});
    } else if (i > 0 && j > 0 && here == at(i - 1, j - 1) + 1) {
      --i, --j;
      edits_.push_back({Change::substitution, i, j});
    } else if (j > 0 && here == at(i, j - 1) + 1) {
      --j;
      edits_.push_back({Change::insertion, i, j});
    } else {
      --i;
      edits_.push_back({Change::deletion, i, j});
    }
  }
  return edits_;
}

} // namespace runoff::features
