#include "runoff/boosting/boosting.hpp"

#include "runoff/boosting/log_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace runoff::boosting {
namespace {

constexpr std::size_t ahead = 8; // pairs whose features are fetched in advance

} // namespace

Booster::Booster(const PairIndex &index, Loss loss, std::span<const double> exponents,
                 double smoothing)
    : index_(index), kind_(loss), smoothing_(smoothing),
      exponents_(exponents.begin(), exponents.end()), weights_(index.pairs()),
      group_loss_(loss == Loss::logarithmic ? index.groups() : 0), w_(2 * index.ranks()),
      gains_(index.features()), sums_(index.most_sides(), 0), touched_(index.ranks() + 1),
      is_touched_(index.ranks(), 0) {
  double sum = 0.0;
  if (kind_ == Loss::exponential) {
    for (const double exponent : exponents_)
      sum += std::exp(exponent);
  } else {
    for (std::size_t group = 0; group < index_.groups(); ++group)
      sum += weigh_group(group);
  }
  recompute(base::scale_for(sum));
}

// The loss of a list; fresh_ becomes the weights of its pairs.
double Booster::weigh_group(std::size_t group) {
  const std::size_t first = index_.group_start(group), last = index_.group_start(group + 1);
  return log_loss(std::span(exponents_).subspan(first, last - first), fresh_);
}

void Booster::recompute(double scale) {
  scale_ = scale;
  total_ = loss_ = 0;
  for (std::size_t group = 0; group < index_.groups(); ++group) {
    const std::size_t first = index_.group_start(group), last = index_.group_start(group + 1);
    if (kind_ == Loss::logarithmic)
      loss_ += group_loss_[group] = units(weigh_group(group));
    for (std::size_t pair = first; pair < last; ++pair) {
      const bool exponential = kind_ == Loss::exponential;
      weights_[pair] = units(exponential ? std::exp(exponents_[pair]) : fresh_[pair - first]);
      total_ += weights_[pair];
    }
  }
  if (kind_ == Loss::exponential)
    loss_ = total_;
  for (std::size_t side = 0; side < w_.size(); ++side) {
    const auto pairs = index_.a(side);
    w_[side] = std::accumulate(
        pairs.begin(), pairs.end(), std::int64_t{0},
        [this](std::int64_t sum, std::uint32_t pair) { return sum + weights_[pair]; });
  }
  gains_.build(Gains{w_});
}

bool Booster::round(Round &done) {
  if (gains_.empty())
    return false;
  const std::size_t best = gains_.top();
  const double smooth = smoothing_ * static_cast<double>(total_);
  const double delta = 0.5 * std::log((static_cast<double>(w_[2 * best]) + smooth) /
                                      (static_cast<double>(w_[2 * best + 1]) + smooth));
  if (!(gains_.top_key() > 0.0) || delta == 0.0 || !std::isfinite(delta))
    return false;

  updates_ = 0;
  update(index_.a(2 * best), -delta);
  update(index_.a(2 * best + 1), delta);
  if (kind_ == Loss::exponential)
    loss_ = total_;

  const auto start = std::chrono::steady_clock::now();
  const std::span<const std::uint32_t> touched(touched_.data(), n_touched_);
  gains_.change(touched, Gains{w_});
  for (const auto rank : touched)
    is_touched_[rank] = false;
  n_touched_ = 0;
  search_ += std::chrono::steady_clock::now() - start;

  if (base::needs_scale(loss_, scale_))
    recompute(base::scale_for(loss()));
  done = {index_.features()[best], delta, updates_, loss()};
  return true;
}

// Adds what has been summed up by slot to the W of the group's sides.
void Booster::scatter(std::size_t group) {
  // Local copies: the compiler must assume that writing to W changes the members.
  const auto sides = index_.sides(group);
  const auto w = w_.data();
  const auto sums = sums_.data();
  const auto touched = touched_.data();
  const auto is_touched = is_touched_.data();
  std::size_t n = n_touched_;
  for (std::size_t slot = 0; slot < sides.size(); ++slot) {
    const auto change = sums[slot];
    if (change == 0)
      continue;
    sums[slot] = 0;
    const auto side = sides[slot];
    const auto rank = side >> 1;
    w[side] += change;
    touched[n] = rank; // written over by the next one if it was there before
    n += static_cast<std::size_t>(!is_touched[rank]);
    is_touched[rank] = true;
  }
  n_touched_ = n;
}

inline void Booster::change_weight(std::size_t pair, std::int64_t weight) {
  const auto change = weight - weights_[pair];
  weights_[pair] = weight;
  total_ += change;
  const auto slots = index_.b(pair);
  const auto sums = sums_.data();
  for (const auto slot : slots)
    sums[slot] += change;
  updates_ += slots.size();
}

void Booster::update(std::span<const std::uint32_t> pairs, double change) {
  for (std::size_t at = 0; at < pairs.size();) {
    const std::size_t group = index_.group(pairs[at]);
    const std::size_t first = index_.group_start(group), last = index_.group_start(group + 1);
    if (kind_ == Loss::exponential) {
      for (; at < pairs.size() && pairs[at] < last; ++at) {
        const auto pair = pairs[at];
        if (at + 2 * ahead < pairs.size())
          index_.prefetch_places(pairs[at + 2 * ahead]);
        if (at + ahead < pairs.size()) {
          const auto later = pairs[at + ahead];
          index_.prefetch(later, pairs[at + ahead - 1]);
          __builtin_prefetch(&exponents_[later], 1);
          __builtin_prefetch(&weights_[later], 1);
        }
        exponents_[pair] += change;
        change_weight(pair, units(std::exp(exponents_[pair])));
      }
    } else { // every weight of the list changes, through the denominator of q
      for (; at < pairs.size() && pairs[at] < last; ++at)
        exponents_[pairs[at]] += change;
      const auto loss = units(weigh_group(group));
      loss_ += loss - group_loss_[group];
      group_loss_[group] = loss;
      for (std::size_t pair = first; pair < last; ++pair)
        change_weight(pair, units(fresh_[pair - first]));
    }
    if (at < pairs.size())
      for (const auto side : index_.sides(index_.group(pairs[at])))
        __builtin_prefetch(&w_[side], 1);
    scatter(group);
  }
}

void Booster::replay(std::span<const std::uint32_t> features, std::span<const double> deltas,
                     double scale) {
  if (features.size() != deltas.size() || !(scale > 0.0) || !std::isfinite(scale))
    throw std::invalid_argument("the rounds to replay are broken");
  for (std::size_t at = 0; at < features.size(); ++at) {
    const auto rank = index_.rank(features[at]);
    if (rank < 0)
      throw std::invalid_argument("the rounds to replay name a feature that never differs");
    const auto side = 2 * static_cast<std::size_t>(rank);
    for (const auto pair : index_.a(side))
      exponents_[pair] -= deltas[at];
    for (const auto pair : index_.a(side + 1))
      exponents_[pair] += deltas[at];
  }
  recompute(scale);
}

DevCurve::DevCurve(const ranking::Problem &problem, const ranking::FeatureIndex &index,
                   std::span<const double> statistics, std::size_t width, double logprob_weight)
    : problem_(problem), index_(index), list_of_(problem.candidates()),
      scores_(problem.candidates()), picks_(problem.lists()), statistics_(statistics.size()),
      scales_(width), sums_(width) {
  std::vector<double> most(width), highest(width);
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    std::ranges::fill(highest, 0.0);
    for (auto j = static_cast<std::size_t>(problem.list_offsets[i]);
         j < static_cast<std::size_t>(problem.list_offsets[i + 1]); ++j) {
      list_of_[j] = static_cast<std::uint32_t>(i);
      scores_[j] = logprob_weight * problem.logprobs[j];
      for (std::size_t k = 0; k < width; ++k)
        highest[k] = std::max(highest[k], std::abs(statistics[j * width + k]));
    }
    for (std::size_t k = 0; k < width; ++k)
      most[k] += highest[k];
  }
  for (std::size_t k = 0; k < width; ++k)
    scales_[k] = base::scale_for(most[k]);
  for (std::size_t at = 0; at < statistics.size(); ++at)
    statistics_[at] =
        static_cast<std::int64_t>(std::floor(statistics[at] * scales_[at % width] + 0.5));
  for (std::size_t i = 0; i < problem.lists(); ++i) {
    picks_[i] = pick(i);
    if (problem.list_offsets[i] < problem.list_offsets[i + 1])
      count(picks_[i], 1);
  }
}

void DevCurve::count(std::size_t candidate, std::int64_t sign) {
  for (std::size_t k = 0; k < sums_.size(); ++k)
    sums_[k] += sign * statistics_[candidate * sums_.size() + k];
}

void DevCurve::write_totals(std::span<double> out) const {
  for (std::size_t k = 0; k < sums_.size(); ++k)
    out[k] = static_cast<double>(sums_[k]) / scales_[k];
}

std::size_t DevCurve::pick(std::size_t list) const {
  const auto first = static_cast<std::size_t>(problem_.list_offsets[list]);
  const auto last = static_cast<std::size_t>(problem_.list_offsets[list + 1]);
  std::size_t best = first;
  for (std::size_t j = first + 1; j < last; ++j)
    if (scores_[j] > scores_[best] ||
        (scores_[j] == scores_[best] && problem_.logprobs[j] > problem_.logprobs[best]))
      best = j;
  return best;
}

void DevCurve::add(std::uint32_t feature, double delta) {
  for (const auto column : index_.row(feature))
    add(index_.column(column), delta);
}

void DevCurve::add(std::span<const std::uint32_t> candidates, double delta) {
  for (std::size_t at = 0; at < candidates.size();) {
    const std::size_t list = list_of_[candidates[at]], before = picks_[list];
    for (; at < candidates.size() && list_of_[candidates[at]] == list; ++at)
      scores_[candidates[at]] += delta;
    picks_[list] = pick(list);
    if (picks_[list] != before) {
      count(before, -1);
      count(picks_[list], 1);
    }
  }
}

} // namespace runoff::boosting
