// Growing one decision tree by gains (Turian & Melamed 2006, A 3.2, equations 13-16).
//
//   D     W+ - W- of a node: the weights of its examples, with the sign of y
//   G     gain of a node: max(0, |D| - lambda)
//
// A node is split by the atom with the largest G(with it) + G(without it), if that exceeds G of the
// node. With D = Da + Db of the two sides, the larger one in size is (|D| + |Da - Db|) / 2 and the
// smaller one of the other sign, where there is anything to gain; so the best atom is that of the
// largest |Da - Db|, and only the smallest and the largest Da can be it.
//
// Weights are whole numbers, so sums are exact: the weights of one side are those of the node minus
// the other's, bit for bit, and only the smaller side of a split is ever added up.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/decision_trees/cached_rows.hpp"
#include "runoff/decision_trees/ensemble.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace runoff::decision_trees {

struct Split {
  Atom atom;
  std::int64_t with, without; // D of the two sides

  // The largest lambda below which the split gains anything.
  std::int64_t largest_lambda() const;
};

// max(0, |sum| - lambda)
std::int64_t gain(std::int64_t sum, std::int64_t lambda);

// D of every atom over some rows, and the best split of them.
//
// Where many atoms occur, the smallest and the largest sum of every block of atoms are kept, and
// only blocks that lost theirs are looked through again; so a split costs the changes it makes and
// a look at every block. Where few do, they are on a list.
class AtomSums {
public:
  // Adds the rows up by their columns, all of them.
  void add_all(const CachedRows &rows, std::span<const std::int64_t> weights,
               const base::Threads &threads);
  // Adds some rows up by their present atoms; nothing may be in the sums.
  void add_some(const CachedRows &rows, std::span<const std::int64_t> weights,
                std::span<const std::uint32_t> some);
  // Takes some of the rows away.
  void subtract(const CachedRows &rows, std::span<const std::int64_t> weights,
                std::span<const std::uint32_t> some);
  // Nothing is in the sums any more; the memory stays.
  void clear();

  // The best split of a node whose D is `sum`, whatever lambda; ties go to the lowest atom.
  std::optional<Split> best(std::int64_t sum);

private:
  static constexpr std::size_t per_block = 64;
  struct Block {
    std::int64_t low = 0, high = 0;
    bool is_stale = true;
  };
  void refresh(std::size_t block);
  Atom first_with(std::int64_t low, std::int64_t high) const; // either sum

  std::vector<std::int64_t> sums_; // n_atoms
  std::vector<Block> blocks_;      // none where there is a list
  std::vector<Atom> touched_;      // the list: whose sum may not be 0
};

struct Grown {
  Tree tree;                       // leaves have no values yet
  std::vector<std::uint32_t> leaf; // rows: the node of their leaf; 0 for those without weight
};

class Grower {
public:
  // weights: of rows, with the sign of y; those of weight 0 take no time. The rows outlive the
  // grower.
  Grower(const CachedRows &rows, std::vector<std::int64_t> weights, const base::Threads &threads);

  // The best split of the root; none where nothing can be split, whatever lambda.
  const std::optional<Split> &root() const { return root_; }

  // The tree of a lambda; one leaf if the root cannot be split. A split must gain more than `least`
  // over its node, 0 in the paper. Time is that of the present atoms
  // of the smaller sides of all splits, and of a pass over all atoms for each split of many rows.
  Grown grow(std::int64_t lambda, std::int64_t least, const base::Poll &poll) const;

private:
  const CachedRows &rows_;
  const std::vector<std::int64_t> weights_;
  AtomSums sums_; // of the root
  std::optional<Split> root_;
};

} // namespace runoff::decision_trees
