#include "runoff/pairs/pair_losses.hpp"

#include "runoff/ranking/loss_parts.hpp"

#include <algorithm>

namespace runoff::pairs {
namespace {

// The logistic losses of a list's pairs. exp(-m) is the product of one number for the better and
// one for the worse member, and a logarithm of products is taken now and then.
class LogisticPairs {
public:
  explicit LogisticPairs(std::span<const double> scores)
      : scores_(scores), up_(scores.size()), down_(scores.size()) {
    if (scores.empty())
      return;
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    const double middle = *low + (*high - *low) / 2;
    factors_ = *high - *low < widest;
    for (std::size_t i = 0; factors_ && i < scores.size(); ++i) {
      up_[i] = std::exp(scores[i] - middle);
      down_[i] = std::exp(middle - scores[i]);
    }
  }

  // Adds the loss of a pair and gives its derivative by the margin.
  double add(std::size_t better, std::size_t worse) {
    if (!factors_) {
      const ranking::Logistic loss(scores_[better] - scores_[worse]);
      total_ += loss.value;
      return loss.slope;
    }
    const double odds = up_[worse] * down_[better];
    product_ *= 1.0 + odds;
    if (product_ > large) {
      total_ += std::log(product_);
      product_ = 1.0;
    }
    return -odds / (1.0 + odds);
  }

  double total() const { return total_ + std::log(product_); }

private:
  static constexpr double widest = 500.0, large = 1e50; // exp(widest) * large is a finite number
  std::span<const double> scores_;
  std::vector<double> up_, down_;
  bool factors_ = false;
  double total_ = 0.0, product_ = 1.0;
};

// The squared hinge losses of a list's pairs.
class HingePairs {
public:
  explicit HingePairs(std::span<const double> scores) : scores_(scores) {}

  double add(std::size_t better, std::size_t worse) {
    const double missing = std::max(0.0, 1.0 - (scores_[better] - scores_[worse]));
    total_ += missing * missing;
    return -2.0 * missing;
  }

  double total() const { return total_; }

private:
  std::span<const double> scores_;
  double total_ = 0.0;
};

template <typename Losses>
void mean_over_pairs(const CrucialPairs &pairs, std::span<const double> scores,
                     ranking::LossOut out, const base::Threads &threads) {
  ranking::each_list(pairs.list_offsets(), threads,
                     [&](std::size_t list, std::size_t begin, std::size_t end) {
                       const auto members = pairs.members(list);
                       const auto own = values_of(members, scores);
                       Losses losses(own);
                       std::vector<double> slopes(members.size(), 0.0);
                       double count = 0.0;
                       for (std::size_t worse = 0; worse < members.size(); ++worse)
                         pairs.each_better(list, worse, [&](std::size_t better) {
                           const double slope = losses.add(better, worse);
                           slopes[better] += slope;
                           slopes[worse] -= slope;
                           count += 1.0;
                         });
                       const double share = count > 0 ? 1.0 / count : 0.0;
                       out.losses[list] = losses.total() * share;
                       std::fill_n(out.coefficients.begin() + static_cast<std::ptrdiff_t>(begin),
                                   end - begin, 0.0);
                       for (std::size_t i = 0; i < members.size(); ++i)
                         out.coefficients[members[i]] = slopes[i] * share;
                     });
}

} // namespace

void pair_loss(const CrucialPairs &pairs, PairLoss loss, std::span<const double> scores,
               ranking::LossOut out, const base::Threads &threads) {
  if (loss == PairLoss::logistic)
    mean_over_pairs<LogisticPairs>(pairs, scores, out, threads);
  else
    mean_over_pairs<HingePairs>(pairs, scores, out, threads);
}

void slope_loss(const CrucialPairs &pairs, std::span<const double> scores, double slope,
                double target, SlopeOut out, const base::Threads &threads) {
  ranking::each_list(pairs.list_offsets(), threads,
                     [&](std::size_t list, std::size_t, std::size_t) {
                       const auto own = values_of(pairs.members(list), scores);
                       double total = 0.0, first = 0.0, second = 0.0, count = 0.0;
                       for (std::size_t worse = 0; worse < own.size(); ++worse)
                         pairs.each_better(list, worse, [&](std::size_t better) {
                           const double m = own[better] - own[worse];
                           const ranking::Logistic loss(slope * m);
                           // -target * log p - (1 - target) * log(1 - p), where log(1 - p) = log p
                           // - slope * m
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

} // namespace runoff::pairs
