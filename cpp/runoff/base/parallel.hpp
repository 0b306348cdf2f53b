// Work on several threads whose result does not depend on how many there are.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace runoff::base {

using Work = std::function<void(std::size_t begin, std::size_t end)>;

// Calls work(begin, end) for blocks that cover 0..n, each once, in any order, on several
// threads; blocks must not touch each other's results. The calling thread works too, and it alone
// polls, before each of its blocks. What work or poll throws stops the rest and reaches the caller.
void in_blocks(std::size_t n, std::size_t block, const Threads &threads, const Work &work);

// The same for blocks that take long: work calls the poll that it is given now and then, which
// throws on every thread once something was thrown on one.
using LongWork = std::function<void(std::size_t begin, std::size_t end, const Poll &poll)>;
void in_long_blocks(std::size_t n, std::size_t block, const Threads &threads, const LongWork &work);

// The share of a loss that belongs to part `shard` of `shards`; writes its gradient.
using ShardLoss =
    std::function<double(std::size_t shard, std::size_t shards, std::span<double> gradient)>;

// The sum of the shares and of their gradients: always of the same parts, added up in order, so the
// same bits on any threads. `scratch` keeps its memory for the next call.
double sharded_loss(std::span<double> gradient, std::vector<double> &scratch,
                    const Threads &threads, const ShardLoss &loss);

} // namespace runoff::base
