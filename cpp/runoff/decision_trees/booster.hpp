// Boosting of l1-regularised decision trees (Turian & Melamed 2006, A Listing 1, W Listing 1).
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/decision_trees/atoms.hpp"
#include "runoff/decision_trees/cached_rows.hpp"
#include "runoff/decision_trees/ensemble.hpp"
#include "runoff/decision_trees/grower.hpp"
#include "runoff/decision_trees/scored_examples.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace runoff::decision_trees {

// Weighted examples, in columns.
struct Examples {
  std::span<const std::uint64_t> pointers;
  std::span<const std::int8_t> y; // 1 or -1
  std::span<const float> bias;    // not negative
};

struct BoosterOptions {
  std::size_t n_atoms;
  std::size_t sample; // examples that a tree is grown on, at most
  std::uint64_t seed;
  double split_gain = 0.0;    // what a split must gain at least, in shares of lambda
  std::size_t per_sample = 1; // trees that are grown on a sample, at most
  std::size_t cache = 0;      // bytes for the atoms of all examples, if they need no more
};

// Adds trees that lower the sum over examples of b ln(1 + exp(-y h)) plus lambda times the sum of
// the sizes of all values of leaves. h is kept for each example; an example takes 33 bytes with
// what is given, and 4 for each tree of a sample while it is added. Where the atoms of all examples
// are held, nothing is extracted twice, and examples go down a tree by the columns of its atoms.
//
// Samples are named by the seed and the number of the tree. Where several trees are grown on a
// sample, each is grown after the values that those before it would have for the sample alone; then
// all examples go down all of them at once, and the values are found again, on all examples, tree
// by tree (W 5).
class Booster {
public:
  // The steps of an iteration (W Table 2).
  enum Step { sampling, extraction, building, percolation, updates, n_steps };

  // start: h before the first tree, or nothing for 0. Throws std::invalid_argument for columns of
  // different lengths, a y that is not 1 or -1, a bias that is negative or not finite. The source
  // and the memory of the examples outlive the booster.
  Booster(const AtomSource &source, const Examples &examples, std::span<const double> start,
          const BoosterOptions &options);

  // The largest lambda that lets the root be split: any lambda below it does. 0 where none does. It
  // is that of the sample, if there is one.
  double first_lambda(const base::Threads &threads);

  // Adds the trees of a sample for this lambda; false, and nothing changes, if it has converged: if
  // the root cannot be split, or the leaves of no tree gain more than a hundredth of lambda, all
  // examples counted.
  bool grow(double lambda, const base::Threads &threads);

  const Ensemble &ensemble() const { return ensemble_; }
  std::span<const double> h() const { return scored_.h(); }
  double lost() const { return lost_; }          // the share of weight outside the last sample
  double loss() const { return scored_.loss(); } // without the penalty
  std::span<const double, n_steps> seconds() const { return seconds_; } // of CPU time, by step

  // Goes to the state after these trees. h is what `h()` was then, or nothing to find it again by
  // walking the trees.
  void restore(Ensemble ensemble, std::span<const double> h, const base::Threads &threads);

private:
  using Leaves = std::vector<std::vector<std::uint32_t>>; // trees: the leaf of each example

  bool is_sample() const { return options_.sample < scored_.size(); }
  void hold(const base::Threads &threads);
  void draw(const base::Threads &threads);
  std::vector<Grown> grown(double lambda, const base::Threads &threads);
  Leaves percolate(std::span<const Grown> grown, const base::Threads &threads) const;
  void walk_all(std::span<const Grown> grown, Leaves &leaves, const base::Threads &threads) const;

  const AtomSource &source_;
  const std::span<const std::uint64_t> pointers_;
  const BoosterOptions options_;
  ScoredExamples scored_;
  Ensemble ensemble_;
  std::vector<std::uint32_t> sampled_;  // examples, rising
  std::vector<std::int64_t> estimates_; // of the weights of rows; 0 outside the sample
  CachedRows rows_, all_;               // of the sample, and of all examples, if they are held
  bool holds_all_ = false, is_new_ = true;
  std::unique_ptr<Grower> grower_; // for the sample of the next tree, once it is drawn
  double lost_ = 0.0;
  std::array<double, n_steps> seconds_{};
};

} // namespace runoff::decision_trees
