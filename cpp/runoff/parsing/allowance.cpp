#include "runoff/parsing/allowance.hpp"

#include "runoff/base/memory.hpp"

namespace runoff::parsing {

Allowance::~Allowance() {
  if (turn_.owns_lock())
    base::trim_memory();
}

} // namespace runoff::parsing
