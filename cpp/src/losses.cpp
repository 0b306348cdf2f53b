#include "runoff/losses.hpp"

#include "runoff/parallel.hpp"

#include <algorithm>

namespace runoff {
namespace {

constexpr std::size_t lists_per_block = 16;

// Calls one(list, begin, end) for every list, with its candidates.
template <typename One>
void each_list(std::span<const std::int64_t> offsets, const Threads &threads, const One &one) {
  in_blocks(offsets.size() - 1, lists_per_block, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t list = first; list < last; ++list)
      one(list, static_cast<std::size_t>(offsets[list]),
          static_cast<std::size_t>(offsets[list + 1]));
  });
}

// log(1 + exp(-m)) and its derivatives, safe for any m.
struct Logistic {
  double value, slope, curvature;

  explicit Logistic(double m) {
    const double e = std::exp(-std::fabs(m)), wrong = (m < 0 ? 1.0 : e) / (1.0 + e);
    value = std::log1p(e) + (m < 0 ? -m : 0.0);
    slope = -wrong;
    curvature = wrong * (1.0 - wrong);
  }
};

struct SquaredHinge {
  double value, slope;

  explicit SquaredHinge(double m) {
    const double missing = std::max(0.0, 1.0 - m);
    value = missing * missing;
    slope = -2.0 * missing;
  }
};

template <typename Loss>
void mean_over_pairs(const CrucialPairs &pairs, std::span<const double> scores, LossOut out,
                     const Threads &threads) {
  each_list(pairs.list_offsets, threads, [&](std::size_t list, std::size_t begin, std::size_t end) {
    const auto own = out.coefficients.subspan(begin, end - begin);
    std::fill(own.begin(), own.end(), 0.0);
    double total = 0.0, count = 0.0;
    for (std::size_t worse = begin; worse < end; ++worse)
      pairs.each_better(list, worse, [&](std::size_t better) {
        const Loss loss(scores[better] - scores[worse]);
        total += loss.value;
        count += 1.0;
        own[better - begin] += loss.slope;
        own[worse - begin] -= loss.slope;
      });
    out.losses[list] = count > 0 ? total / count : 0.0;
    if (count > 0)
      for (auto &coefficient : own)
        coefficient /= count;
  });
}

} // namespace

void log_loss(std::span<const std::int64_t> list_offsets, std::span<const double> targets,
              std::span<const double> scores, LossOut out, const Threads &threads) {
  each_list(list_offsets, threads, [&](std::size_t list, std::size_t begin, std::size_t end) {
    double highest = -std::numeric_limits<double>::infinity(), sum = 0.0, loss = 0.0;
    for (std::size_t j = begin; j < end; ++j)
      if (targets[j] >= 0)
        highest = std::max(highest, scores[j]);
    for (std::size_t j = begin; j < end; ++j) {
      out.coefficients[j] = targets[j] >= 0 ? std::exp(scores[j] - highest) : 0.0;
      sum += out.coefficients[j];
    }
    for (std::size_t j = begin; j < end; ++j)
      if (targets[j] >= 0) {
        out.coefficients[j] = out.coefficients[j] / sum - targets[j];
        loss -= targets[j] * (scores[j] - highest);
      }
    out.losses[list] = sum > 0 ? loss + std::log(sum) : 0.0;
  });
}

void sample_loss(std::span<const std::int64_t> list_offsets, std::span<const double> signs,
                 std::span<const double> scores, LossOut out, const Threads &threads) {
  each_list(list_offsets, threads, [&](std::size_t list, std::size_t begin, std::size_t end) {
    double total = 0.0, count = 0.0;
    for (std::size_t j = begin; j < end; ++j)
      count += signs[j] != 0 ? 1.0 : 0.0;
    for (std::size_t j = begin; j < end; ++j) {
      const Logistic loss(signs[j] * scores[j]);
      total += signs[j] != 0 ? loss.value : 0.0;
      out.coefficients[j] = signs[j] != 0 ? signs[j] * loss.slope / count : 0.0;
    }
    out.losses[list] = count > 0 ? total / count : 0.0;
  });
}

void pair_loss(const CrucialPairs &pairs, PairLoss loss, std::span<const double> scores,
               LossOut out, const Threads &threads) {
  if (loss == PairLoss::logistic)
    mean_over_pairs<Logistic>(pairs, scores, out, threads);
  else
    mean_over_pairs<SquaredHinge>(pairs, scores, out, threads);
}

void slope_loss(const CrucialPairs &pairs, std::span<const double> scores, double slope,
                double target, SlopeOut out, const Threads &threads) {
  each_list(pairs.list_offsets, threads, [&](std::size_t list, std::size_t begin, std::size_t end) {
    double total = 0.0, first = 0.0, second = 0.0, count = 0.0;
    for (std::size_t worse = begin; worse < end; ++worse)
      pairs.each_better(list, worse, [&](std::size_t better) {
        const double m = scores[better] - scores[worse];
        const Logistic loss(slope * m);
        // -target * log p - (1 - target) * log(1 - p), where log(1 - p) = log p - slope * m
        total += loss.value + (1.0 - target) * slope * m;
        first += (loss.slope + (1.0 - target)) * m;
        second += loss.curvature * m * m;
        count += 1.0;
      });
    const double share = count > 0 ? 1.0 / count : 0.0;
    out.losses[list] = total * share;
    out.first[list] = first * share;
    out.second[list] = second * share;
  });
}

} // namespace runoff
