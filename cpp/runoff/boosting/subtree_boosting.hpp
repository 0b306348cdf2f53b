// Boosting over all subtrees of candidates (Kudo, Suzuki & Isozaki 2005).
#pragma once

#include "runoff/boosting/boosting.hpp"
#include "runoff/boosting/subtree_cache.hpp"

#include <unordered_map>

namespace runoff::boosting {

struct SubtreeSchedule {
  Loss loss = Loss::exponential;
  double smoothing = 0.001;       // eps: a share of Z, added to both sides before a weight is set
  std::size_t search_rounds = 5;  // a cycle begins with so many rounds that search all subtrees,
  std::size_t cache_rounds = 300; // and goes on with so many over a choice of those seen
  std::size_t choice = 5000;      // how many those are
  std::size_t cache_bytes = std::size_t{2} << 30; // above which a cycle begins with a new cache
};

// What one round did.
struct SubtreeRound {
  std::uint32_t subtree; // its number among those chosen so far, in the order of the first choice
  double delta;          // added to its weight
  double loss;           // afterwards
  std::uint64_t visited; // subtrees whose gain was computed,
  std::uint64_t pruned;  // of which so many were not extended, since no extension could be better
};

struct SeenSubtree {
  double gain;
  std::uint32_t entry; // of the cache
};

// Which candidates of development lists have the subtrees that were chosen.
class SubtreeDev {
public:
  explicit SubtreeDev(const trees::SharedTrees &trees) : trees_(trees) {}

  // Adds to the weight of a chosen subtree, which is looked for when it comes for the first time.
  void add(std::uint32_t number, const SubtreeCache &cache, std::uint32_t entry, double delta,
           DevCurve &curve);

private:
  const trees::SharedTrees &trees_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> candidates_; // by number
};

// The weights of some subtrees' pairs, kept up to date from round to round: what rounds that do
// not search choose from.
class SubtreeChoice {
public:
  SubtreeChoice(const SubtreeCache &cache, const PairWeights &weights,
                std::vector<std::uint32_t> entries, const base::Threads &threads);

  // The place of the highest gain, the first of equals.
  std::size_t best() const;
  std::uint32_t entry(std::size_t place) const { return entries_[place]; }
  std::size_t size() const { return entries_.size(); }
  const SubtreeSums &sums(std::size_t place) const { return sums_[place]; }
  std::vector<std::uint32_t> highest(std::size_t n) const; // entries of the highest gains
  // Changes the weight of a subtree.
  void update(std::size_t place, double delta, PairWeights &weights);
  // All weights have changed.
  void recompute(const PairWeights &weights);

private:
  struct Told {
    std::uint64_t told;
    std::uint32_t place; // of the subtree; of the group where subtrees own the list
    bool has_best;
  };

  const SubtreeCache &cache_;
  std::vector<std::uint32_t> entries_; // in the order of `precedes`
  std::vector<SubtreeSums> sums_;
  std::vector<std::size_t> own_start_, group_start_;
  std::vector<Told> own_, by_group_; // subtree by subtree, and group by group
};

// Rounds in cycles. The state at the beginning of a cycle, and from there on all rounds, depend on
// the rounds before, the entries of the cache that were extended, and the leaders. What a search
// visits does not depend on what the cache holds, so it may be made anew when it grows too large.
class SubtreeBooster {
public:
  SubtreeBooster(const trees::SharedTrees &trees, std::span<const double> exponents,
                 const SubtreeSchedule &schedule);

  // One round; false if there is nothing left to gain, and then nothing changes.
  bool round(SubtreeRound &done, const base::Threads &threads);

  // Goes to the state at the beginning of a cycle.
  void replay(std::span<const std::uint32_t> extended, std::span<const std::uint32_t> chosen,
              std::span<const std::uint32_t> leaders, std::span<const std::uint32_t> subtrees,
              std::span<const double> deltas, double scale, const base::Threads &threads);

  bool begins_cycle() const { return step_ == 0; }
  // Whether the last round was the last of its cycle that searched all subtrees.
  bool has_searched() const { return has_searched_; }
  // Entries of the n highest gains of the last search, the first of equal ones: those tell the same
  // pairs apart.
  std::vector<std::uint32_t> telling(std::size_t n);
  const SubtreeCache &cache() const { return *cache_; }
  std::span<const std::uint32_t> chosen() const { return chosen_; }   // entries, by number
  std::span<const std::uint32_t> leaders() const { return leaders_; } // entries
  double scale() const { return weights_.scale(); }
  double loss() const { return weights_.loss(); }
  SubtreeSums sums(std::uint32_t entry) const { return cache_->sums(entry, weights_); }

private:
  struct Best {
    double gain = 0.0;
    std::uint32_t entry = SubtreeCache::none;
    SubtreeSums sums;
  };

  Best search(SubtreeRound &done, const base::Threads &threads);
  void offer(std::uint32_t entry, const SubtreeSums &sums, Best &best) const;
  bool may_extend(std::uint32_t entry, double bound, const Best &best) const;
  void choose(const base::Threads &threads);
  std::vector<std::uint32_t> highest(std::size_t n);
  double delta(const SubtreeSums &sums) const;
  void change(std::uint32_t entry, double delta);
  static bool is_worth(double gain, double delta);
  void finish(std::uint32_t entry, double delta, SubtreeRound &done, const base::Threads &threads);
  void end_cycle(const base::Threads &threads);
  void forget(const base::Threads &threads);

  const trees::SharedTrees &trees_;
  const SubtreeSchedule schedule_;
  PairWeights weights_;
  std::unique_ptr<SubtreeCache> cache_;
  std::size_t step_ = 0; // in the cycle
  bool has_searched_ = false;
  std::vector<SeenSubtree> seen_; // in the last search, with a gain
  std::vector<std::uint32_t> leaders_, chosen_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_; // of entries that were chosen
  std::unique_ptr<SubtreeChoice> choice_;
  std::vector<std::int64_t> changes_; // of weights, which a search does not need
};

} // namespace runoff::boosting
