#include "runoff/push.hpp"

#include "runoff/parallel.hpp"

#include <algorithm>
#include <vector>

namespace runoff {
namespace {

constexpr std::size_t lists_per_block = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();

// log(sum of exp), and the mean and variance of numbers that come along, under the weights exp.
class LogSum {
public:
  void add(double log, double along = 0.0, double variance = 0.0) {
    if (log == -infinity)
      return;
    if (log > highest_) {
      const double smaller = std::exp(highest_ - log);
      sum_ *= smaller, first_ *= smaller, second_ *= smaller;
      highest_ = log;
    }
    const double weight = std::exp(log - highest_);
    sum_ += weight;
    first_ += weight * along;
    second_ += weight * (along * along + variance);
  }
  double value() const { return sum_ > 0 ? highest_ + std::log(sum_) : -infinity; }
  double mean() const { return sum_ > 0 ? first_ / sum_ : 0.0; }
  double variance() const {
    return sum_ > 0 ? std::max(0.0, second_ / sum_ - mean() * mean()) : 0.0;
  }

private:
  double highest_ = -infinity, sum_ = 0.0, first_ = 0.0, second_ = 0.0;
};

struct PushOfList {
  const CrucialPairs &pairs;
  double p;
  std::span<const double> scores;

  double operator()(std::size_t list, std::span<double> coefficients) const {
    const std::size_t begin = pairs.begin(list), end = pairs.end(list);
    std::fill(coefficients.begin(), coefficients.end(), 0.0);
    std::vector<double> inner(end - begin);
    LogSum outer;
    for (std::size_t worse = begin; worse < end; ++worse) {
      LogSum better_ones;
      pairs.each_better(list, worse, [&](std::size_t better) {
        better_ones.add(scores[worse] - scores[better]);
      });
      inner[worse - begin] = better_ones.value();
      outer.add(p * inner[worse - begin]);
    }
    const double total = outer.value();
    if (total == -infinity)
      return total;
    for (std::size_t worse = begin; worse < end; ++worse) {
      const double own = inner[worse - begin], pull = p * std::exp(p * own - total);
      pairs.each_better(list, worse, [&](std::size_t better) {
        const double part = pull * std::exp(scores[worse] - scores[better] - own);
        coefficients[better - begin] -= part;
        coefficients[worse - begin] += part;
      });
    }
    return total;
  }
};

} // namespace

void push_loss(const CrucialPairs &pairs, double p, std::span<const double> scores, LossOut out,
               const Threads &threads) {
  const PushOfList push{pairs, p, scores};
  in_blocks(pairs.lists(), lists_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t list = first; list < last; ++list)
      out.losses[list] = push(
          list, out.coefficients.subspan(pairs.begin(list), pairs.end(list) - pairs.begin(list)));
  });
}

void push_line(const CrucialPairs &pairs, double p, std::span<const std::int64_t> lists,
               std::span<const double> scores, std::span<const double> direction, double step,
               SlopeOut out, const Threads &threads) {
  in_blocks(lists.size(), lists_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const auto list = static_cast<std::size_t>(lists[at]);
      LogSum outer;
      for (std::size_t worse = pairs.begin(list); worse < pairs.end(list); ++worse) {
        LogSum inner;
        pairs.each_better(list, worse, [&](std::size_t better) {
          const double along = direction[worse] - direction[better];
          inner.add(scores[worse] - scores[better] + step * along, along);
        });
        outer.add(p * inner.value(), p * inner.mean(), p * inner.variance());
      }
      out.losses[at] = outer.value();
      out.first[at] = outer.mean();
      out.second[at] = outer.variance();
    }
  });
}

} // namespace runoff
