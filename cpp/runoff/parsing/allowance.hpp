// What one sentence may take: memory, and time.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <mutex>

namespace runoff::parsing {

// How much one sentence may take. Time is counted in steps of work, and who waits is asked now and
// then whether it should go on. Memory is for edges, in every pass: about 50 bytes each while
// they are built, with all that belongs to them. Sentences that take much wait for each other, so
// that the memory of all hardly depends on how many threads parse.
class Allowance {
public:
  Allowance(std::size_t edges, std::mutex &turn, const base::Poll &poll)
      : edges_(edges), turn_(turn, std::defer_lock), poll_(poll) {}
  Allowance(const Allowance &) = delete;
  Allowance &operator=(const Allowance &) = delete;
  ~Allowance(); // what the sentence took goes back to the system before the next one's turn

  // Whether so many edges, or something that takes as much, may be in memory. The first time that
  // it is much, this waits for the turn of the sentence, which then lasts as long as this object.
  bool holds(std::size_t edges) {
    if (edges > MUCH)
      take_turn();
    return edges <= edges_;
  }
  std::size_t edges() const { return edges_; }
  void take_turn() {
    if (!turn_.owns_lock())
      turn_.lock();
  }

  // Counts work, and polls after every few milliseconds of it; short sentences never do.
  void work(std::size_t steps) {
    steps_ += steps;
    if (steps_ > STEPS_PER_POLL) {
      steps_ = 0;
      poll_();
    }
  }

private:
  static constexpr std::size_t MUCH = 500'000, STEPS_PER_POLL = 1 << 14;
  std::size_t edges_;
  std::unique_lock<std::mutex> turn_;
  const base::Poll &poll_;
  std::size_t steps_ = 0;
};

} // namespace runoff::parsing
