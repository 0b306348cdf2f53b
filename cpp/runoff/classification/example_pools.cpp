#include "runoff/classification/example_pools.hpp"

#include "runoff/base/parallel.hpp"
#include "runoff/decision_trees/leaf_value.hpp"
#include "runoff/decision_trees/sampling.hpp"

#include <cmath>
#include <mutex>
#include <stdexcept>

namespace runoff::classification {
namespace {

constexpr std::size_t states_per_block = 64;
constexpr double units = 0x1p40; // of sums of weights, so that their order does not matter

struct Entry {
  double priority, weight, h;
  std::uint64_t pointer;
  float bias;
  std::int8_t y;
};

bool before(const Entry &a, const Entry &b) {
  return a.priority != b.priority ? a.priority > b.priority : a.pointer < b.pointer;
}

// The entries of the highest priorities among all that were added, one more than the pool takes.
class Reservoir {
public:
  void add(const Entry &entry, std::size_t most) {
    if (entry.priority < least_)
      return;
    entries_.push_back(entry);
    if (entries_.size() >= 2 * most + 64)
      shrink(most);
  }
  void add_all(const Reservoir &other, std::size_t most) {
    for (const auto &entry : other.entries_)
      add(entry, most);
    weight_ += other.weight_;
    examples_ += other.examples_;
    positives_ += other.positives_;
  }
  void count(double weight, bool is_correct) {
    weight_ += static_cast<std::uint64_t>(weight * units);
    ++examples_;
    positives_ += is_correct;
  }

  ExamplePool pool(std::size_t size) {
    shrink(size + 1);
    std::ranges::sort(entries_, before);
    double least = 0.0; // no weight is estimated lower
    if (entries_.size() > size) {
      least = entries_.back().priority;
      entries_.pop_back();
    }
    std::ranges::sort(entries_, {}, &Entry::pointer);
    ExamplePool made;
    double inside = 0.0;
    for (const auto &one : entries_) {
      made.pointers.push_back(one.pointer);
      made.y.push_back(one.y);
      made.bias.push_back(one.bias * static_cast<float>(std::max(1.0, least / one.weight)));
      made.h.push_back(one.h);
      inside += one.weight;
    }
    const double all = static_cast<double>(weight_) / units;
    made.examples = examples_;
    made.positives = positives_;
    made.lost = all > 0.0 ? std::max(0.0, 1.0 - inside / all) : 0.0;
    return made;
  }

private:
  void shrink(std::size_t most) {
    if (entries_.size() <= most)
      return;
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(entries_.begin(), last - 1, entries_.end(), before);
    entries_.erase(last, entries_.end());
    least_ = entries_.back().priority;
  }

  std::vector<Entry> entries_;
  double least_ = 0.0;
  std::uint64_t weight_ = 0, examples_ = 0, positives_ = 0;
};

// Looks at states one after the other, and adds their examples to the reservoirs of labels.
class Looker {
public:
  Looker(const TrainingStates &states, const LabelClassifiers &classifiers,
         const PoolOptions &options)
      : states_(states), options_(options), known_(classifiers), own_(states.labels().phrases()) {}

  // States of a sentence follow each other and share most of their candidates, which are scored
  // once.
  void look(std::size_t state) {
    if (sentence_ != states_.sentence_of(state))
      known_.clear();
    sentence_ = states_.sentence_of(state);
    const TreeCut cut = states_.cut(state);
    const decision_trees::Draw draw{~options_.seed, options_.number};
    if (options_.share < 1.0 && draw.uniform(state) > options_.share) {
      for (const auto &[one, label] : states_.positives_of(state))
        add(state, one, label, known_.scores(cut, one)[label - states_.labels().tags]);
      return;
    }
    states_.strategies().each(cut.frontier.size(), cut.last, [&](Candidate one) {
      const auto h = known_.scores(cut, one);
      for (std::size_t n = 0; n < h.size(); ++n)
        if (const auto label = static_cast<std::uint16_t>(states_.labels().tags + n);
            cut.allows(states_.labels(), one, label))
          add(state, one, label, h[n]);
    });
  }
  std::span<const Reservoir> reservoirs() const { return own_; }

private:
  void add(std::size_t state, Candidate one, std::uint16_t label, double h) {
    const auto [is_correct, own] = states_.judged(state, one, label);
    const float bias = is_correct ? own : own / static_cast<float>(options_.share);
    const double odds = decision_trees::odds_of(is_correct ? h : -h);
    const double weight = static_cast<double>(bias) / (1.0 + odds);
    const std::size_t n = label - states_.labels().tags;
    own_[n].count(weight, is_correct);
    if (weight <= 0.0)
      return;
    const auto pointer = TrainingStates::pointer(state, one);
    const decision_trees::Draw draw{options_.seed, options_.number * own_.size() + n};
    const auto y = static_cast<std::int8_t>(is_correct ? 1 : -1);
    own_[n].add({weight / draw.uniform(pointer), weight, h, pointer, bias, y}, options_.size + 1);
  }

  const TrainingStates &states_;
  const PoolOptions &options_;
  KnownScores known_;
  std::vector<Reservoir> own_;
  std::uint32_t sentence_ = unknown_word;
};

} // namespace

std::vector<ExamplePool> draw_pools(const TrainingStates &states,
                                    const LabelClassifiers &classifiers, const PoolOptions &options,
                                    const base::Threads &threads) {
  if (options.size == 0)
    throw std::invalid_argument("a pool must have examples");
  if (!(options.share > 0.0 && options.share <= 1.0))
    throw std::invalid_argument("share must lie above 0, and not above 1");
  const auto phrases = states.labels().phrases();
  std::vector<Reservoir> all(phrases);
  std::mutex mutex;
  base::in_blocks(states.size(), states_per_block, threads,
                  [&](std::size_t begin, std::size_t end) {
                    Looker looker(states, classifiers, options);
                    for (auto state = begin; state < end; ++state)
                      looker.look(state);
                    const std::lock_guard lock(mutex);
                    for (std::size_t n = 0; n < phrases; ++n)
                      all[n].add_all(looker.reservoirs()[n], options.size + 1);
                  });
  std::vector<ExamplePool> pools;
  for (auto &one : all)
    pools.push_back(one.pool(options.size));
  return pools;
}

} // namespace runoff::classification
