#include "runoff/pairs/push.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>

namespace runoff::pairs {
namespace {

constexpr std::size_t lists_per_block = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The better ones of a worse member, each with the weight exp(low - score): the sum of weights and
// of weighted numbers that come along.
struct Sums {
  double low = 0.0, weights = 0.0, first = 0.0, second = 0.0;

  double mean() const { return first / weights; }
  double variance() const { return std::max(0.0, second / weights - mean() * mean()); }
};

// The members of one list. Where their scores lie close enough, weights are computed once for all
// worse members; else every one has its own reference, the lowest score among its better ones.
class Members {
public:
  Members(const CrucialPairs &pairs, std::size_t list, std::span<const double> all_scores)
      : scores(values_of(pairs.members(list), all_scores)), pairs_(pairs), list_(list) {
    if (scores.empty())
      return;
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    low_ = *low;
    if (*high - low_ < widest)
      for (const double score : scores)
        weights_.push_back(std::exp(low_ - score));
  }

  Sums sums(std::size_t worse, std::span<const double> along) const {
    Sums sums{reference(worse)};
    pairs_.each_better(list_, worse, [&](std::size_t better) {
      const double w = weight(better, sums.low);
      sums.weights += w;
      sums.first += w * along[better];
      sums.second += w * along[better] * along[better];
    });
    return sums;
  }

  // log(sum over better ones of exp(score of the worse - score of the better)).
  double log_sum(std::size_t worse, const Sums &sums) const {
    return sums.weights > 0 ? scores[worse] - sums.low + std::log(sums.weights) : -infinity;
  }

  double weight(std::size_t better, double low) const {
    return weights_.empty() ? std::exp(low - scores[better]) : weights_[better];
  }

  const std::vector<double> scores;

private:
  double reference(std::size_t worse) const {
    if (!weights_.empty())
      return low_;
    double low = infinity;
    pairs_.each_better(list_, worse,
                       [&](std::size_t better) { low = std::min(low, scores[better]); });
    return low;
  }

  static constexpr double widest = 500.0;
  const CrucialPairs &pairs_;
  std::size_t list_;
  double low_ = 0.0;
  std::vector<double> weights_;
};

double log_sum_exp(std::span<const double> logs) {
  const double highest = logs.empty() ? -infinity : *std::max_element(logs.begin(), logs.end());
  if (highest == -infinity)
    return highest;
  double sum = 0.0;
  for (const double log : logs)
    sum += std::exp(log - highest);
  return highest + std::log(sum);
}

struct PushOfList {
  const CrucialPairs &pairs;
  double p;
  std::size_t list;

  double with_derivatives(std::span<const double> scores, std::span<double> coefficients) const {
    const Members members(pairs, list, scores);
    const std::size_t n = members.scores.size();
    std::vector<Sums> sums(n);
    std::vector<double> logs(n), own(n, 0.0);
    for (std::size_t worse = 0; worse < n; ++worse) {
      sums[worse] = members.sums(worse, own);
      logs[worse] = p * members.log_sum(worse, sums[worse]);
    }
    const double total = log_sum_exp(logs);
    for (std::size_t worse = 0; worse < n; ++worse) {
      const double pull = logs[worse] > -infinity ? p * std::exp(logs[worse] - total) : 0.0;
      const double share = pull > 0 ? pull / sums[worse].weights : 0.0;
      pairs.each_better(list, worse, [&](std::size_t better) {
        own[better] -= share * members.weight(better, sums[worse].low);
      });
      own[worse] += pull;
    }
    for (std::size_t i = 0; i < n; ++i)
      coefficients[pairs.members(list)[i]] = own[i];
    return total;
  }

  // Value, first and second derivative by the step, all of the logarithm.
  struct Line {
    double value, first, second;
  };
  Line on_line(std::span<const double> scores, std::span<const double> direction) const {
    const Members members(pairs, list, scores);
    const auto along = values_of(pairs.members(list), direction);
    const std::size_t n = along.size();
    std::vector<double> logs(n), first(n, 0.0), second(n, 0.0);
    for (std::size_t worse = 0; worse < n; ++worse) {
      const Sums sums = members.sums(worse, along);
      logs[worse] = p * members.log_sum(worse, sums);
      if (sums.weights > 0) {
        first[worse] = p * (along[worse] - sums.mean());
        second[worse] = p * sums.variance();
      }
    }
    Line line{log_sum_exp(logs), 0.0, 0.0};
    for (std::size_t worse = 0; worse < n && line.value > -infinity; ++worse) {
      const double share = std::exp(logs[worse] - line.value);
      line.first += share * first[worse];
      line.second += share * (second[worse] + first[worse] * first[worse]);
    }
    line.second = std::max(0.0, line.second - line.first * line.first);
    return line;
  }
};

} // namespace

void push_loss(const CrucialPairs &pairs, double p, std::span<const double> scores,
               ranking::LossOut out, const base::Threads &threads) {
  std::fill(out.coefficients.begin(), out.coefficients.end(), 0.0);
  base::in_blocks(
      pairs.lists(), lists_per_block, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t list = first; list < last; ++list)
          out.losses[list] = PushOfList{pairs, p, list}.with_derivatives(scores, out.coefficients);
      });
}

void push_line(const CrucialPairs &pairs, double p, std::span<const std::int64_t> lists,
               std::span<const double> scores, std::span<const double> direction, SlopeOut out,
               const base::Threads &threads) {
  base::in_blocks(lists.size(), lists_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const PushOfList push{pairs, p, static_cast<std::size_t>(lists[at])};
      const auto line = push.on_line(scores, direction);
      out.losses[at] = line.value;
      out.first[at] = line.first;
      out.second[at] = line.second;
    }
  });
}

} // namespace runoff::pairs
