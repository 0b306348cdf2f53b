#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace runoff::base {
namespace {

constexpr std::size_t shards = 8, weights_per_block = 1 << 14;

struct Stopped {}; // thrown where another thread has thrown

class Blocks {
public:
  Blocks(std::size_t n, std::size_t block, const LongWork &work)
      : n_(n), block_(block), work_(work) {}

  // Works until no block is left or something was thrown, which is kept for the caller.
  void run(const Poll &poll) noexcept {
    const Poll polled = [&] {
      if (stopped_)
        throw Stopped();
      poll();
    };
    try {
      while (true) {
        polled();
        const std::size_t begin = next_.fetch_add(1) * block_;
        if (begin >= n_)
          return;
        work_(begin, std::min(begin + block_, n_), polled);
      }
    } catch (const Stopped &) {
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      stopped_ = true;
    }
  }

  void rethrow() const {
    if (error_)
      std::rethrow_exception(error_);
  }

private:
  const std::size_t n_, block_;
  const LongWork &work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

} // namespace

void in_long_blocks(std::size_t n, std::size_t block, const Threads &threads,
                    const LongWork &work) {
  Blocks blocks(n, block, work);
  const std::size_t useful =
      std::min((n + block - 1) / block, static_cast<std::size_t>(std::max(threads.count, 1)));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < useful; ++i)
      others.emplace_back([&blocks] { blocks.run([] {}); });
    blocks.run(threads.poll);
  }
  blocks.rethrow();
}

void in_blocks(std::size_t n, std::size_t block, const Threads &threads, const Work &work) {
  in_long_blocks(n, block, threads,
                 [&work](std::size_t begin, std::size_t end, const Poll &) { work(begin, end); });
}

double sharded_loss(std::span<double> gradient, std::vector<double> &scratch,
                    const Threads &threads, const ShardLoss &loss) {
  const std::size_t n = gradient.size();
  scratch.resize(shards * n);
  std::vector<double> losses(shards);
  in_blocks(shards, 1, threads, [&](std::size_t shard, std::size_t) {
    losses[shard] = loss(shard, shards, std::span(scratch).subspan(shard * n, n));
  });
  in_blocks(n, weights_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      gradient[i] = 0.0;
      for (std::size_t shard = 0; shard < shards; ++shard)
        gradient[i] += scratch[shard * n + i];
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

} // namespace runoff::base
