// The weights of pairs of a list's best candidate and a worse one, summed exactly.
#pragma once

#include "runoff/boosting/boosting.hpp"
#include "runoff/trees/shared_trees.hpp"

#include <bit>
#include <ranges>
#include <vector>

namespace runoff::boosting {

// D of Kudo, Suzuki & Isozaki (2005): exp(-margin) of each pair. Under the logarithmic loss these
// are divided by 1 + the sum over their list, as in appendix B of Collins & Koo (2005). Weights are
// whole multiples of 1 / scale, see fixed_point.hpp, so that sums do not depend on their order.
class PairWeights {
public:
  // exponents: -margin of the pair of each candidate with its list's best one; -infinity where
  // the candidate is the best one, or no worse, so that there is no pair.
  PairWeights(const trees::SharedTrees &trees, Loss loss, std::span<const double> exponents);

  // The candidates of a group that form a pair with the best one.
  std::uint64_t pairs(std::size_t group) const { return pairs_[group]; }
  std::size_t size(std::size_t group) const { return trees_.groups()[group].size; }
  std::int64_t sum(std::size_t group, std::uint64_t candidates) const {
    const auto own = weights_.data() + trees_.groups()[group].first;
    std::int64_t sum = 0;
    for (; candidates != 0; candidates &= candidates - 1)
      sum += own[std::countr_zero(candidates)];
    return sum;
  }

  // The groups in which weights change with a pair of this one: itself, or all of its list.
  std::ranges::iota_view<std::size_t, std::size_t> moved_by(std::size_t group) const {
    return kind_ == Loss::exponential
               ? std::views::iota(group, group + 1)
               : std::views::iota(std::size_t{list_start_[group]}, std::size_t{list_end_[group]});
  }
  // Adds to the exponents of some pairs of a group; `changes` become those of the weights of all
  // candidates of the groups that are moved by it.
  void add(std::size_t group, std::uint64_t candidates, double change,
           std::vector<std::int64_t> &changes);
  // Chooses the scale anew where that is due; then all weights change.
  bool rescale();
  void recompute(double scale);

  double scale() const { return scale_; }
  std::int64_t total() const { return total_; } // Z, in units
  double loss() const { return static_cast<double>(loss_) / scale_; }

private:
  double weigh_list(std::size_t group);

  const trees::SharedTrees &trees_;
  const Loss kind_;
  double scale_ = 1.0;
  std::int64_t total_ = 0, loss_ = 0;
  std::vector<double> exponents_;                    // members of groups
  std::vector<std::int64_t> weights_;                // members of groups
  std::vector<std::uint64_t> pairs_;                 // groups
  std::vector<std::uint32_t> list_start_, list_end_; // the groups of each group's list
  std::vector<std::int64_t> list_loss_;              // log-loss only: by a list's first group
  std::vector<double> fresh_;                        // room for the weights of one list
};

} // namespace runoff::boosting
