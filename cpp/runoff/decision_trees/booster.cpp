#include "runoff/decision_trees/booster.hpp"

#include "runoff/base/parallel.hpp"
#include "runoff/decision_trees/leaf_value.hpp"
#include "runoff/decision_trees/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace runoff::decision_trees {
namespace {

constexpr std::size_t examples_per_block = 1 << 12;

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// Adds the time until it ends to a sum.
class Watch {
public:
  explicit Watch(double &seconds) : seconds_(seconds), began_(clock::now()) {}
  ~Watch() { seconds_ += std::chrono::duration<double>(clock::now() - began_).count(); }
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

private:
  using clock = std::chrono::steady_clock;
  double &seconds_;
  const clock::time_point began_;
};

// A power of two that gives all biases together 52 bits: a double holds every sum of weights.
double scale_of(const Examples &examples) {
  double total = 0.0;
  for (std::size_t i = 0; i < examples.bias.size(); ++i) {
    require(examples.y[i] == 1 || examples.y[i] == -1, "y must be 1 or -1");
    require(examples.bias[i] >= 0.0F && std::isfinite(examples.bias[i]),
            "bias must be finite and not negative");
    total += static_cast<double>(examples.bias[i]);
  }
  return total > 0.0 ? std::exp2(51 - std::ilogb(total)) : 1.0;
}

std::size_t same_length(const Examples &examples) {
  const auto n = examples.pointers.size();
  require(examples.y.size() == n && examples.bias.size() == n, "columns differ in length");
  require(n < none, "there are too many examples");
  return n;
}

} // namespace

Booster::Booster(const AtomSource &source, const Examples &examples, std::span<const double> start,
                 const BoosterOptions &options)
    : source_(source), examples_(examples), options_(options), h_(same_length(examples), 0.0),
      weights_(h_.size()) {
  scale_ = scale_of(examples);
  require(options.sample > 0, "a sample must have examples");
  require(options.split_gain >= 0.0 && options.split_gain <= 1e3,
          "split_gain must lie between 0 and 1000");
  require(options.n_atoms < none, "there are too many atoms");
  if (!start.empty()) {
    require(start.size() == h_.size(), "start must have one entry per example");
    for (const double h : start)
      require(std::isfinite(h), "start must be finite");
    std::copy(start.begin(), start.end(), h_.begin());
  }
  weigh({});
}

void Booster::weigh(const base::Threads &threads) {
  base::in_blocks(h_.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      weights_[i] = weight_units(odds_of(examples_.y[i] * h_[i]), examples_.bias[i], scale_);
  });
}

void Booster::draw(const base::Threads &threads) {
  if (grower_)
    return;
  std::vector<std::int64_t> weights;
  {
    const Watch watch(seconds_[sampling]);
    if (h_.size() <= options_.sample) { // always the same rows, also those without weight
      sampled_.resize(h_.size());
      std::iota(sampled_.begin(), sampled_.end(), 0U);
      weights = weights_;
    } else {
      auto sample =
          priority_sample(weights_, options_.sample, {options_.seed, ensemble_.trees()}, threads);
      sampled_ = std::move(sample.examples);
      weights = std::move(sample.weights);
      lost_ = sample.lost;
    }
    for (std::size_t row = 0; row < weights.size(); ++row)
      weights[row] *= examples_.y[sampled_[row]];
  }
  {
    const Watch watch(seconds_[extraction]);
    rows_.take(source_, examples_.pointers, sampled_, options_.n_atoms, threads);
  }
  const Watch watch(seconds_[building]);
  grower_ = std::make_unique<Grower>(rows_, std::move(weights), threads);
}

double Booster::first_lambda(const base::Threads &threads) {
  draw(threads);
  const auto &root = grower_->root();
  return root ? static_cast<double>(root->largest_lambda()) / scale_ : 0.0;
}

std::int64_t Booster::units_of(double lambda) const {
  require(lambda > 0.0 && std::isfinite(lambda), "lambda must be positive");
  constexpr double most = 0x1p60;
  return std::max<std::int64_t>(1,
                                static_cast<std::int64_t>(std::min(lambda * scale_, most) + 0.5));
}

bool Booster::grow(double lambda, const base::Threads &threads) {
  const auto units = units_of(lambda);
  draw(threads);
  if (!grower_->root() || grower_->root()->largest_lambda() <= units)
    return false;
  Grown grown;
  {
    const Watch watch(seconds_[building]);
    const auto least = static_cast<std::int64_t>(options_.split_gain * static_cast<double>(units));
    grown = grower_->grow(units, least, threads.poll);
  }
  if (grown.tree.size() == 1)
    return false;
  std::vector<std::uint32_t> leaves;
  {
    const Watch watch(seconds_[percolation]);
    leaves = percolate(grown, threads);
  }
  const Watch watch(seconds_[updates]);
  if (!update(grown.tree, leaves, units, threads))
    return false;
  ensemble_.append(grown.tree);
  grower_.reset();
  return true;
}

std::vector<std::uint32_t> Booster::percolate(const Grown &grown,
                                              const base::Threads &threads) const {
  if (sampled_.size() == h_.size())
    return grown.leaf;
  std::vector<std::uint32_t> leaves(h_.size(), none);
  for (std::size_t row = 0; row < sampled_.size(); ++row)
    leaves[sampled_[row]] = grown.leaf[row];
  const bool by_tests = source_.extraction_cost() > grown.tree.size();
  base::in_blocks(h_.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<bool> present(by_tests ? 0 : options_.n_atoms);
    std::vector<Atom> atoms;
    for (std::size_t i = begin; i < end; ++i) {
      if (leaves[i] != none)
        continue;
      const auto pointer = examples_.pointers[i];
      if (by_tests) {
        leaves[i] = leaf_of(grown.tree, [&](Atom atom) { return source_.test(pointer, atom); });
        continue;
      }
      source_.extract(pointer, atoms);
      check_atoms(atoms, present.size());
      for (const auto atom : atoms)
        present[atom] = true;
      leaves[i] = leaf_of(grown.tree, [&](Atom atom) { return present[atom]; });
      for (const auto atom : atoms)
        present[atom] = false;
    }
  });
  return leaves;
}

std::vector<std::int64_t> Booster::leaf_sums(std::size_t nodes,
                                             std::span<const std::uint32_t> leaves,
                                             const base::Threads &threads) const {
  std::vector<std::int64_t> sums(nodes, 0);
  std::mutex mutex;
  base::in_blocks(
      leaves.size(), 16 * examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
        std::vector<std::int64_t> own(nodes, 0);
        for (std::size_t i = begin; i < end; ++i)
          own[leaves[i]] += examples_.y[i] * weights_[i];
        const std::lock_guard lock(mutex);
        std::transform(own.begin(), own.end(), sums.begin(), sums.begin(), std::plus<>());
      });
  return sums;
}

bool Booster::update(Tree &tree, std::span<const std::uint32_t> leaves, std::int64_t lambda,
                     const base::Threads &threads) {
  const auto sums = leaf_sums(tree.size(), leaves, threads);
  std::int64_t gained = 0;
  for (const auto sum : sums)
    gained += gain(sum, lambda);
  if (static_cast<double>(gained) <= enough * static_cast<double>(lambda))
    return false;
  std::vector<std::vector<std::uint32_t>> members(tree.size());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (gain(sums[leaves[i]], lambda) > 0)
      members[leaves[i]].push_back(static_cast<std::uint32_t>(i));
  for (std::size_t node = 0; node < tree.size(); ++node)
    if (!members[node].empty())
      tree[node].value = value_of(members[node], lambda, threads);
  // From here on nothing is polled, so that an interrupt leaves all of a tree or nothing.
  for (std::size_t node = 0; node < tree.size(); ++node)
    raise(members[node], tree[node].value, {threads.count});
  return true;
}

double Booster::value_of(std::span<const std::uint32_t> examples, std::int64_t lambda,
                         const base::Threads &threads) const {
  const std::size_t n = examples.size();
  std::vector<double> odds(n);
  std::vector<std::int8_t> y(n);
  std::vector<float> bias(n);
  base::in_blocks(n, examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const auto i = examples[at];
      odds[at] = odds_of(examples_.y[i] * h_[i]);
      y[at] = examples_.y[i];
      bias[at] = examples_.bias[i];
    }
  });
  return leaf_value({odds, y, bias, scale_}, lambda, threads);
}

void Booster::raise(std::span<const std::uint32_t> examples, double value,
                    const base::Threads &threads) {
  base::in_blocks(
      examples.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end; ++at) {
          const auto i = examples[at];
          h_[i] += value;
          weights_[i] = weight_units(odds_of(examples_.y[i] * h_[i]), examples_.bias[i], scale_);
        }
      });
}

double Booster::loss() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < h_.size(); ++i)
    sum +=
        static_cast<double>(examples_.bias[i]) * std::log1p(1.0 / odds_of(examples_.y[i] * h_[i]));
  return sum;
}

void Booster::restore(Ensemble ensemble, std::span<const double> h, const base::Threads &threads) {
  require(h.empty() || h.size() == h_.size(), "h must have one entry per example");
  require(ensemble_.trees() == 0, "trees are restored before any is grown");
  ensemble_ = std::move(ensemble);
  if (!h.empty())
    std::copy(h.begin(), h.end(), h_.begin());
  else
    base::in_blocks(h_.size(), examples_per_block, threads,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        for (std::size_t number = 0; number < ensemble_.trees(); ++number) {
                          const auto tree = ensemble_.tree(number);
                          h_[i] += tree[leaf_of(tree, [&](Atom atom) {
                                     return source_.test(examples_.pointers[i], atom);
                                   })].value;
                        }
                    });
  weigh(threads);
  grower_.reset();
}

} // namespace runoff::decision_trees
