// The ranking perceptron in dual form (Collins & Duffy 2002, sections 3.3 and 3.4), over graphs of
// trees.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/kernels/support_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::kernels {

// Lists of trees to learn from. The memory belongs to the caller.
struct TreeLists {
  std::span<const std::int64_t> list_offsets; // lists + 1
  trees::Trees trees;                         // one per candidate
  std::size_t n_labels;
  std::span<const double> logprobs; // candidates
  std::span<const double> scales;   // candidates, which the kernel is multiplied by; empty: all 1

  double scale(std::size_t candidate) const { return scales.empty() ? 1.0 : scales[candidate]; }
};

// One perceptron on its way through lists. The score of candidate x is
//   weight * L(x) + sum over mistakes of (K(better, x) - K(worse, x)),
// where L is the log-probability and weight grows by beta * (L(better) - L(worse)), as the kernel
// beta L(x) L(y) + K(x, y) would have it. Ties go to the higher log-probability, then to the lower
// place.
class KernelPerceptron {
public:
  // qualities: of candidates. best: the place of the best one in each list that is not empty.
  KernelPerceptron(const TreeLists &lists, std::span<const double> qualities,
                   std::span<const std::int64_t> best, Kernel kernel, double beta);

  // Learns from a list; the place of what was picked by mistake, or -1. Throws std::overflow_error
  // where a score is no finite number.
  std::int64_t learn(std::size_t list);
  // Learns that this place was picked by mistake.
  void replay(std::size_t list, std::int64_t pick);

  const SupportGraph &graph() const { return graph_; }

private:
  bool can_be_wrong(std::size_t list) const;

  TreeLists lists_;
  std::span<const double> qualities_;
  std::span<const std::int64_t> best_;
  double beta_, logprob_weight_ = 0.0;
  SupportGraph graph_;
  Comparison comparison_;
};

// Several perceptrons, each on its way through lists of its own, which may run side by side.
class KernelPerceptrons {
public:
  // order: the lists that they visit; perceptron p has the steps [starts[p], starts[p + 1]). All
  // memory belongs to the caller and stays in use.
  KernelPerceptrons(const TreeLists &lists, std::span<const double> qualities,
                    std::span<const std::int64_t> best, Kernel kernel, double beta,
                    std::span<const std::int64_t> order, std::span<const std::int64_t> starts);

  std::size_t size() const { return perceptrons_.size(); }
  const KernelPerceptron &operator[](std::size_t p) const { return perceptrons_[p]; }
  // Goes on until every perceptron has done its limit of steps, or so many seconds are over and
  // each did a step; picks[step] is what was picked by mistake, or -1.
  void run(std::span<const std::int64_t> limits, std::span<std::int64_t> done,
           std::span<std::int64_t> picks, double seconds, const base::Threads &threads);
  // Goes to the state after so many steps.
  void replay(std::span<const std::int64_t> done, std::span<const std::int64_t> picks,
              const base::Poll &poll);

private:
  std::span<const std::int64_t> order_, starts_;
  std::vector<KernelPerceptron> perceptrons_;
};

// What perceptrons have learned: a sum of updates, each of which adds a tree and takes another
// away.
class KernelModel {
public:
  static constexpr std::uint32_t none = base::Spans::none;

  struct Updates {
    std::span<const std::uint32_t> better, worse; // numbers of trees; `none` for no tree
    std::span<const double> weights;              // in `scores`
  };
  // Perceptrons that vote, after every update of theirs and before the first.
  struct Voters {
    std::span<const std::int64_t> starts; // perceptrons + 1: which updates are whose
    std::span<const double> logprobs;     // updates: change of the log-probability's weight
    std::span<const double> survivals;    // updates + perceptrons, in their order: votes of each
  };

  // lists: the trees of the updates; how they are listed makes no difference. Throws
  // std::invalid_argument if arrays do not fit.
  KernelModel(const TreeLists &lists, Kernel kernel, const Updates &updates,
              const base::Poll &poll);

  std::size_t updates() const { return n_updates_; }
  const SupportGraph &graph() const { return graph_; }

  // scores[j] = scale * sum over updates of weight * (K(better, x_j) - K(worse, x_j)).
  void scores(const TreeLists &lists, std::span<double> scores, const base::Poll &poll) const;
  // The same, update by update and without their weights: trees x updates.
  void products(const TreeLists &lists, std::span<double> out, const base::Poll &poll) const;
  // Adds to votes[j] the survivals of all voters that rank candidate j first in its list. Ties go
  // to the higher log-probability; candidates that tie in both all get the vote. Exact: no score
  // of a voter is approximated. Time per list, beyond that of `scores`: what its subtrees have in
  // common with every update, and updates times candidates. Without scales, subtrees that all
  // candidates have equally often cost nothing; with them they do.
  void votes(const TreeLists &lists, const Voters &voters, std::span<double> votes,
             const base::Poll &poll) const;

private:
  class Differences;
  struct Entry {
    std::uint32_t update;
    double weight;
  };
  // Of a bucket: what updates its nodes take part in.
  struct History {
    std::vector<std::uint32_t> ends{0}; // by place
    std::vector<Entry> entries;
  };

  void add_history(std::vector<std::pair<std::uint32_t, SupportGraph::Change>> &changes);
  void check(const TreeLists &lists) const;

  std::size_t n_labels_, n_updates_;
  SupportGraph graph_;
  std::vector<History> history_; // by production
};

} // namespace runoff::kernels
