#include "runoff/words/igtree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace runoff::words {

void Windows::check() const {
  if (places.empty())
    return;
  const auto [low, high] = std::minmax_element(places.begin(), places.end());
  std::int64_t left = 0, right = 0;
  for (const std::int64_t shift : shifts) {
    left = std::min(left, shift);
    right = std::max(right, shift);
  }
  if (*low + left < 0 || *high + right >= static_cast<std::int64_t>(cells.size()))
    throw std::invalid_argument("a window does not lie inside the cells");
}

void check_symbols(const Windows &windows, std::size_t n_symbols) {
  if (n_symbols > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("there are more symbols than 32 bits can count");
  for (const auto cell : windows.cells)
    if (cell >= n_symbols)
      throw std::invalid_argument("symbol " + std::to_string(cell) + " is not below " +
                                  std::to_string(n_symbols));
}

} // namespace runoff::words
