#include "runoff/boosting/subtree_boosting.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace runoff::boosting {
namespace {

constexpr std::size_t n_leaders = 32; // whose gains a search begins with
constexpr std::size_t block = 16;     // entries that a thread takes at a time

std::vector<std::uint32_t> best_of(std::vector<SeenSubtree> &seen, std::size_t n,
                                   const SubtreeCache &cache) {
  n = std::min(n, seen.size());
  std::ranges::partial_sort(seen, seen.begin() + static_cast<std::ptrdiff_t>(n),
                            [&](const SeenSubtree &one, const SeenSubtree &other) {
                              return one.gain != other.gain
                                         ? one.gain > other.gain
                                         : cache.precedes(one.entry, other.entry);
                            });
  std::vector<std::uint32_t> entries;
  for (std::size_t i = 0; i < n; ++i)
    entries.push_back(seen[i].entry);
  return entries;
}

} // namespace

void SubtreeDev::add(std::uint32_t number, const SubtreeCache &cache, std::uint32_t entry,
                     double delta, DevCurve &curve) {
  const auto [at, is_new] = candidates_.try_emplace(number);
  if (is_new) {
    std::vector<std::uint32_t> labels;
    std::vector<std::uint16_t> depths;
    cache.write(entry, labels, depths);
    at->second = trees_.candidates_with({labels, depths});
  }
  curve.add(at->second, delta);
}

SubtreeChoice::SubtreeChoice(const SubtreeCache &cache, const PairWeights &weights,
                             std::vector<std::uint32_t> entries, const base::Threads &threads)
    : cache_(cache), entries_(std::move(entries)), own_start_(1, 0) {
  std::vector<std::vector<Told>> told(entries_.size());
  base::in_blocks(entries_.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    for (; begin < end; ++begin)
      cache.visit_told(entries_[begin],
                       [&](std::uint32_t group, bool has_best, std::uint64_t pairs) {
                         told[begin].push_back({pairs, group, has_best});
                       });
  });
  std::size_t groups = 0;
  for (const auto &own : told) {
    own_.insert(own_.end(), own.begin(), own.end());
    own_start_.push_back(own_.size());
    if (!own.empty())
      groups = std::max<std::size_t>(groups, own.back().place + 1);
  }
  group_start_.assign(groups + 1, 0);
  for (const auto &one : own_)
    ++group_start_[one.place + 1];
  std::partial_sum(group_start_.begin(), group_start_.end(), group_start_.begin());
  by_group_.resize(own_.size());
  auto next = group_start_;
  for (std::uint32_t place = 0; place < entries_.size(); ++place)
    for (const auto &one : told[place])
      by_group_[next[one.place]++] = {one.told, place, one.has_best};
  recompute(weights);
}

void SubtreeChoice::recompute(const PairWeights &weights) {
  sums_.assign(entries_.size(), {});
  for (std::size_t place = 0; place < entries_.size(); ++place)
    for (auto at = own_start_[place]; at < own_start_[place + 1]; ++at)
      (own_[at].has_best ? sums_[place].plus : sums_[place].minus) +=
          weights.sum(own_[at].place, own_[at].told);
}

std::size_t SubtreeChoice::best() const {
  std::size_t best = 0;
  double gain = -1.0;
  for (std::size_t place = 0; place < sums_.size(); ++place)
    if (const double own = sums_[place].gain(); own > gain) {
      gain = own;
      best = place;
    }
  return best;
}

std::vector<std::uint32_t> SubtreeChoice::highest(std::size_t n) const {
  std::vector<SeenSubtree> seen;
  for (std::size_t place = 0; place < entries_.size(); ++place)
    seen.push_back({sums_[place].gain(), entries_[place]});
  return best_of(seen, n, cache_);
}

void SubtreeChoice::update(std::size_t place, double delta, PairWeights &weights) {
  std::vector<std::int64_t> changes;
  for (auto at = own_start_[place]; at < own_start_[place + 1]; ++at) {
    const auto &own = own_[at];
    weights.add(own.place, own.told, own.has_best ? -delta : delta, changes);
    std::size_t first = 0; // of the changes of a group
    for (const auto group : weights.moved_by(own.place)) {
      if (group < group_start_.size() - 1)
        for (auto one = group_start_[group]; one < group_start_[group + 1]; ++one) {
          const auto &other = by_group_[one];
          std::int64_t sum = 0;
          for (auto rest = other.told; rest != 0; rest &= rest - 1)
            sum += changes[first + static_cast<std::size_t>(std::countr_zero(rest))];
          (other.has_best ? sums_[other.place].plus : sums_[other.place].minus) += sum;
        }
      first += weights.size(group);
    }
  }
  if (weights.rescale())
    recompute(weights);
}

SubtreeBooster::SubtreeBooster(const trees::SharedTrees &trees, std::span<const double> exponents,
                               const SubtreeSchedule &schedule)
    : trees_(trees), schedule_(schedule), weights_(trees, schedule.loss, exponents),
      cache_(std::make_unique<SubtreeCache>(trees, weights_)) {}

double SubtreeBooster::delta(const SubtreeSums &sums) const {
  const double smooth = schedule_.smoothing * static_cast<double>(weights_.total());
  return 0.5 * std::log((static_cast<double>(sums.plus) + smooth) /
                        (static_cast<double>(sums.minus) + smooth));
}

void SubtreeBooster::offer(std::uint32_t entry, const SubtreeSums &sums, Best &best) const {
  const double gain = sums.gain();
  if (gain > best.gain || (gain == best.gain && gain > 0.0 && entry != best.entry &&
                           cache_->precedes(entry, best.entry)))
    best = {gain, entry, sums};
}

// Whether an extension may be better than the best so far, or as good and smaller.
bool SubtreeBooster::may_extend(std::uint32_t entry, double bound, const Best &best) const {
  return bound > best.gain ||
         (bound == best.gain && bound > 0.0 && (*cache_)[entry].size < (*cache_)[best.entry].size);
}

// The best of all subtrees, by branch and bound: those of one node, then those of two, and so on.
// What is extended depends on the gains of a whole size, so not on the order of threads.
SubtreeBooster::Best SubtreeBooster::search(SubtreeRound &done, const base::Threads &threads) {
  Best best;
  for (const auto entry : leaders_)
    offer(entry, cache_->sums(entry, weights_), best);
  seen_.clear();
  std::vector<std::uint32_t> level(cache_->single_nodes()), more, fresh;
  std::iota(level.begin(), level.end(), 0);
  std::vector<SubtreeSums> sums;
  while (!level.empty()) {
    sums.assign(level.size(), {});
    base::in_blocks(level.size(), block, threads, [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin)
        sums[begin] = cache_->sums(level[begin], weights_);
    });
    for (std::size_t i = 0; i < level.size(); ++i) {
      offer(level[i], sums[i], best);
      if (const double gain = sums[i].gain(); gain > 0.0)
        seen_.push_back({gain, level[i]});
    }
    done.visited += level.size();
    more.clear();
    fresh.clear();
    for (std::size_t i = 0; i < level.size(); ++i) {
      if ((*cache_)[level[i]].size == trees_.size())
        continue;
      if (!may_extend(level[i], sums[i].bound(), best)) {
        ++done.pruned;
        continue;
      }
      more.push_back(level[i]);
      if (!(*cache_)[level[i]].is_extended())
        fresh.push_back(level[i]);
    }
    cache_->extend(fresh, threads);
    level.clear();
    for (const auto entry : more)
      for (std::uint32_t child = 0; child < (*cache_)[entry].children; ++child)
        level.push_back((*cache_)[entry].first_child + child);
  }
  return best;
}

// Of what the last search has seen, the entries of the highest gains.
std::vector<std::uint32_t> SubtreeBooster::highest(std::size_t n) {
  return best_of(seen_, n, *cache_);
}

std::vector<std::uint32_t> SubtreeBooster::telling(std::size_t n) {
  auto entries = best_of(seen_, n, *cache_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (i == 0 || seen_[i].gain != seen_[i - 1].gain)
      entries[kept++] = entries[i];
  entries.resize(kept);
  return entries;
}

// What the rounds up to the end of the cycle choose from: the highest gains of the last search, and
// what was chosen before.
void SubtreeBooster::choose(const base::Threads &threads) {
  auto entries = highest(schedule_.choice);
  entries.insert(entries.end(), chosen_.begin(), chosen_.end());
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::ranges::sort(entries, [this](std::uint32_t one, std::uint32_t other) {
    return cache_->precedes(one, other);
  });
  choice_ = std::make_unique<SubtreeChoice>(*cache_, weights_, std::move(entries), threads);
}

void SubtreeBooster::change(std::uint32_t entry, double delta) {
  cache_->visit_told(entry, [&](std::uint32_t group, bool has_best, std::uint64_t told) {
    weights_.add(group, told, has_best ? -delta : delta, changes_);
  });
}

bool SubtreeBooster::is_worth(double gain, double delta) {
  return gain > 0.0 && delta != 0.0 && std::isfinite(delta);
}

bool SubtreeBooster::round(SubtreeRound &done, const base::Threads &threads) {
  done = {};
  has_searched_ = false;
  threads.poll();
  if (step_ >= schedule_.search_rounds) {
    if (!choice_)
      choose(threads);
    const auto place = choice_->best();
    const auto sums = choice_->sums(place);
    if (const double by = delta(sums); is_worth(sums.gain(), by)) {
      choice_->update(place, by, weights_);
      finish(choice_->entry(place), by, done, threads);
      return true;
    }
    end_cycle(threads);
  }
  const auto best = search(done, threads);
  const double by = delta(best.sums);
  if (!is_worth(best.gain, by))
    return false;
  change(best.entry, by);
  weights_.rescale();
  leaders_ = highest(n_leaders);
  has_searched_ = step_ + 1 == schedule_.search_rounds;
  finish(best.entry, by, done, threads);
  return true;
}

void SubtreeBooster::finish(std::uint32_t entry, double by, SubtreeRound &done,
                            const base::Threads &threads) {
  const auto [at, is_new] = number_.try_emplace(entry, static_cast<std::uint32_t>(chosen_.size()));
  if (is_new)
    chosen_.push_back(entry);
  done.subtree = at->second;
  done.delta = by;
  done.loss = loss();
  if (++step_ == schedule_.search_rounds + schedule_.cache_rounds)
    end_cycle(threads);
}

void SubtreeBooster::end_cycle(const base::Threads &threads) {
  if (choice_)
    leaders_ = choice_->highest(n_leaders);
  choice_.reset();
  step_ = 0;
  if (cache_->bytes() > schedule_.cache_bytes)
    forget(threads);
}

// Makes the cache anew, with the subtrees that were chosen and the leaders.
void SubtreeBooster::forget(const base::Threads &threads) {
  const auto old = std::move(cache_);
  cache_ = std::make_unique<SubtreeCache>(trees_, weights_);
  seen_.clear();
  number_.clear();
  for (auto *entries : {&chosen_, &leaders_})
    for (auto &entry : *entries)
      entry = cache_->add(*old, entry, threads);
  for (std::uint32_t number = 0; number < chosen_.size(); ++number)
    number_[chosen_[number]] = number;
}

void SubtreeBooster::replay(std::span<const std::uint32_t> extended,
                            std::span<const std::uint32_t> chosen,
                            std::span<const std::uint32_t> leaders,
                            std::span<const std::uint32_t> subtrees, std::span<const double> deltas,
                            double scale, const base::Threads &threads) {
  cache_->extend_again(extended, threads);
  const auto is_known = [this](std::uint32_t entry) { return entry < cache_->size(); };
  const auto is_chosen = [&](std::uint32_t number) { return number < chosen.size(); };
  if (subtrees.size() != deltas.size() || !(scale > 0.0) || !std::isfinite(scale) ||
      !std::ranges::all_of(chosen, is_known) || !std::ranges::all_of(leaders, is_known) ||
      !std::ranges::all_of(subtrees, is_chosen))
    throw std::invalid_argument("the rounds to replay are broken");
  chosen_.assign(chosen.begin(), chosen.end());
  leaders_.assign(leaders.begin(), leaders.end());
  for (std::uint32_t number = 0; number < chosen_.size(); ++number)
    number_[chosen_[number]] = number;
  for (std::size_t i = 0; i < subtrees.size(); ++i) {
    threads.poll();
    change(chosen_[subtrees[i]], deltas[i]);
  }
  weights_.recompute(scale);
}

} // namespace runoff::boosting
