// Counts of classes over examples.
#pragma once

#include "runoff/words/igtree.hpp"

#include <algorithm>

namespace runoff::words {

inline constexpr std::size_t examples_per_poll = 1 << 16;

// How often each class occurs in one range of examples after another.
class ClassCounter {
public:
  explicit ClassCounter(std::size_t n_symbols) : counts_(n_symbols) {}

  void add(std::uint32_t cls) {
    if (counts_[cls]++ == 0)
      seen_.push_back(cls);
  }
  std::vector<std::uint32_t> &seen() { return seen_; }
  std::uint32_t count(std::uint32_t cls) const { return counts_[cls]; }
  void clear() {
    for (const auto cls : seen_)
      counts_[cls] = 0;
    seen_.clear();
  }

private:
  std::vector<std::uint32_t> counts_, seen_;
};

// Calls work with the place of every example, in order.
template <typename Work>
void for_places(const Windows &windows, const base::Poll &poll, const Work &work) {
  for (std::size_t begin = 0; begin < windows.size(); begin += examples_per_poll) {
    poll();
    const auto size = std::min(examples_per_poll, windows.size() - begin);
    for (const auto place : windows.places.subspan(begin, size))
      work(place);
  }
}

inline void count_classes(const Windows &windows, const base::Poll &poll, ClassCounter &counter) {
  for_places(windows, poll, [&](std::uint32_t place) { counter.add(windows.cells[place]); });
}

} // namespace runoff::words
