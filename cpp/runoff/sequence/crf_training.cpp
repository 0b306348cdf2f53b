#include "runoff/sequence/crf_training.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace runoff::sequence {
namespace {

constexpr std::size_t sentences_per_poll = 256;

} // namespace

CrfProblem::CrfProblem(const CrfChain &chain, const TagTemplates &templates,
                       const TagCorpus &corpus, std::span<const Tag> gold, std::size_t min_count,
                       const base::Poll &poll)
    : chain_(chain), offsets_(corpus.offsets.begin(), corpus.offsets.end()) {
  GatheredFeatures gathered;
  FeatureKey key;
  for (std::size_t i = 0; i < corpus.sentences(); ++i) {
    if (i % sentences_per_poll == 0)
      poll();
    const TagSentence sentence(corpus, i);
    const auto labels = gold.subspan(static_cast<std::size_t>(offsets_[i]), sentence.size());
    for (std::size_t at = 0; at < sentence.size(); ++at) {
      gathered.open();
      for (std::uint32_t pattern = 0; pattern < templates.size(); ++pattern)
        if (templates.find(pattern, sentence, at, {0, 0}, key))
          gathered.add(key);
      const auto before = at == 0 ? static_cast<Tag>(chain.n_labels()) : labels[at - 1];
      states_.push_back(static_cast<std::uint32_t>(chain.state(before, labels[at])));
      bool allowed = states_.back() < chain.n_states();
      if (allowed && at > 0) {
        edges_.resize(states_.size());
        edges_.back() = chain.edge(states_[states_.size() - 2], states_.back());
        allowed = edges_.back() < chain.n_edges();
      }
      if (!allowed)
        throw std::invalid_argument("the chain does not allow some neighbours of gold");
    }
  }
  edges_.resize(states_.size());
  gathered.finish(min_count);
  keys_ = gathered.keys();
  attribute_offsets_.push_back(0);
  for (std::size_t word = 0; word < gathered.places(); ++word) {
    const auto own = gathered[word];
    attributes_.insert(attributes_.end(), own.begin(), own.end());
    attribute_offsets_.push_back(static_cast<std::int64_t>(attributes_.size()));
  }
  std::vector<bool> speaks_for_states(templates.size());
  for (const auto pattern : templates.looking_back(1))
    speaks_for_states[pattern] = true;
  count_pairs(speaks_for_states);
}

void CrfProblem::count_pairs(const std::vector<bool> &speaks_for_states) {
  std::vector<std::uint64_t> pairs;
  const auto n_labels = static_cast<std::uint32_t>(chain_.n_labels());
  for (std::size_t word = 0; word < states_.size(); ++word) {
    const auto end = static_cast<std::size_t>(attribute_offsets_[word + 1]);
    for (auto i = static_cast<std::size_t>(attribute_offsets_[word]); i < end; ++i) {
      const bool state = speaks_for_states[keys_[attributes_[i]].pattern];
      const auto target = state ? n_labels + states_[word] : chain_.label(states_[word]);
      pairs.push_back(std::uint64_t{attributes_[i]} << 32 | target);
    }
    if (pairs.size() > (1u << 24) || word + 1 == states_.size()) {
      std::ranges::sort(pairs);
      pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
    }
  }
  pair_offsets_.assign(keys_.size() + 1, 0);
  for (const auto pair : pairs) {
    ++pair_offsets_[(pair >> 32) + 1];
    pair_targets_.push_back(static_cast<std::uint32_t>(pair));
  }
  std::partial_sum(pair_offsets_.begin(), pair_offsets_.end(), pair_offsets_.begin());
}

// Forward and backward sums over the paths of one sentence after another, scaled so that those of
// a word sum to 1.
class CrfProblem::Sums {
public:
  Sums(const CrfProblem &problem, std::span<const double> weights)
      : problem_(problem), chain_(problem.chain_), n_(chain_.n_states()),
        weights_{problem.pair_offsets_, problem.pair_targets_,
                 weights.first(problem.pair_targets_.size()),
                 weights.subspan(problem.pair_targets_.size())},
        exp_edges_(chain_.n_edges()), edge_sums_(chain_.n_edges()), later_(n_), here_(n_) {
    for (std::size_t edge = 0; edge < exp_edges_.size(); ++edge)
      exp_edges_[edge] = std::exp(weights_.edges[edge]);
  }

  // -log p(gold) of a sentence; its part of the gradient is added.
  double add(std::size_t sentence, std::span<double> gradient) {
    first_ = static_cast<std::size_t>(problem_.offsets_[sentence]);
    words_ = static_cast<std::size_t>(problem_.offsets_[sentence + 1]) - first_;
    if (words_ == 0)
      return 0.0;
    crf_scores(chain_, problem_.items(), weights_, sentence, by_target_, scores_);
    const double gold = gold_score(gradient);
    const double log_sum = forward();
    backward(gradient);
    return log_sum - gold;
  }

  // Adds what edges were expected to be taken.
  void finish(std::span<double> gradient) const {
    auto *edges = gradient.data() + problem_.pair_targets_.size();
    for (std::size_t edge = 0; edge < exp_edges_.size(); ++edge)
      edges[edge] += edge_sums_[edge] * exp_edges_[edge];
  }

private:
  // Also takes the edges of gold from the gradient.
  double gold_score(std::span<double> gradient) const {
    double score = 0.0;
    for (std::size_t at = 0; at < words_; ++at) {
      const std::size_t state = problem_.states_[first_ + at];
      score += scores_[at * n_ + state];
      if (at == 0)
        continue;
      const std::size_t edge = problem_.edges_[first_ + at];
      score += weights_.edges[edge];
      gradient[problem_.pair_targets_.size() + edge] -= 1.0;
    }
    return score;
  }

  // Scores become exp(score), forward_ the sums over the ways to each state; returns log of their
  // total.
  double forward() {
    forward_.assign(words_ * n_, 0.0);
    totals_.resize(words_);
    double log_sum = 0.0;
    for (std::size_t at = 0; at < words_; ++at) {
      double *scores = scores_.data() + at * n_, *now = forward_.data() + at * n_;
      const double *before = at == 0 ? now : now - n_;
      const double highest = *std::max_element(scores, scores + n_);
      double total = 0.0;
      for (std::size_t state = 0; state < n_; ++state) {
        scores[state] = std::exp(scores[state] - highest);
        double ways = at == 0 && chain_.initial(state) ? 1.0 : 0.0;
        if (at > 0)
          for (auto edge = chain_.first_edge(state); edge < chain_.first_edge(state + 1); ++edge)
            ways += before[chain_.from(edge)] * exp_edges_[edge];
        now[state] = ways * scores[state];
        total += now[state];
      }
      for (std::size_t state = 0; state < n_; ++state)
        now[state] /= total;
      totals_[at] = total;
      log_sum += std::log(total) + highest;
    }
    return log_sum;
  }

  // Goes back over the words; `later_` are the sums over the ways from each state to the end.
  void backward(std::span<double> gradient) {
    std::ranges::fill(later_, 1.0);
    for (std::size_t at = words_; at-- > 0;) {
      const double *scores = scores_.data() + at * n_, *ways = forward_.data() + at * n_;
      for (std::size_t state = 0; state < n_; ++state)
        here_[state] = ways[state] * later_[state];
      add_attributes(first_ + at, gradient);
      if (at == 0)
        return;
      for (std::size_t state = 0; state < n_; ++state)
        here_[state] = later_[state] * scores[state] / totals_[at];
      std::ranges::fill(later_, 0.0);
      const double *before = forward_.data() + (at - 1) * n_;
      for (std::size_t state = 0; state < n_; ++state) {
        const double own = here_[state];
        for (auto edge = chain_.first_edge(state); edge < chain_.first_edge(state + 1); ++edge) {
          const auto from = chain_.from(edge);
          later_[from] += own * exp_edges_[edge];
          edge_sums_[edge] += own * before[from];
        }
      }
    }
  }

  // Adds how much more probable each target of a word is than gold has it; here_ has the
  // probabilities of states.
  void add_attributes(std::size_t word, std::span<double> gradient) {
    const std::size_t n_labels = chain_.n_labels(), gold = problem_.states_[word];
    here_[gold] -= 1.0;
    std::ranges::fill(by_target_, 0.0);
    for (std::size_t state = 0; state < n_; ++state)
      by_target_[chain_.label(state)] += here_[state];
    if (chain_.has_pair_targets())
      std::ranges::copy(here_, by_target_.begin() + static_cast<std::ptrdiff_t>(n_labels));
    const auto first = static_cast<std::size_t>(problem_.attribute_offsets_[word]);
    for (auto i = static_cast<std::size_t>(problem_.attribute_offsets_[word + 1]); i-- > first;) {
      fetch_ahead<-1>(std::span(problem_.attributes_), problem_.pair_offsets_,
                      problem_.pair_targets_, gradient, i);
      const auto attribute = problem_.attributes_[i];
      const auto stop = static_cast<std::size_t>(problem_.pair_offsets_[attribute + 1]);
      for (auto j = static_cast<std::size_t>(problem_.pair_offsets_[attribute]); j < stop; ++j)
        gradient[j] += by_target_[problem_.pair_targets_[j]];
    }
  }

  const CrfProblem &problem_;
  const CrfChain &chain_;
  const std::size_t n_;
  const CrfWeights weights_;
  std::vector<double> exp_edges_, edge_sums_, by_target_, scores_, forward_, totals_, later_, here_;
  std::size_t first_ = 0, words_ = 0;
};

double CrfProblem::loss(std::span<const double> weights, std::span<double> gradient,
                        const base::Threads &threads) const {
  const std::size_t n = offsets_.size() - 1;
  return base::sharded_loss(gradient, shard_gradients_, threads,
                            [&](std::size_t shard, std::size_t shards, std::span<double> own) {
                              std::ranges::fill(own, 0.0);
                              Sums sums(*this, weights);
                              double loss = 0.0;
                              for (std::size_t i = n * shard / shards; i < n * (shard + 1) / shards;
                                   ++i)
                                loss += sums.add(i, own);
                              sums.finish(own);
                              return loss;
                            });
}

} // namespace runoff::sequence
