// How long work is interrupted, and how many threads do it.
#pragma once

#include <functional>

namespace runoff::base {

// Called now and then by long loops; throws to stop them.
using Poll = std::function<void()>;

// How many threads work, and what the calling one polls.
struct Threads {
  int count = 1;
  Poll poll = [] {};
};

} // namespace runoff::base
