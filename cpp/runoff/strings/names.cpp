#include "runoff/strings/names.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::strings {

void Names::check() const {
  const auto known = [this](std::uint32_t part) { return part < lengths.size(); };
  middle.check(lengths.size());
  if (last.size() != size() || middle.size() != size() || initials.size() != lengths.size() ||
      !std::ranges::all_of(first, known) || !std::ranges::all_of(last, known))
    throw std::invalid_argument("the parts of the names are not sound");
}

// Equal, or one is missing or the other's initial.
bool Names::compatible(std::uint32_t a, std::uint32_t b) const {
  if (a == b || lengths[a] == 0 || lengths[b] == 0)
    return true;
  return std::min(lengths[a], lengths[b]) == 1 && initials[a] == initials[b];
}

bool Names::conflict(std::size_t a, std::size_t b) const {
  const auto x = middle.of(a), y = middle.of(b);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (!compatible(x[i], y[i]))
      return true;
  return false;
}

bool Names::may_be_one(std::size_t a, std::size_t b) const {
  if (last[a] != last[b] && lengths[last[a]] != 0 && lengths[last[b]] != 0)
    return false;
  return compatible(first[a], first[b]) && !conflict(a, b);
}

} // namespace runoff::strings
