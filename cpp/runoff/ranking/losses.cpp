#include "runoff/ranking/losses.hpp"

#include "runoff/ranking/loss_parts.hpp"

#include <algorithm>
#include <limits>

namespace runoff::ranking {

void log_loss(std::span<const std::int64_t> list_offsets, std::span<const double> targets,
              std::span<const double> scores, LossOut out, const base::Threads &threads) {
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
                 std::span<const double> scores, LossOut out, const base::Threads &threads) {
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

} // namespace runoff::ranking
