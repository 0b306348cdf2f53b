// Boosting on ExpLoss and LogLoss (Collins & Koo 2005, Figure 4 and appendix B).
#pragma once

#include "runoff/base/fixed_point.hpp"
#include "runoff/base/max_tree.hpp"
#include "runoff/boosting/pair_index.hpp"
#include "runoff/ranking/feature_index.hpp"

#include <chrono>
#include <cmath>
#include <vector>

namespace runoff::boosting {

enum class Loss {
  exponential, // sum over pairs of S exp(-M), section 4.2.3
  logarithmic, // sum over lists of log(1 + sum of exp(-M)), equation 9
};

// What one round did.
struct Round {
  std::uint32_t feature;
  double delta;          // added to the feature's weight
  std::uint64_t updates; // C_t: how many times a W changed
  double loss;           // afterwards
};

// G of section 4.4, of every feature, in the units of W.
struct Gains {
  std::span<const std::int64_t> w; // sides

  double operator()(std::size_t rank) const {
    return std::abs(std::sqrt(static_cast<double>(w[2 * rank])) -
                    std::sqrt(static_cast<double>(w[2 * rank + 1])));
  }
  [[gnu::always_inline]] void prefetch(std::size_t rank) const { __builtin_prefetch(&w[2 * rank]); }
  // Without square roots, by (sqrt a - sqrt b)^2 <= (a - b)^2 / (a + b).
  bool is_below(std::size_t rank, double gain) const {
    const auto plus = static_cast<double>(w[2 * rank]);
    const auto minus = static_cast<double>(w[2 * rank + 1]);
    constexpr double rounding = 1 - 1e-12;
    return (plus - minus) * (plus - minus) < rounding * gain * gain * (plus + minus);
  }
};

// The sums W that rounds keep up to date.
//
// Weights of pairs are kept as whole multiples of 1 / scale, so that W and Z are sums of 64-bit
// integers and therefore exact: they never drift, they do not depend on the order of the additions,
// and features whose sums are equal on paper are equal here, so ties really go to the lowest id.
// The scale leaves 60 bits for the whole loss. It is chosen anew, in one pass over the data,
// whenever the loss has shrunk so far that fewer than 52 bits are in use.
class Booster {
public:
  // exponents: log S - M of every pair (0 for S under log-loss) at the start. The index and the
  // exponents' owner outlive the booster.
  Booster(const PairIndex &index, Loss loss, std::span<const double> exponents, double smoothing);

  // One round; false if no feature has anything to gain, and then nothing changes.
  bool round(Round &done);

  // Goes to the state after rounds that were done before: cheap, since W is made once at the end.
  void replay(std::span<const std::uint32_t> features, std::span<const double> deltas,
              double scale);

  double scale() const { return scale_; }
  double loss() const { return static_cast<double>(loss_) / scale_; }
  double total() const { return static_cast<double>(total_) / scale_; } // Z
  double w(std::size_t side) const { return static_cast<double>(w_[side]) / scale_; }
  std::span<const double> exponents() const { return exponents_; }
  const PairIndex &index() const { return index_; }
  double search_seconds() const { return search_.count(); } // spent on finding the best feature

private:
  void recompute(double scale); // weights, sums and gains, from the exponents
  void update(std::span<const std::uint32_t> pairs, double change);
  double weigh_group(std::size_t group);
  void change_weight(std::size_t pair, std::int64_t weight);
  void scatter(std::size_t group);
  std::int64_t units(double weight) const { return base::in_units(weight, scale_); }

  const PairIndex &index_;
  const Loss kind_;
  const double smoothing_;
  double scale_ = 1.0;
  std::vector<double> exponents_;        // pairs: log S - M
  std::vector<std::int64_t> weights_;    // pairs: in units of 1 / scale_
  std::vector<std::int64_t> group_loss_; // log-loss only: of each list, in the same units
  std::vector<std::int64_t> w_;          // sides
  std::int64_t total_ = 0;               // sum of the weights
  std::int64_t loss_ = 0;
  base::MaxTree gains_;
  std::vector<std::int64_t> sums_;     // changes of one group, by slot
  std::vector<std::uint32_t> touched_; // ranks whose W has changed in this round
  std::vector<std::uint8_t> is_touched_;
  std::vector<double> fresh_; // room for the weights of one list
  std::size_t n_touched_ = 0;
  std::uint64_t updates_ = 0;
  std::chrono::duration<double> search_{0};
};

// The summed statistics of what is picked from development lists, kept up to date round by round.
class DevCurve {
public:
  // statistics: `width` numbers of each candidate, candidate by candidate. The problem's memory and
  // the index outlive the curve. Features are present or absent.
  DevCurve(const ranking::Problem &problem, const ranking::FeatureIndex &index,
           std::span<const double> statistics, std::size_t width, double logprob_weight);

  // Adds delta to the weight of a feature; time is linear in the candidates of the lists where it
  // occurs.
  void add(std::uint32_t feature, double delta);

  // Adds delta to the scores of some candidates, list by list.
  void add(std::span<const std::uint32_t> candidates, double delta);

  std::size_t candidates() const { return scores_.size(); }
  std::size_t features() const { return index_.rows() - 1; }
  std::size_t width() const { return sums_.size(); }
  void write_totals(std::span<double> out) const; // width

private:
  std::size_t pick(std::size_t list) const;
  void count(std::size_t candidate, std::int64_t sign); // adds or takes away its statistics

  const ranking::Problem problem_;
  const ranking::FeatureIndex &index_;
  std::vector<std::uint32_t> list_of_; // candidates
  std::vector<double> scores_;
  std::vector<std::size_t> picks_;
  // In units of 1 / scale of their column, so that sums are exact whatever their order.
  std::vector<std::int64_t> statistics_; // candidates x width
  std::vector<double> scales_;           // width
  std::vector<std::int64_t> sums_;       // width
};

} // namespace runoff::boosting
