#include "runoff/base/parallel.hpp"

#include "tests/check.hpp"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

using namespace runoff::base;

namespace {

void blocks_cover_everything_once() {
  for (const int threads : {0, 1, 3}) {
    std::vector<std::atomic<int>> seen(1000);
    in_blocks(1000, 7, {threads, [] {}}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        ++seen[i];
    });
    for (const auto &times : seen)
      CHECK(times == 1);
  }
}

// Only the calling thread polls, before each of its blocks and once more at the end.
void the_caller_polls_and_no_one_else() {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> polls = 0, elsewhere = 0;
  const Poll poll = [&] {
    ++polls;
    elsewhere += std::this_thread::get_id() != caller;
  };
  in_blocks(50, 10, {1, poll}, [](std::size_t, std::size_t) {});
  CHECK(polls == 6 && elsewhere == 0);
  in_blocks(1000, 1, {3, poll}, [](std::size_t, std::size_t) {});
  CHECK(elsewhere == 0);
}

void no_more_threads_than_blocks() {
  std::atomic<int> others = 0;
  const auto caller = std::this_thread::get_id();
  in_blocks(10, 10, {8, [] {}}, [&](std::size_t begin, std::size_t end) {
    CHECK(begin == 0 && end == 10);
    others += std::this_thread::get_id() != caller;
  });
  CHECK(others == 0);
  in_blocks(0, 10, {8, [] {}}, [&](std::size_t, std::size_t) { CHECK(false); });
}

// A block that never ends by itself ends because another one has thrown.
void long_blocks_stop_each_other() {
  const auto work = [](std::size_t begin, std::size_t, const Poll &poll) {
    if (begin == 0)
      throw std::runtime_error("failed");
    while (true)
      poll();
  };
  CHECK_THROWS(in_long_blocks(2, 1, {2, [] {}}, work), std::runtime_error, "failed");
}

void sums_of_shards_have_the_same_bits_on_any_threads() {
  const auto loss = [](std::size_t shard, std::size_t shards, std::span<double> gradient) {
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] = 1.0 / static_cast<double>(3 * shard + i + 1);
    return 1.0 / static_cast<double>(shards + 7 * shard);
  };
  std::vector<double> scratch, first(40'000), again(first.size(), 9.0);
  const double total = sharded_loss(first, scratch, {1, [] {}}, loss);
  for (const int threads : {2, 5}) {
    CHECK(sharded_loss(again, scratch, {threads, [] {}}, loss) == total);
    CHECK(again == first);
  }
}

void what_is_thrown_reaches_the_caller() {
  const auto nothing = [](std::size_t, std::size_t) {};
  const auto interrupt = [] { throw std::runtime_error("interrupted"); };
  CHECK_THROWS(in_blocks(100, 1, {2, interrupt}, nothing), std::runtime_error, "interrupted");
  const auto fail = [](std::size_t, std::size_t) { throw std::runtime_error("failed"); };
  CHECK_THROWS(in_blocks(100, 1, {3, [] {}}, fail), std::runtime_error, "failed");
}

} // namespace

int main() {
  blocks_cover_everything_once();
  the_caller_polls_and_no_one_else();
  no_more_threads_than_blocks();
  long_blocks_stop_each_other();
  sums_of_shards_have_the_same_bits_on_any_threads();
  what_is_thrown_reaches_the_caller();
  return check::result();
}
