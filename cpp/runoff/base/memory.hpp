// Memory that is no longer used.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace runoff::base {

// Gives the system back what was freed but is still held for later; nothing where that is not known
// how to do. Takes milliseconds for a gigabyte.
inline void trim_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

} // namespace runoff::base
