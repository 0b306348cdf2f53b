#include "runoff/base/parallel.hpp"
#include "runoff/sequence/crf.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::sequence {
namespace {

constexpr std::size_t sentences_per_block = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

// One sentence after another: all that is known of its paths.
class CrfLattice {
public:
  explicit CrfLattice(const Crf &crf) : crf_(crf), chain_(crf.chain_), n_(chain_.n_states()) {}

  TagLists n_best(const CrfItems &items, std::size_t sentence, std::size_t n) {
    crf_scores(chain_, items, crf_.view(), sentence, by_target_, scores_);
    words_ = n_ == 0 ? 0 : scores_.size() / n_;
    if (words_ == 0)
      return {{1}, {0.0}, {}};
    follow();
    const double log_sum = this->log_sum();
    search(n);
    TagLists found{{static_cast<std::int64_t>(paths_.size())}, {}, {}};
    for (const auto &path : paths_)
      found.logprobs.push_back(path.score - log_sum);
    for (const auto state : states_)
      found.tags.push_back(chain_.label(state));
    return found;
  }

private:
  // A path through the lattice: that of a parent behind `at`, a state there, and the best way to
  // it.
  struct Path {
    double score;
    std::size_t parent, at;
    std::uint32_t state;
  };

  // Viterbi: the score of the best way to each state at each word, and the state before it.
  void follow() {
    best_.assign(words_ * n_, -infinity);
    back_.assign(words_ * n_, 0);
    for (std::size_t state = 0; state < n_; ++state)
      if (chain_.initial(state))
        best_[state] = scores_[state];
    for (std::size_t at = 1; at < words_; ++at) {
      const double *before = best_.data() + (at - 1) * n_;
      for (std::size_t state = 0; state < n_; ++state) {
        double highest = -infinity;
        std::uint32_t from = 0;
        for (auto edge = chain_.first_edge(state); edge < chain_.first_edge(state + 1); ++edge) {
          const double score = before[chain_.from(edge)] + crf_.edges_[edge];
          if (score > highest) {
            highest = score;
            from = chain_.from(edge);
          }
        }
        best_[at * n_ + state] = highest + scores_[at * n_ + state];
        back_[at * n_ + state] = from;
      }
    }
  }

  // log of the sum of exp(score) over all paths.
  double log_sum() {
    const double quick = scaled_log_sum();
    const double highest = std::ranges::max(std::span(best_).last(n_));
    // Weights that are thousands apart leave the range of numbers; their logarithms do not.
    return std::isfinite(quick) && quick >= highest - 1e-9 ? quick : slow_log_sum();
  }

  double scaled_log_sum() {
    now_.assign(n_, 0.0);
    sums_.resize(n_);
    double total = 0.0;
    for (std::size_t at = 0; at < words_; ++at) {
      const double *scores = scores_.data() + at * n_;
      const double highest = *std::max_element(scores, scores + n_);
      double sum = 0.0;
      for (std::size_t state = 0; state < n_; ++state) {
        double ways = at == 0 && chain_.initial(state) ? 1.0 : 0.0;
        for (auto edge = chain_.first_edge(state); edge < chain_.first_edge(state + 1); ++edge)
          ways += now_[chain_.from(edge)] * crf_.exp_edges_[edge];
        sums_[state] = ways == 0.0 ? 0.0 : ways * std::exp(scores[state] - highest);
        sum += sums_[state];
      }
      for (std::size_t state = 0; state < n_; ++state)
        now_[state] = sums_[state] / sum;
      total += std::log(sum) + highest + (at == 0 ? 0.0 : crf_.shift_);
    }
    return total;
  }

  double slow_log_sum() {
    now_.assign(n_, -infinity);
    for (std::size_t at = 0; at < words_; ++at) {
      for (std::size_t state = 0; state < n_; ++state) {
        LogSum ways;
        if (at == 0 && chain_.initial(state))
          ways.add(0.0);
        for (auto edge = chain_.first_edge(state); edge < chain_.first_edge(state + 1); ++edge)
          ways.add(now_[chain_.from(edge)] + crf_.edges_[edge]);
        sums_[state] = ways.value() + scores_[at * n_ + state];
      }
      std::swap(now_, sums_);
    }
    LogSum total;
    for (const double value : now_)
      total.add(value);
    return total.value();
  }

  struct LogSum {
    double highest = -infinity, sum = 0.0;

    void add(double value) {
      if (value == -infinity)
        return;
      if (value > highest) {
        sum = sum * std::exp(highest - value) + 1.0;
        highest = value;
      } else {
        sum += std::exp(value - highest);
      }
    }
    double value() const { return sum == 0.0 ? -infinity : highest + std::log(sum); }
  };

  // The n best paths, and their states laid end to end. Each path found offers those that leave
  // it somewhere before the place where it left its parent: so every path is offered once.
  void search(std::size_t n) {
    paths_.clear();
    states_.clear();
    open_.clear();
    for (std::uint32_t state = 0; state < n_; ++state)
      offer({best_[(words_ - 1) * n_ + state], 0, words_ - 1, state}, n);
    while (!open_.empty() && paths_.size() < n) {
      const Path path = open_.front();
      open_.erase(open_.begin());
      write(path);
      paths_.push_back(path);
      leave(path, states_.size() - words_, n - paths_.size());
    }
  }

  // Keeps what may still be among the best; of equals, the one that was offered first.
  void offer(const Path &path, std::size_t kept) {
    if (path.score == -infinity || (open_.size() >= kept && path.score <= open_.back().score))
      return;
    open_.insert(std::ranges::upper_bound(open_, path.score, std::greater(), &Path::score), path);
    if (open_.size() > kept)
      open_.pop_back();
  }

  void write(const Path &path) {
    const std::size_t start = states_.size(), parent = path.parent * words_;
    states_.resize(start + words_);
    for (std::size_t at = path.at + 1; at < words_; ++at)
      states_[start + at] = states_[parent + at];
    states_[start + path.at] = path.state;
    for (std::size_t at = path.at; at > 0; --at)
      states_[start + at - 1] = back_[at * n_ + states_[start + at]];
  }

  void leave(const Path &path, std::size_t start, std::size_t kept) {
    if (kept == 0)
      return;
    const std::size_t number = paths_.size() - 1;
    for (std::size_t at = path.at; at > 0; --at) {
      const std::size_t to = states_[start + at], own = states_[start + at - 1];
      const double *before = best_.data() + (at - 1) * n_;
      const double best = before[own] + crf_.edges_[chain_.edge(own, to)];
      for (auto edge = chain_.first_edge(to); edge < chain_.first_edge(to + 1); ++edge)
        if (const auto from = chain_.from(edge); from != own)
          offer({path.score - (best - (before[from] + crf_.edges_[edge])), number, at - 1, from},
                kept);
    }
  }

  const Crf &crf_;
  const CrfChain &chain_;
  const std::size_t n_;
  std::size_t words_ = 0;
  std::vector<double> by_target_, scores_, best_, now_, sums_;
  std::vector<std::uint32_t> back_, states_;
  std::vector<Path> paths_, open_;
};

Crf::Crf(const CrfChain &chain, const CrfWeights &weights)
    : chain_(chain), offsets_(weights.offsets.begin(), weights.offsets.end()),
      targets_(weights.targets.begin(), weights.targets.end()),
      weights_(weights.weights.begin(), weights.weights.end()),
      edges_(weights.edges.begin(), weights.edges.end()), shift_(-infinity) {
  weights.check(chain);
  for (const double weight : edges_)
    shift_ = std::max(shift_, weight);
  for (const double weight : edges_)
    exp_edges_.push_back(std::exp(weight - shift_));
}

TagLists Crf::n_best(const CrfItems &items, std::size_t n, const base::Threads &threads) const {
  std::vector<TagLists> found(items.sentences());
  base::in_blocks(items.sentences(), sentences_per_block, threads,
                  [&](std::size_t first, std::size_t last) {
                    CrfLattice lattice(*this);
                    for (std::size_t i = first; i < last; ++i)
                      found[i] = lattice.n_best(items, i, n);
                  });
  return joined(found);
}

CrfTemplates::Found CrfTemplates::find(const TagCorpus &corpus,
                                       const base::Threads &threads) const {
  const auto n_templates = static_cast<std::uint32_t>(templates_.size());
  std::vector<Found> found((corpus.sentences() + sentences_per_block - 1) / sentences_per_block);
  base::in_blocks(found.size(), 1, threads, [&](std::size_t block, std::size_t) {
    const std::size_t last = std::min((block + 1) * sentences_per_block, corpus.sentences());
    std::vector<FeatureKey> keys(n_templates);
    for (std::size_t i = block * sentences_per_block; i < last; ++i) {
      const TagSentence sentence(corpus, i);
      for (std::size_t at = 0; at < sentence.size(); ++at) {
        std::size_t seen = 0;
        for (std::uint32_t pattern = 0; pattern < n_templates; ++pattern)
          seen += templates_.find(pattern, sentence, at, {0, 0}, keys[seen]);
        table_.find(std::span(keys).first(seen), found[block].attributes);
        found[block].offsets.push_back(static_cast<std::int64_t>(found[block].attributes.size()));
      }
    }
  });
  Found all{{0}, {}};
  for (const auto &one : found) {
    const auto start = static_cast<std::int64_t>(all.attributes.size());
    for (const auto offset : one.offsets)
      all.offsets.push_back(start + offset);
    all.attributes.insert(all.attributes.end(), one.attributes.begin(), one.attributes.end());
  }
  return all;
}

} // namespace runoff::sequence
