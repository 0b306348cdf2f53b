#include "runoff/base/offsets.hpp"

#include <stdexcept>
#include <string>

namespace runoff::base {

void check_offsets(std::span<const std::int64_t> offsets, std::size_t total, const char *what) {
  const auto complain = [what] {
    throw std::invalid_argument(std::string(what) + " must rise from 0 to the number of entries");
  };
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(total))
    complain();
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      complain();
}

} // namespace runoff::base
