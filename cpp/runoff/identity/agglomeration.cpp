#include "runoff/identity/agglomeration.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>

namespace runoff::identity {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

std::uint32_t index32(std::size_t index) { return static_cast<std::uint32_t>(index); }

// What the restaurant process gives a merge of sets of these sizes.
double prior_gain(double concentration, std::uint64_t a, std::uint64_t b) {
  if (concentration <= 0)
    return 0.0;
  const auto x = static_cast<double>(a), y = static_cast<double>(b);
  return std::lgamma(x + y) - std::lgamma(x) - std::lgamma(y) - std::log(concentration);
}

} // namespace

bool Agglomeration::Entry::operator<(const Entry &other) const {
  if (gain != other.gain)
    return gain < other.gain;
  return std::pair(a, b) > std::pair(other.a, other.b);
}

Agglomeration::Agglomeration(const Sets &sets, std::span<const double> weights,
                             const MergeRule &rule, std::span<const std::uint32_t> start,
                             std::span<const std::uint32_t> apart_left,
                             std::span<const std::uint32_t> apart_right, const base::Poll &poll)
    : sets_(sets), language_(sets.language()), weights_(weights), rule_(rule) {
  const auto n = sets.size();
  if (weights.size() != language_.size() || start.size() != n ||
      apart_left.size() != apart_right.size())
    throw std::invalid_argument("weights, start and records do not fit together");
  parent_.resize(n);
  for (std::size_t r = 0; r < n; ++r)
    parent_[r] = index32(r);
  stamps_.assign(n, 0);
  places_.assign(n, none);
  scores_.assign(n, 0.0);
  links_.resize(n);
  for (std::size_t r = 0; r < n; ++r) {
    links_[r].reserve(sets.neighbours(r).size());
    for (const auto [other, pair] : sets.neighbours(r))
      links_[r].push_back({other, pair});
    std::ranges::sort(links_[r], {}, &Link::other);
    language_.clear(work_);
    sets_.add_record(r, work_);
    if (work_.size > 1) {
      for (std::size_t c = 0; c < work_.counts.size(); ++c)
        work_.counts[c] = sets_.label(r, c) == none ? 0 : 1;
      scores_[r] = language_.score(weights_, work_);
    }
  }
  own_scores_ = scores_;
  edges_.resize(sets.pairs());
  for (std::size_t p = 0; p < sets.pairs(); ++p)
    edges_[p] = {index32(p), none, sets.weight(p), false};
  for (std::size_t i = 0; i < apart_left.size(); ++i) {
    const auto a = apart_left[i], b = apart_right[i];
    if (a >= n || b >= n || a == b)
      throw std::invalid_argument("records that are kept apart must be two records");
    auto &own = links_[a];
    const auto at = std::ranges::lower_bound(own, b, {}, &Link::other);
    if (at != own.end() && at->other == b) {
      edges_[at->edge].forbidden = true;
      continue;
    }
    edges_.push_back({none, none, 0, true});
    own.insert(at, {b, index32(edges_.size() - 1)});
    auto &theirs = links_[b];
    theirs.insert(std::ranges::lower_bound(theirs, a, {}, &Link::other),
                  {a, index32(edges_.size() - 1)});
  }
  for (std::size_t r = 0; r < n; ++r) {
    if (start[r] >= n)
      throw std::invalid_argument("records start in sets that are not there");
    const auto a = root(start[r]), b = root(index32(r));
    if (a == b)
      continue;
    if (edge_between(a, b).forbidden)
      throw std::invalid_argument("records that are kept apart are in one set");
    merge(std::min(a, b), std::max(a, b));
  }
  push_all(poll);
}

std::uint32_t Agglomeration::root(std::uint32_t record) const {
  while (parent_[record] != record)
    record = parent_[record];
  return record;
}

std::span<double> Agglomeration::slot(std::uint32_t index) {
  const auto width = language_.pairs().size();
  return std::span(slots_).subspan(index * width, width);
}

std::span<const double> Agglomeration::slot(std::uint32_t index) const {
  const auto width = language_.pairs().size();
  return std::span(slots_).subspan(index * width, width);
}

std::uint32_t Agglomeration::new_slot() {
  if (!free_slots_.empty()) {
    const auto found = free_slots_.back();
    free_slots_.pop_back();
    return found;
  }
  const auto width = language_.pairs().size();
  slots_.resize(slots_.size() + width);
  return index32(slots_.size() / width - 1);
}

void Agglomeration::release(Edge &edge) {
  if (edge.slot != none)
    free_slots_.push_back(edge.slot);
  edge = {};
}

void Agglomeration::add_edge(const Edge &edge, std::span<double> folded) const {
  if (edge.pair != none)
    sets_.add_pair(edge.pair, folded);
  if (edge.slot == none)
    return;
  language_.pairs().join(folded, slot(edge.slot));
}

Agglomeration::Edge Agglomeration::joined(const Edge &a, const Edge &b) {
  Edge made{none, none, a.count + b.count, a.forbidden || b.forbidden};
  if (made.count == 0)
    return made;
  made.slot = new_slot();
  const auto folded = slot(made.slot);
  language_.pairs().clear(folded);
  add_edge(a, folded);
  add_edge(b, folded);
  return made;
}

void Agglomeration::add_set(std::uint32_t set, Summary &summary) const {
  if (places_[set] == none) {
    sets_.add_record(set, summary);
    return;
  }
  const auto &own = merged_[places_[set]].summary;
  const auto pairs = language_.pairs().size();
  language_.pairs().join(summary.folded, own.folded);
  language_.records().join(std::span(summary.folded).subspan(pairs),
                           std::span(own.folded).subspan(pairs));
  summary.size += own.size;
  summary.compared += own.compared;
}

// Adds the pairs between the two parts of a union: to its own, and to those between.
void Agglomeration::add_between(const Edge &edge, Summary &summary) const {
  const auto between = std::span(summary.folded).subspan(language_.joint());
  add_edge(edge, between);
  language_.pairs().join(summary.folded, between);
  summary.between += edge.count;
  summary.compared += edge.count;
}

void Agglomeration::forget_between(Summary &summary) const {
  language_.pairs().clear(std::span(summary.folded).subspan(language_.joint()));
  summary.between = summary.across = 0;
}

// The log-odds of a set by what is said of itself, not of the pairs that its last merge joined.
double Agglomeration::own_score(Summary summary) const {
  forget_between(summary);
  return language_.score(weights_, summary);
}

// The aggregates of the union, in a place that the next call uses again.
Summary &Agglomeration::merged(std::uint32_t a, std::uint32_t b, const Edge &edge) const {
  language_.clear(work_);
  add_set(a, work_);
  const auto first = work_.size;
  add_set(b, work_);
  add_between(edge, work_);
  work_.across = first * (work_.size - first);
  const auto labels = [&](std::uint32_t set, std::size_t column,
                          std::vector<std::uint32_t> &single) -> const auto & {
    if (places_[set] != none)
      return merged_[places_[set]].labels[column];
    single.clear();
    if (const auto one = sets_.label(set, column); one != none)
      single.push_back(one);
    return single;
  };
  for (std::size_t column = 0; column < work_.counts.size(); ++column) {
    const auto &x = labels(a, column, labels_a_);
    const auto &y = labels(b, column, labels_b_);
    std::size_t shared = 0, i = 0, j = 0;
    while (i < x.size() && j < y.size()) {
      if (x[i] == y[j])
        ++shared, ++i, ++j;
      else if (x[i] < y[j])
        ++i;
      else
        ++j;
    }
    work_.counts[column] = index32(std::min(x.size() + y.size() - shared, most_distinct));
  }
  return work_;
}

double Agglomeration::gain(std::uint32_t a, std::uint32_t b, const Edge &edge,
                           double *score) const {
  if (edge.forbidden)
    return never;
  const auto &made = merged(a, b, edge);
  const double found = language_.score(weights_, made);
  if (score != nullptr)
    *score = found;
  const auto size = [this](std::uint32_t set) {
    if (places_[set] != none)
      return merged_[places_[set]].summary.size;
    Summary one;
    language_.clear(one);
    sets_.add_record(set, one);
    return one.size;
  };
  const double prior =
      rule_.concentration > 0 ? prior_gain(rule_.concentration, size(a), size(b)) : 0.0;
  return prior + (rule_.difference ? found - own_scores_[a] - own_scores_[b] : found);
}

const Agglomeration::Edge &Agglomeration::edge_between(std::uint32_t a, std::uint32_t b) const {
  static const Edge nothing;
  const auto at = std::ranges::lower_bound(links_[a], b, {}, &Link::other);
  return at != links_[a].end() && at->other == b ? edges_[at->edge] : nothing;
}

void Agglomeration::push(std::uint32_t a, std::uint32_t b, std::uint32_t edge) {
  if (a > b)
    std::swap(a, b);
  const double found = gain(a, b, edges_[edge]);
  if (found > rule_.stop)
    heap_.push({found, a, b, stamps_[a], stamps_[b]});
}

void Agglomeration::push_all(const base::Poll &poll) {
  heap_ = {};
  std::size_t seen = 0;
  for (std::size_t r = 0; r < links_.size(); ++r) {
    if (parent_[r] != r)
      continue;
    for (const auto [other, edge] : links_[r])
      if (other > r) {
        if (++seen % 65536 == 0)
          poll();
        push(index32(r), other, edge);
      }
  }
}

bool Agglomeration::valid(const Entry &entry) const {
  return parent_[entry.a] == entry.a && parent_[entry.b] == entry.b &&
         stamps_[entry.a] == entry.stamp_a && stamps_[entry.b] == entry.stamp_b;
}

// Replaces the link of `set` to `old`, if there is one, by one to `now`.
void Agglomeration::relink(std::uint32_t set, std::uint32_t old, std::uint32_t now,
                           std::uint32_t edge) {
  auto &links = links_[set];
  if (const auto at = std::ranges::lower_bound(links, old, {}, &Link::other);
      at != links.end() && at->other == old)
    links.erase(at);
  const auto at = std::ranges::lower_bound(links, now, {}, &Link::other);
  if (at != links.end() && at->other == now)
    at->edge = edge;
  else
    links.insert(at, {now, edge});
}

// The links of both sets become those of the one that is kept.
void Agglomeration::join_links(std::uint32_t kept, std::uint32_t lost) {
  const auto mine = std::move(links_[kept]), theirs = std::move(links_[lost]);
  std::vector<Link> made;
  made.reserve(mine.size() + theirs.size());
  std::size_t i = 0, j = 0;
  while (i < mine.size() || j < theirs.size()) {
    if (i < mine.size() && mine[i].other == lost) {
      release(edges_[mine[i++].edge]);
      continue;
    }
    if (j < theirs.size() && theirs[j].other == kept) {
      ++j;
      continue;
    }
    if (j == theirs.size() || (i < mine.size() && mine[i].other < theirs[j].other)) {
      made.push_back(mine[i++]);
    } else if (i == mine.size() || theirs[j].other < mine[i].other) {
      made.push_back(theirs[j]);
      relink(theirs[j].other, lost, kept, theirs[j].edge);
      ++j;
    } else {
      const auto edge = joined(edges_[mine[i].edge], edges_[theirs[j].edge]);
      release(edges_[mine[i].edge]);
      release(edges_[theirs[j].edge]);
      edges_[mine[i].edge] = edge;
      made.push_back(mine[i]);
      relink(mine[i].other, lost, kept, mine[i].edge);
      ++i, ++j;
    }
  }
  links_[kept] = std::move(made);
  links_[lost] = {};
}

Merge Agglomeration::merge(std::uint32_t kept, std::uint32_t lost) {
  const auto edge = edge_between(kept, lost);
  Merge made{kept, lost, 0.0, 0.0};
  made.gain = gain(kept, lost, edge, &made.score);
  Set joint;
  joint.summary = merged(kept, lost, edge);
  if (rule_.difference)
    own_scores_[kept] = own_score(joint.summary);
  joint.summary.folded.resize(language_.joint()); // nobody asks again for what was between
  joint.summary.folded.shrink_to_fit();
  joint.labels.resize(language_.label_columns());
  for (std::size_t column = 0; column < joint.labels.size(); ++column) {
    std::vector<std::uint32_t> all;
    for (const auto set : {kept, lost}) {
      if (places_[set] != none)
        std::ranges::copy(merged_[places_[set]].labels[column], std::back_inserter(all));
      else if (const auto one = sets_.label(set, column); one != none)
        all.push_back(one);
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    all.resize(std::min(all.size(), most_distinct));
    joint.labels[column] = std::move(all);
  }
  if (places_[lost] != none) {
    merged_[places_[lost]] = {};
    free_sets_.push_back(places_[lost]);
    places_[lost] = none;
  }
  if (places_[kept] == none) {
    if (free_sets_.empty()) {
      places_[kept] = index32(merged_.size());
      merged_.emplace_back();
    } else {
      places_[kept] = free_sets_.back();
      free_sets_.pop_back();
    }
  }
  merged_[places_[kept]] = std::move(joint);
  scores_[kept] = made.score;
  parent_[lost] = kept;
  ++stamps_[kept];
  join_links(kept, lost);
  if (links_[kept].empty()) { // no merge will ever ask for it
    merged_[places_[kept]] = {};
    free_sets_.push_back(places_[kept]);
    places_[kept] = none;
  }
  return made;
}

std::vector<Merge> Agglomeration::run(const base::Poll &poll) {
  std::vector<Merge> made;
  while (!heap_.empty()) {
    const auto best = heap_.top();
    heap_.pop();
    if (!valid(best))
      continue;
    if (made.size() % 256 == 0)
      poll();
    made.push_back(merge(best.a, best.b));
    for (const auto [other, edge] : links_[best.a])
      push(best.a, other, edge);
  }
  return made;
}

std::vector<Merge> Agglomeration::look_ahead(double margin, const base::Poll &poll) {
  std::vector<Merge> made;
  while (true) {
    double best_gain = rule_.stop;
    std::uint32_t best_a = none, best_b = none, best_c = none;
    for (std::size_t r = 0; r < links_.size(); ++r) {
      if (parent_[r] != r)
        continue;
      const auto a = index32(r);
      poll();
      for (const auto [b, edge] : links_[a]) {
        if (b < a)
          continue;
        const double first = gain(a, b, edges_[edge]);
        if (!(first > rule_.stop - margin))
          continue;
        const Summary pair = merged(a, b, edges_[edge]);
        const double parts = rule_.difference ? own_score(pair) : 0.0;
        std::vector<std::uint32_t> thirds;
        for (const auto &links : {links_[a], links_[b]})
          for (const auto link : links)
            if (link.other != a && link.other != b)
              thirds.push_back(link.other);
        std::ranges::sort(thirds);
        thirds.erase(std::ranges::unique(thirds).begin(), thirds.end());
        for (const auto c : thirds) {
          const auto &x = edge_between(a, c), &y = edge_between(b, c);
          if (x.forbidden || y.forbidden)
            continue;
          Summary triple = pair;
          forget_between(triple);
          const auto before = triple.size;
          add_set(c, triple);
          add_edge(y, std::span(triple.folded).subspan(language_.joint()));
          triple.between += y.count;
          triple.compared += y.count;
          add_between(x, triple);
          triple.across = before * (triple.size - before);
          std::vector<std::uint32_t> members;
          for (std::size_t column = 0; column < triple.counts.size(); ++column) {
            members.clear();
            for (const auto set : {a, b, c}) {
              if (places_[set] != none)
                std::ranges::copy(merged_[places_[set]].labels[column],
                                  std::back_inserter(members));
              else if (const auto one = sets_.label(set, column); one != none)
                members.push_back(one);
            }
            std::ranges::sort(members);
            const auto distinct = std::ranges::unique(members).begin() - members.begin();
            triple.counts[column] =
                index32(std::min(static_cast<std::size_t>(distinct), most_distinct));
          }
          const double all = language_.score(weights_, triple);
          const double second = rule_.difference ? all - parts - own_scores_[c] : all;
          const double together = std::min(first, 0.0) + second;
          if (together > best_gain) {
            best_gain = together;
            best_a = a, best_b = b, best_c = c;
          }
        }
      }
    }
    if (best_a == none)
      return made;
    made.push_back(merge(best_a, best_b));
    const auto low = std::min(best_a, best_c), high = std::max(best_a, best_c);
    made.push_back(merge(low, high));
    for (const auto [other, edge] : links_[low])
      push(low, other, edge);
    const auto rest = run(poll);
    made.insert(made.end(), rest.begin(), rest.end());
  }
}

void Agglomeration::take(std::uint32_t a, std::uint32_t b, bool right, Samples &samples) const {
  const auto &joint = merged(a, b, edge_between(a, b));
  for (std::size_t i = 0; i < language_.size(); ++i)
    samples.values.push_back(language_.value(i, joint));
  samples.sizes.push_back(index32(joint.size));
  samples.right.push_back(right);
  const auto start = samples.parts.size();
  samples.parts.resize(start + language_.size(), 0.0);
  for (const auto set : {a, b}) {
    Summary own;
    language_.clear(own);
    add_set(set, own);
    for (std::size_t c = 0; c < own.counts.size(); ++c)
      own.counts[c] = places_[set] != none ? index32(merged_[places_[set]].labels[c].size())
                                           : (sets_.label(set, c) == none ? 0 : 1);
    for (std::size_t i = 0; own.size > 1 && i < language_.size(); ++i)
      samples.parts[start + i] += language_.value(i, own);
  }
}

Samples Agglomeration::sample(std::span<const std::uint32_t> gold, Sampling how,
                              std::uint64_t every, std::size_t most, const base::Poll &poll) {
  if (gold.size() != sets_.size())
    throw std::invalid_argument("every record needs a gold cluster");
  std::vector<std::map<std::uint32_t, std::uint64_t>> things(gold.size()); // by set
  for (std::size_t r = 0; r < gold.size(); ++r)
    things[root(index32(r))][gold[r]] += sets_.copies(r);
  const auto main_thing = [&](std::uint32_t set) {
    const auto fewer = [](const auto &x, const auto &y) { return x.second < y.second; };
    return std::ranges::max_element(things[set], fewer)->first;
  };
  const auto right = [&](std::uint32_t a, std::uint32_t b) {
    return main_thing(a) == main_thing(b);
  };
  const auto taken = [every](std::uint64_t a, std::uint64_t b, std::uint64_t stamp) {
    auto mixed = (a << 40) ^ (b << 16) ^ stamp;
    mixed = (mixed ^ (mixed >> 31)) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u;
    return every != 0 && (mixed ^ (mixed >> 32)) % every == 0;
  };
  Samples samples;
  while (!heap_.empty() && samples.right.size() < most) {
    const auto best = heap_.top();
    heap_.pop();
    if (!valid(best))
      continue;
    if (samples.right.size() % 256 == 0)
      poll();
    const bool good = right(best.a, best.b);
    take(best.a, best.b, good, samples);
    if (!good && how == Sampling::guided)
      continue;
    for (const auto &[thing, count] : things[best.b])
      things[best.a][thing] += count;
    merge(best.a, best.b);
    for (const auto [other, edge] : links_[best.a]) {
      push(best.a, other, edge);
      if (taken(best.a, other, stamps_[best.a]) && !edges_[edge].forbidden)
        take(best.a, other, right(best.a, other), samples);
    }
  }
  return samples;
}

std::vector<std::uint32_t> Agglomeration::assignment() const {
  std::vector<std::uint32_t> found(parent_.size());
  for (std::size_t r = 0; r < found.size(); ++r)
    found[r] = root(index32(r));
  return found;
}

std::vector<double> Agglomeration::scores() const {
  std::vector<double> found(parent_.size());
  for (std::size_t r = 0; r < found.size(); ++r)
    found[r] = scores_[root(index32(r))];
  return found;
}

std::vector<double> Agglomeration::doubts() const {
  std::vector<double> found(parent_.size(), never);
  for (std::size_t r = 0; r < links_.size(); ++r) {
    if (parent_[r] != r)
      continue;
    for (const auto [other, edge] : links_[r])
      if (other > r) {
        const double one = gain(index32(r), other, edges_[edge]);
        found[r] = std::max(found[r], one);
        found[other] = std::max(found[other], one);
      }
  }
  for (std::size_t r = 0; r < found.size(); ++r)
    found[r] = found[root(index32(r))];
  return found;
}

std::vector<Merge> Agglomeration::open(std::size_t most) const {
  std::vector<Merge> found;
  const auto before = [](const Merge &x, const Merge &y) {
    return std::tuple(-x.gain, x.kept, x.lost) < std::tuple(-y.gain, y.kept, y.lost);
  };
  for (std::size_t r = 0; r < links_.size(); ++r) {
    if (parent_[r] != r)
      continue;
    for (const auto [other, edge] : links_[r])
      if (other > r && !edges_[edge].forbidden) {
        Merge one{index32(r), other, 0.0, 0.0};
        one.gain = gain(one.kept, one.lost, edges_[edge], &one.score);
        found.push_back(one);
        if (found.size() >= 2 * most + 1024) {
          std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(most),
                                    before);
          found.resize(most);
        }
      }
  }
  std::ranges::sort(found, before);
  found.resize(std::min(found.size(), most));
  return found;
}

} // namespace runoff::identity
