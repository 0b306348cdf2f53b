#include "runoff/decision_trees/booster.hpp"

#include "runoff/base/parallel.hpp"
#include "runoff/decision_trees/sampling.hpp"

#include <algorithm>
#include <ctime>
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

// Adds the CPU time of the process until it ends to a sum.
class Watch {
public:
  explicit Watch(double &seconds) : seconds_(seconds), began_(std::clock()) {}
  ~Watch() { seconds_ += static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC; }
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

private:
  double &seconds_;
  const std::clock_t began_;
};

std::vector<std::int64_t> with_signs(std::span<const std::int64_t> weights,
                                     std::span<const std::int8_t> y) {
  std::vector<std::int64_t> made(weights.size());
  std::transform(weights.begin(), weights.end(), y.begin(), made.begin(),
                 [](std::int64_t weight, std::int8_t sign) { return sign * weight; });
  return made;
}

// The rows of a sample as a training set of their own: biases make up for examples left out.
struct RowColumns {
  std::vector<std::int8_t> y;
  std::vector<float> bias;
  std::vector<double> h;

  RowColumns(const ScoredExamples &all, std::span<const std::uint32_t> examples,
             std::span<const std::int64_t> estimates) {
    for (std::size_t row = 0; row < examples.size(); ++row) {
      const auto i = examples[row];
      y.push_back(all.y()[i]);
      h.push_back(all.h()[i]);
      const auto weight = static_cast<double>(std::max<std::int64_t>(1, all.weights()[i]));
      const auto share = static_cast<double>(estimates[row]) / weight;
      bias.push_back(all.bias()[i] * static_cast<float>(share));
    }
  }
};

std::vector<std::uint32_t> numbers_below(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

// About how many bytes the rows and columns of all examples take.
double size_of_all(const AtomSource &source, std::span<const std::uint64_t> pointers) {
  constexpr std::size_t looked_at = 1000;
  const auto step = std::max<std::size_t>(1, pointers.size() / looked_at);
  std::vector<Atom> atoms;
  double found = 0.0;
  for (std::size_t i = 0; i < pointers.size(); i += step) {
    source.extract(pointers[i], atoms);
    found += static_cast<double>(atoms.size());
  }
  return found * static_cast<double>(step) * 2 * sizeof(Atom);
}

// The leaf of every row. Rows move to the other side of a node if they have its atom. A node and
// the side without its atom, which follows it, share a number, so that no other row is touched.
std::vector<std::uint32_t> leaves_by_columns(const Tree &tree, const CachedRows &rows) {
  std::vector<std::uint32_t> chains(rows.size(), 0), chain_of(tree.size()), leaf(tree.size());
  for (std::uint32_t at = 0; at < tree.size(); ++at) {
    if (tree[at].is_leaf()) {
      leaf[chain_of[at]] = at;
      continue;
    }
    chain_of[at + 1] = chain_of[at];
    chain_of[tree[at].yes] = tree[at].yes;
    for (const auto row : rows.column(tree[at].atom))
      if (chains[row] == chain_of[at])
        chains[row] = tree[at].yes;
  }
  for (auto &chain : chains)
    chain = leaf[chain];
  return chains;
}

} // namespace

Booster::Booster(const AtomSource &source, const Examples &examples, std::span<const double> start,
                 const BoosterOptions &options)
    : source_(source), pointers_(examples.pointers), options_(options),
      scored_(examples.y, examples.bias, start) {
  require(pointers_.size() == scored_.size(), "columns differ in length");
  require(options.sample > 0, "a sample must have examples");
  require(options.per_sample > 0, "a sample must have trees");
  require(options.split_gain >= 0.0 && options.split_gain <= 1e3,
          "split_gain must lie between 0 and 1000");
  require(options.n_atoms < none, "there are too many atoms");
}

void Booster::hold(const base::Threads &threads) {
  if (!std::exchange(is_new_, false) ||
      (is_sample() && (options_.cache == 0 ||
                       size_of_all(source_, pointers_) > static_cast<double>(options_.cache))))
    return;
  const Watch watch(seconds_[extraction]);
  rows_.take(source_, pointers_, numbers_below(scored_.size()), options_.n_atoms, threads);
  holds_all_ = true;
}

void Booster::draw(const base::Threads &threads) {
  if (grower_)
    return;
  hold(threads);
  if (is_sample()) {
    const Watch watch(seconds_[sampling]);
    auto sample = priority_sample(scored_.weights(), options_.sample,
                                  {options_.seed, ensemble_.trees()}, threads);
    lost_ = sample.lost;
    sampled_ = std::move(sample.examples);
    estimates_ = std::move(sample.weights);
    if (holds_all_) {
      std::vector<std::int64_t> every(scored_.size(), 0);
      for (std::size_t at = 0; at < sampled_.size(); ++at)
        every[sampled_[at]] = estimates_[at];
      estimates_ = std::move(every);
    }
  } else {
    estimates_.assign(scored_.weights().begin(), scored_.weights().end());
  }
  if (!holds_all_) {
    const Watch watch(seconds_[extraction]);
    rows_.take(source_, pointers_, sampled_, options_.n_atoms, threads);
  }
  const Watch watch(seconds_[building]);
  auto weights = estimates_;
  for (std::size_t row = 0; row < weights.size(); ++row)
    weights[row] *= scored_.y()[holds_all_ ? row : sampled_[row]];
  grower_ = std::make_unique<Grower>(rows_, std::move(weights), threads);
}

double Booster::first_lambda(const base::Threads &threads) {
  draw(threads);
  const auto &root = grower_->root();
  return root ? static_cast<double>(root->largest_lambda()) / scored_.scale() : 0.0;
}

std::vector<Grown> Booster::grown(double lambda, const base::Threads &threads) {
  std::vector<Grown> trees;
  const auto grow_on = [&](const Grower &grower, std::int64_t units) {
    if (!grower.root() || grower.root()->largest_lambda() <= units)
      return false;
    const auto least = static_cast<std::int64_t>(options_.split_gain * static_cast<double>(units));
    auto found = grower.grow(units, least, threads.poll);
    if (found.tree.size() == 1)
      return false;
    trees.push_back(std::move(found));
    return true;
  };
  if (!grow_on(*grower_, scored_.units_of(lambda)) || options_.per_sample == 1 || !is_sample())
    return trees;
  const RowColumns columns(scored_, holds_all_ ? numbers_below(scored_.size()) : sampled_,
                           estimates_);
  ScoredExamples alone(columns.y, columns.bias, columns.h);
  const auto units = alone.units_of(lambda);
  while (alone.add(trees.back().tree, trees.back().leaf, units, threads) &&
         trees.size() < options_.per_sample &&
         grow_on(Grower(rows_, with_signs(alone.weights(), columns.y), threads), units))
    ;
  return trees;
}

bool Booster::grow(double lambda, const base::Threads &threads) {
  const auto units = scored_.units_of(lambda);
  draw(threads);
  std::vector<Grown> trees;
  {
    const Watch watch(seconds_[building]);
    trees = grown(lambda, threads);
  }
  Leaves leaves;
  {
    const Watch watch(seconds_[percolation]);
    leaves = percolate(trees, threads);
  }
  const Watch watch(seconds_[updates]);
  const auto before = ensemble_.trees();
  for (std::size_t number = 0; number < trees.size(); ++number)
    if (scored_.add(trees[number].tree, leaves[number], units, {threads.count}))
      ensemble_.append(trees[number].tree);
  if (ensemble_.trees() == before)
    return false;
  grower_.reset();
  return true;
}

Booster::Leaves Booster::percolate(std::span<const Grown> grown,
                                   const base::Threads &threads) const {
  Leaves leaves(grown.size());
  base::in_blocks(grown.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (auto number = begin; number < end; ++number) {
      if (holds_all_) {
        leaves[number] = leaves_by_columns(grown[number].tree, rows_);
        continue;
      }
      leaves[number].resize(scored_.size(), none);
      for (std::size_t row = 0; row < sampled_.size(); ++row)
        leaves[number][sampled_[row]] = grown[number].leaf[row];
    }
  });
  if (!grown.empty() && !holds_all_)
    walk_all(grown, leaves, threads);
  return leaves;
}

void Booster::walk_all(std::span<const Grown> grown, Leaves &leaves,
                       const base::Threads &threads) const {
  std::size_t nodes = 0;
  for (const auto &[tree, leaf] : grown)
    nodes += tree.size();
  const bool by_tests = source_.extraction_cost() > nodes;
  base::in_blocks(scored_.size(), examples_per_block, threads,
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<bool> present(by_tests ? 0 : options_.n_atoms);
                    std::vector<Atom> atoms;
                    const auto walk = [&](std::size_t i, const auto &test) {
                      for (std::size_t number = 0; number < grown.size(); ++number)
                        leaves[number][i] = leaf_of(grown[number].tree, test);
                    };
                    for (std::size_t i = begin; i < end; ++i) {
                      if (leaves[0][i] != none)
                        continue;
                      if (by_tests) {
                        walk(i, [&](Atom atom) { return source_.test(pointers_[i], atom); });
                        continue;
                      }
                      source_.extract(pointers_[i], atoms);
                      check_atoms(atoms, present.size());
                      for (const auto atom : atoms)
                        present[atom] = true;
                      walk(i, [&](Atom atom) { return present[atom]; });
                      for (const auto atom : atoms)
                        present[atom] = false;
                    }
                  });
}

void Booster::restore(Ensemble ensemble, std::span<const double> h, const base::Threads &threads) {
  require(ensemble_.trees() == 0, "trees are restored before any is grown");
  std::vector<double> scores(h.begin(), h.end());
  if (h.empty()) {
    scores.assign(scored_.h().begin(), scored_.h().end());
    base::in_blocks(
        scores.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            for (std::size_t number = 0; number < ensemble.trees(); ++number) {
              const auto tree = ensemble.tree(number);
              scores[i] +=
                  tree[leaf_of(tree, [&](Atom atom) { return source_.test(pointers_[i], atom); })]
                      .value;
            }
        });
  }
  scored_.set(std::move(scores), threads);
  ensemble_ = std::move(ensemble);
  grower_.reset();
}

} // namespace runoff::decision_trees
