// A time after which a search takes the first that it finds.
#pragma once

#include <chrono>

namespace runoff::base {

class Budget {
public:
  // Seconds from now; a million or more have no end.
  explicit Budget(double seconds) : timed_(seconds < 1e6) {
    if (timed_)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
  }

  // Whether the time is up.
  bool is_spent() {
    spent_ = spent_ || (timed_ && Clock::now() > end_);
    return spent_;
  }

private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  bool timed_, spent_ = false;
  Clock::time_point end_{};
};

} // namespace runoff::base
