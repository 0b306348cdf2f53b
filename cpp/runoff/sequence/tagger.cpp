#include "runoff/sequence/tagger.hpp"

#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::sequence {
namespace {

constexpr std::size_t sentences_per_block = 16;

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// Joins what was found for each sentence.
template <typename T> void append(std::vector<T> &all, const std::vector<T> &some) {
  all.insert(all.end(), some.begin(), some.end());
}

} // namespace

// What the tagger knows about one sentence after another, word by word.
class TagLattice {
public:
  explicit TagLattice(const Tagger &tagger)
      : tagger_(tagger), n_(tagger.sets_.n_tags()), fixed_(n_), with_one_(n_), scores_(n_),
        logprobs_(n_) {}

  // Goes to a word; returns the tags that it may have.
  std::span<const Tag> enter(const TagSentence &sentence, std::size_t at) {
    sentence_ = &sentence;
    at_ = at;
    set_ = tagger_.sets_[sentence.set(at)];
    last_one_ = n_ + 1;
    if (set_.size() > 1) {
      std::ranges::fill(fixed_, 0.0);
      add(0, {}, fixed_);
    }
    return set_;
  }

  // log p(tag | history) of the tags of the word, in their order; quick where the tag before is
  // that of the last call.
  std::span<const double> logprobs(TagHistory history) {
    if (set_.size() == 1) {
      logprobs_[0] = 0.0;
      return {logprobs_.data(), 1};
    }
    if (history.one != last_one_) {
      std::ranges::copy(fixed_, with_one_.begin());
      add(1, history, with_one_);
      last_one_ = history.one;
    }
    std::ranges::copy(with_one_, scores_.begin());
    add(2, history, scores_);
    double highest = scores_[set_[0]], sum = 0.0;
    for (const Tag tag : set_)
      highest = std::max(highest, scores_[tag]);
    for (const Tag tag : set_)
      sum += std::exp(scores_[tag] - highest);
    const double shift = highest + std::log(sum);
    for (std::size_t i = 0; i < set_.size(); ++i)
      logprobs_[i] = scores_[set_[i]] - shift;
    return {logprobs_.data(), set_.size()};
  }

private:
  // Adds the weights of the templates that look back so many tags.
  void add(std::size_t back, TagHistory history, std::vector<double> &scores) {
    FeatureKey key;
    for (const auto pattern : tagger_.templates_.looking_back(back)) {
      if (!tagger_.templates_.find(pattern, *sentence_, at_, history, key))
        continue;
      const auto feature = tagger_.table_.find(key);
      if (feature == FeatureTable::none)
        continue;
      const auto end = static_cast<std::size_t>(tagger_.pair_offsets_[feature + 1]);
      for (auto i = static_cast<std::size_t>(tagger_.pair_offsets_[feature]); i < end; ++i)
        scores[tagger_.pair_tags_[i]] += static_cast<double>(tagger_.weights_[i]);
    }
  }

  const Tagger &tagger_;
  std::size_t n_;
  std::vector<double> fixed_, with_one_, scores_, logprobs_;
  const TagSentence *sentence_ = nullptr;
  std::size_t at_ = 0, last_one_ = 0;
  std::span<const Tag> set_;
};

namespace {

// A way to a word: the tag there, and the way to the word before.
struct Path {
  double logprob;
  std::uint32_t from;
  Tag tag;
};

bool better(const Path &a, const Path &b) {
  return a.logprob != b.logprob ? a.logprob > b.logprob : a.from < b.from;
}

// The last two tags, and the paths that end so, best first.
struct PathState {
  TagHistory history;
  std::size_t begin, end;
};

// States are kept by the probability of their best path; those of one last tag stay together.
class PathBeam {
public:
  PathBeam(std::size_t n, std::size_t beam, Tag outside)
      : n_(n), beam_(beam), states_{{{outside, outside}, 0, 1}}, columns_{{{0.0, 0, outside}}} {}

  void advance(std::span<const Tag> set, TagLattice &lattice) {
    new_states_.clear();
    auto &before = columns_.back();
    std::vector<Path> paths;
    // States of one last tag lie side by side: they lead to the same new states.
    for (std::size_t first = 0, last = 0; first < states_.size(); first = last) {
      while (last < states_.size() && states_[last].history.one == states_[first].history.one)
        ++last;
      if (logprobs_.size() < (last - first) * set.size())
        logprobs_.resize((last - first) * set.size());
      for (std::size_t i = first; i < last; ++i)
        std::ranges::copy(lattice.logprobs(states_[i].history),
                          logprobs_.begin() +
                              static_cast<std::ptrdiff_t>((i - first) * set.size()));
      for (std::size_t j = 0; j < set.size(); ++j)
        extend(first, last, j, set, before, paths);
    }
    prune(paths);
    columns_.push_back(std::move(paths));
    std::swap(states_, new_states_);
  }

  // The n best paths to the last word: places in its column, best first.
  std::vector<std::uint32_t> best() const {
    const auto &last = columns_.back();
    std::vector<std::uint32_t> order(last.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::sort(order, [&](auto a, auto b) {
      return last[a].logprob != last[b].logprob ? last[a].logprob > last[b].logprob : a < b;
    });
    order.resize(std::min(order.size(), n_));
    return order;
  }

  double logprob(std::uint32_t path) const { return columns_.back()[path].logprob; }

  std::vector<Tag> tags(std::uint32_t path) const {
    std::vector<Tag> tags(columns_.size() - 1);
    for (std::size_t at = tags.size(); at > 0; --at) {
      tags[at - 1] = columns_[at][path].tag;
      path = columns_[at][path].from;
    }
    return tags;
  }

private:
  // The best paths from states with one last tag to one tag of the word.
  void extend(std::size_t first, std::size_t last, std::size_t j, std::span<const Tag> set,
              const std::vector<Path> &before, std::vector<Path> &paths) {
    const std::size_t begin = paths.size();
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t from = states_[i].begin; from < states_[i].end; ++from)
        paths.push_back({before[from].logprob + logprobs_[(i - first) * set.size() + j],
                         static_cast<std::uint32_t>(from), set[j]});
    const auto start = paths.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto kept =
        std::min<std::ptrdiff_t>(paths.end() - start, static_cast<std::ptrdiff_t>(n_));
    std::partial_sort(start, start + kept, paths.end(), better);
    paths.resize(begin + static_cast<std::size_t>(kept));
    new_states_.push_back({{set[j], states_[first].history.one}, begin, paths.size()});
  }

  // Keeps the best states, sorted by their last tags.
  void prune(std::vector<Path> &paths) {
    const auto worth = [&](const PathState &state) { return paths[state.begin].logprob; };
    if (new_states_.size() > beam_) {
      std::ranges::stable_sort(new_states_, std::greater(), worth);
      new_states_.resize(beam_);
    }
    std::ranges::sort(new_states_, {}, [](const PathState &state) {
      return std::pair(state.history.one, state.history.two);
    });
    std::vector<Path> kept;
    for (auto &state : new_states_) {
      const std::size_t begin = kept.size();
      kept.insert(kept.end(), paths.begin() + static_cast<std::ptrdiff_t>(state.begin),
                  paths.begin() + static_cast<std::ptrdiff_t>(state.end));
      state.begin = begin;
      state.end = kept.size();
    }
    paths = std::move(kept);
  }

  std::size_t n_, beam_;
  std::vector<PathState> states_, new_states_;
  std::vector<std::vector<Path>> columns_;
  std::vector<double> logprobs_;
};

TagLists sentence_n_best(const TagSentence &sentence, TagLattice &lattice, PathBeam beam) {
  for (std::size_t at = 0; at < sentence.size(); ++at)
    beam.advance(lattice.enter(sentence, at), lattice);
  TagLists found;
  const auto best = beam.best();
  found.counts.push_back(static_cast<std::int64_t>(best.size()));
  for (const auto path : best) {
    found.logprobs.push_back(beam.logprob(path));
    append(found.tags, beam.tags(path));
  }
  return found;
}

// The last two tags, and the probability that they are so.
struct SumState {
  TagHistory history;
  double probability;
};

// Keeps the likeliest states, sorted by their last tags; their probabilities sum to 1.
void prune(std::vector<SumState> &states, std::size_t beam) {
  if (states.size() > beam) {
    std::ranges::stable_sort(states, std::greater(), &SumState::probability);
    states.resize(beam);
  }
  std::ranges::sort(states, {}, [](const SumState &state) {
    return std::pair(state.history.one, state.history.two);
  });
  double sum = 0.0;
  for (const auto &state : states)
    sum += state.probability;
  for (auto &state : states)
    state.probability /= sum;
}

// Adds the tags of a word that are likely enough.
void choose(std::span<const Tag> set, std::span<const double> probabilities, double ratio,
            TagChoices &found) {
  std::vector<std::size_t> order(set.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](auto i) { return probabilities[i]; });
  std::int64_t count = 0;
  for (const auto i : order) {
    if (probabilities[i] < ratio * probabilities[order[0]])
      break;
    ++count;
    found.tags.push_back(set[i]);
    found.probabilities.push_back(probabilities[i]);
  }
  found.counts.push_back(count);
}

TagChoices sentence_choices(const TagSentence &sentence, TagLattice &lattice, double ratio,
                            std::size_t beam, Tag outside) {
  TagChoices found;
  std::vector<SumState> states{{{outside, outside}, 1.0}}, next;
  std::vector<double> probabilities;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const auto set = lattice.enter(sentence, at);
    next.clear();
    probabilities.assign(set.size(), 0.0);
    for (std::size_t first = 0, last = 0; first < states.size(); first = last) {
      const std::size_t begin = next.size();
      for (const Tag tag : set)
        next.push_back({{tag, states[first].history.one}, 0.0});
      for (; last < states.size() && states[last].history.one == states[first].history.one;
           ++last) {
        const auto logprobs = lattice.logprobs(states[last].history);
        for (std::size_t j = 0; j < set.size(); ++j)
          next[begin + j].probability += states[last].probability * std::exp(logprobs[j]);
      }
      for (std::size_t j = 0; j < set.size(); ++j)
        probabilities[j] += next[begin + j].probability;
    }
    choose(set, probabilities, ratio, found);
    prune(next, beam);
    std::swap(states, next);
  }
  return found;
}

// What `one` finds for every sentence, in order.
template <typename Found, typename One>
std::vector<Found> each_sentence(const TagCorpus &corpus, const Tagger &tagger,
                                 const base::Threads &threads, const One &one) {
  std::vector<Found> found(corpus.sentences());
  base::in_blocks(corpus.sentences(), sentences_per_block, threads,
                  [&](std::size_t first, std::size_t last) {
                    TagLattice lattice(tagger);
                    for (std::size_t i = first; i < last; ++i)
                      found[i] = one(TagSentence(corpus, i), lattice);
                  });
  return found;
}

} // namespace

TagLists joined(std::span<const TagLists> lists) {
  TagLists all;
  for (const auto &one : lists) {
    append(all.counts, one.counts);
    append(all.logprobs, one.logprobs);
    append(all.tags, one.tags);
  }
  return all;
}

Tagger::Tagger(const TagTemplates &templates, const TagSets &sets, const TagWeights &given)
    : templates_(templates), sets_(sets),
      pair_offsets_(given.pair_offsets.begin(), given.pair_offsets.end()),
      pair_tags_(given.pair_tags.begin(), given.pair_tags.end()),
      weights_(given.weights.begin(), given.weights.end()) {
  base::check_offsets(given.pair_offsets, given.pair_tags.size(), "pair offsets");
  require(given.keys.size() == 4 * (given.pair_offsets.size() - 1) &&
              given.weights.size() == given.pair_tags.size(),
          "a feature needs four numbers as its key, and a tag and a weight for every pair");
  require(std::ranges::all_of(pair_tags_, [&](Tag tag) { return tag < sets.n_tags(); }),
          "a feature names a tag that is not there");
  require(std::ranges::all_of(weights_, [](float weight) { return std::isfinite(weight); }),
          "a weight is not a finite number");
  for (std::size_t i = 0; i < given.keys.size(); i += 4) {
    const auto *key = given.keys.data() + i;
    require(table_.insert({key[0], {key[1], key[2], key[3]}}) == i / 4, "a feature comes twice");
  }
}

TagLists Tagger::n_best(const TagCorpus &corpus, std::size_t n, std::size_t beam,
                        const base::Threads &threads) const {
  const auto outside = static_cast<Tag>(sets_.n_tags());
  return joined(
      each_sentence<TagLists>(corpus, *this, threads, [&](const auto &sentence, auto &lattice) {
        return sentence_n_best(sentence, lattice, PathBeam(n, beam, outside));
      }));
}

TagChoices Tagger::choices(const TagCorpus &corpus, double ratio, std::size_t beam,
                           const base::Threads &threads) const {
  const auto outside = static_cast<Tag>(sets_.n_tags());
  const auto found =
      each_sentence<TagChoices>(corpus, *this, threads, [&](const auto &sentence, auto &lattice) {
        return sentence_choices(sentence, lattice, ratio, beam, outside);
      });
  TagChoices all;
  for (const auto &one : found) {
    append(all.counts, one.counts);
    append(all.tags, one.tags);
    append(all.probabilities, one.probabilities);
  }
  return all;
}

} // namespace runoff::sequence
