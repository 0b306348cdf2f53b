#include "runoff/kernels/kernel_ranking.hpp"

#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/ranking/voting.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace runoff::kernels {
namespace {

void require_finite(double score) {
  if (!std::isfinite(score))
    throw std::overflow_error("the kernel of two candidates is too large for a number");
}

// Calls visit(first candidate, how many) for every list that has candidates.
template <typename Visit>
void for_each_list(const TreeLists &lists, const base::Poll &poll, const Visit &visit) {
  for (std::size_t i = 0; i + 1 < lists.list_offsets.size(); ++i) {
    poll();
    const auto begin = static_cast<std::size_t>(lists.list_offsets[i]);
    const auto end = static_cast<std::size_t>(lists.list_offsets[i + 1]);
    if (begin < end)
      visit(begin, end - begin);
  }
}

} // namespace

KernelPerceptron::KernelPerceptron(const TreeLists &lists, std::span<const double> qualities,
                                   std::span<const std::int64_t> best, Kernel kernel, double beta)
    : lists_(lists), qualities_(qualities), best_(best), beta_(beta),
      graph_(kernel, lists.n_labels), comparison_(kernel, lists.n_labels) {}

bool KernelPerceptron::can_be_wrong(std::size_t list) const {
  const auto begin = lists_.list_offsets[list], end = lists_.list_offsets[list + 1];
  for (auto j = begin; j < end; ++j)
    if (qualities_[static_cast<std::size_t>(j)] <
        qualities_[static_cast<std::size_t>(begin + best_[list])])
      return true;
  return false;
}

std::int64_t KernelPerceptron::learn(std::size_t list) {
  if (!can_be_wrong(list))
    return -1;
  const auto begin = static_cast<std::size_t>(lists_.list_offsets[list]);
  const auto size = static_cast<std::size_t>(lists_.list_offsets[list + 1]) - begin;
  comparison_.clear();
  for (std::size_t j = 0; j < size; ++j)
    comparison_.add(lists_.trees[begin + j], graph_.productions());
  comparison_.compare(graph_);
  std::vector<double> scores(size);
  for (std::size_t j = 0; j < size; ++j) {
    scores[j] = logprob_weight_ * lists_.logprobs[begin + j] +
                lists_.scale(begin + j) * comparison_.kernel(j);
    require_finite(scores[j]);
  }
  const auto pick = ranking::first_choice(scores, lists_.logprobs.subspan(begin, size));
  const auto best = begin + static_cast<std::size_t>(best_[list]);
  if (qualities_[begin + pick] >= qualities_[best])
    return -1;
  replay(list, static_cast<std::int64_t>(pick));
  return static_cast<std::int64_t>(pick);
}

void KernelPerceptron::replay(std::size_t list, std::int64_t pick) {
  const auto begin = lists_.list_offsets[list];
  const auto better = static_cast<std::size_t>(begin + best_[list]),
             worse = static_cast<std::size_t>(begin + pick);
  graph_.add(std::array{SupportGraph::Part{lists_.trees[better], lists_.scale(better)},
                        SupportGraph::Part{lists_.trees[worse], -lists_.scale(worse)}});
  logprob_weight_ += beta_ * (lists_.logprobs[better] - lists_.logprobs[worse]);
}

KernelPerceptrons::KernelPerceptrons(const TreeLists &lists, std::span<const double> qualities,
                                     std::span<const std::int64_t> best, Kernel kernel, double beta,
                                     std::span<const std::int64_t> order,
                                     std::span<const std::int64_t> starts)
    : order_(order), starts_(starts) {
  base::check_offsets(starts, order.size(), "perceptron");
  for (std::size_t p = 0; p + 1 < starts.size(); ++p)
    perceptrons_.emplace_back(lists, qualities, best, kernel, beta);
}

void KernelPerceptrons::run(std::span<const std::int64_t> limits, std::span<std::int64_t> done,
                            std::span<std::int64_t> picks, double seconds,
                            const base::Threads &threads) {
  const auto begin = std::chrono::steady_clock::now();
  base::in_blocks(perceptrons_.size(), 1, threads, [&](std::size_t p, std::size_t) {
    for (; done[p] < limits[p]; ++done[p]) {
      const auto step = static_cast<std::size_t>(starts_[p] + done[p]);
      picks[step] = perceptrons_[p].learn(static_cast<std::size_t>(order_[step]));
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      if (spent.count() >= seconds) {
        ++done[p];
        return;
      }
    }
  });
}

void KernelPerceptrons::replay(std::span<const std::int64_t> done,
                               std::span<const std::int64_t> picks, const base::Poll &poll) {
  for (std::size_t p = 0; p < perceptrons_.size(); ++p)
    for (std::int64_t at = 0; at < done[p]; ++at) {
      poll();
      const auto step = static_cast<std::size_t>(starts_[p] + at);
      if (picks[step] >= 0)
        perceptrons_[p].replay(static_cast<std::size_t>(order_[step]), picks[step]);
    }
}

KernelModel::KernelModel(const TreeLists &lists, Kernel kernel, const Updates &updates,
                         const base::Poll &poll)
    : n_labels_(lists.n_labels), n_updates_(updates.better.size()), graph_(kernel, lists.n_labels) {
  if (updates.worse.size() != n_updates_ || updates.weights.size() != n_updates_ ||
      n_updates_ >= none)
    throw std::invalid_argument("the updates differ in length");
  std::vector<std::pair<std::uint32_t, SupportGraph::Change>> changes; // with their updates
  for (std::uint32_t update = 0; update < n_updates_; ++update) {
    if (update % 64 == 0)
      poll();
    std::vector<SupportGraph::Part> parts;
    const auto part = [&](std::uint32_t tree, double sign) {
      if (tree == none)
        return;
      if (tree >= lists.trees.size())
        throw std::invalid_argument("an update has a tree that is not there");
      parts.push_back({lists.trees[tree], sign * lists.scale(tree)});
    };
    part(updates.better[update], 1.0);
    part(updates.worse[update], -1.0);
    for (const auto &change : graph_.add(parts))
      changes.emplace_back(update, change);
  }
  add_history(changes);
  graph_.weigh([&](std::uint32_t production, std::size_t place) {
    double sum = 0.0;
    const auto &own = history_[production];
    for (auto at = own.ends[place]; at < own.ends[place + 1]; ++at)
      sum += updates.weights[own.entries[at].update] * own.entries[at].weight;
    return sum;
  });
}

void KernelModel::add_history(
    std::vector<std::pair<std::uint32_t, SupportGraph::Change>> &changes) {
  if (changes.size() >= none)
    throw std::invalid_argument("too many subtrees for 32-bit numbers");
  std::ranges::stable_sort(changes, {}, [](const auto &entry) {
    return std::pair(entry.second.production, entry.second.place);
  });
  history_.resize(graph_.productions().size());
  for (std::size_t production = 0; production < history_.size(); ++production)
    history_[production].ends.resize(
        graph_.bucket(static_cast<std::uint32_t>(production)).size() + 1, 0);
  for (const auto &[update, change] : changes) {
    auto &own = history_[change.production];
    own.entries.push_back({update, change.weight});
    own.ends[change.place] = static_cast<std::uint32_t>(own.entries.size());
  }
  for (auto &own : history_)
    for (std::size_t place = 1; place < own.ends.size(); ++place)
      own.ends[place] = std::max(own.ends[place], own.ends[place - 1]);
}

void KernelModel::check(const TreeLists &lists) const {
  if (lists.n_labels != n_labels_)
    throw std::invalid_argument("the trees have labels of another space");
}

void KernelModel::scores(const TreeLists &lists, std::span<double> scores,
                         const base::Poll &poll) const {
  check(lists);
  Comparison comparison(graph_.kernel(), n_labels_);
  for_each_list(lists, poll, [&](std::size_t begin, std::size_t size) {
    comparison.clear();
    for (std::size_t j = 0; j < size; ++j)
      comparison.add(lists.trees[begin + j], graph_.productions());
    comparison.compare(graph_);
    for (std::size_t j = 0; j < size; ++j) {
      scores[begin + j] = lists.scale(begin + j) * comparison.kernel(j);
      require_finite(scores[begin + j]);
    }
  });
}

// What every update adds to the scores of a list's candidates: updates x candidates.
class KernelModel::Differences {
public:
  explicit Differences(const KernelModel &model)
      : model_(model), comparison_(model.graph_.kernel(), model.n_labels_),
        sums_(model.n_updates_, 0.0), seen_(model.n_updates_, 0) {}

  // Where `all` is false, what all candidates have in common is left out: it changes no order, as
  // long as they have the same scale.
  void fill(const TreeLists &lists, std::size_t begin, std::size_t size, bool all) {
    size_ = size;
    comparison_.clear();
    for (std::size_t j = 0; j < size; ++j)
      comparison_.add(lists.trees[begin + j], model_.graph_.productions());
    comparison_.compare(model_.graph_, Comparison::Values::kept);
    rows_.assign(model_.n_updates_ * size, 0.0);
    find_owners();
    for (const auto subtree : in_order())
      if (all || !is_common(subtree))
        add(subtree);
    if (lists.scales.empty())
      return;
    for (std::size_t at = 0; at < rows_.size(); ++at)
      rows_[at] *= lists.scales[begin + at % size];
  }
  std::span<const double> row(std::size_t update) const {
    return {rows_.data() + update * size_, size_};
  }

private:
  struct Owner {
    std::uint32_t candidate, count;
  };

  // The candidates that have each subtree, and how often.
  void find_owners() {
    owners_.resize(std::max(owners_.size(), comparison_.subtrees().size()));
    for (std::size_t s = 0; s < comparison_.subtrees().size(); ++s)
      owners_[s].clear();
    for (std::uint32_t j = 0; j < size_; ++j)
      for (const auto subtree : comparison_.of_tree(j)) {
        auto &own = owners_[subtree];
        if (own.empty() || own.back().candidate != j)
          own.push_back({j, 0});
        ++own.back().count;
      }
  }

  bool is_common(std::uint32_t subtree) const {
    const auto &own = owners_[subtree];
    return own.size() == size_ && std::ranges::all_of(own, [&](const Owner &owner) {
             return owner.count == own[0].count;
           });
  }

  // The subtrees in an order of their content, so that sums do not depend on that of candidates.
  std::span<const std::uint32_t> in_order() {
    const auto &subtrees = comparison_.subtrees();
    std::vector<std::uint64_t> hashes(subtrees.size());
    order_.clear();
    for (std::uint32_t s = 0; s < subtrees.size(); ++s) {
      std::uint64_t hash = subtrees.production(s);
      const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
      };
      for (const auto mark : subtrees.marks(s))
        mix(mark);
      for (const auto child : subtrees.children(s))
        mix(child == Subtrees::none ? 1 : hashes[child]);
      hashes[s] = hash;
      order_.push_back(s);
    }
    std::ranges::sort(order_, {}, [&](std::uint32_t s) { return hashes[s]; });
    return order_;
  }

  void add(std::uint32_t subtree) {
    const auto values = comparison_.values(subtree);
    const auto production = comparison_.subtrees().production(subtree);
    const auto &history = model_.history_[production];
    touched_.clear();
    for (std::size_t place = 1; place < values.size(); ++place)
      for (auto at = history.ends[place - 1]; at < history.ends[place]; ++at) {
        const auto &entry = history.entries[at];
        if (!seen_[entry.update]) {
          seen_[entry.update] = 1;
          sums_[entry.update] = 0.0;
          touched_.push_back(entry.update);
        }
        sums_[entry.update] += entry.weight * values[place];
      }
    for (const auto update : touched_) {
      seen_[update] = 0;
      double *own = rows_.data() + update * size_;
      for (const auto &owner : owners_[subtree])
        own[owner.candidate] += owner.count * sums_[update];
    }
  }

  const KernelModel &model_;
  Comparison comparison_;
  std::size_t size_ = 0;
  std::vector<double> rows_, sums_;
  std::vector<char> seen_;
  std::vector<std::uint32_t> touched_, order_;
  std::vector<std::vector<Owner>> owners_;
};

void KernelModel::products(const TreeLists &lists, std::span<double> out,
                           const base::Poll &poll) const {
  check(lists);
  Differences differences(*this);
  for_each_list(lists, poll, [&](std::size_t begin, std::size_t size) {
    differences.fill(lists, begin, size, true);
    for (std::size_t update = 0; update < n_updates_; ++update)
      for (std::size_t j = 0; j < size; ++j) {
        out[(begin + j) * n_updates_ + update] = differences.row(update)[j];
        require_finite(differences.row(update)[j]);
      }
  });
}

void KernelModel::votes(const TreeLists &lists, const Voters &voters, std::span<double> votes,
                        const base::Poll &poll) const {
  check(lists);
  base::check_offsets(voters.starts, n_updates_, "perceptron");
  if (voters.logprobs.size() != n_updates_ ||
      voters.survivals.size() != n_updates_ + voters.starts.size() - 1)
    throw std::invalid_argument("the voters differ in length");
  Differences differences(*this);
  std::vector<double> kernels, scores;
  for_each_list(lists, poll, [&](std::size_t begin, std::size_t size) {
    differences.fill(lists, begin, size, !lists.scales.empty());
    const auto logprobs = lists.logprobs.subspan(begin, size);
    scores.resize(size);
    const auto own = votes.subspan(begin, size);
    for (std::size_t p = 0; p + 1 < voters.starts.size(); ++p) {
      double weight = 0.0;
      kernels.assign(size, 0.0);
      std::ranges::fill(scores, 0.0);
      const auto first = static_cast<std::size_t>(voters.starts[p]);
      ranking::vote(scores, logprobs, voters.survivals[first + p], own);
      for (auto t = first; t < static_cast<std::size_t>(voters.starts[p + 1]); ++t) {
        const auto row = differences.row(t);
        weight += voters.logprobs[t];
        for (std::size_t j = 0; j < size; ++j) {
          kernels[j] += row[j];
          scores[j] = kernels[j] + weight * logprobs[j];
          require_finite(scores[j]);
        }
        ranking::vote(scores, logprobs, voters.survivals[t + p + 1], own);
      }
    }
  });
}

} // namespace runoff::kernels
