#include "runoff/sequence/crf.hpp"

#include "runoff/base/offsets.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::sequence {
namespace {

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

} // namespace

CrfChain::CrfChain(std::size_t order, std::size_t n_labels, std::span<const Tag> pairs)
    : order_(order), n_labels_(n_labels) {
  require(order == 1 || order == 2, "the order of a chain is 1 or 2");
  require(n_labels > 0 && n_labels < std::numeric_limits<Tag>::max() && pairs.size() % 2 == 0,
          "a chain needs labels, not too many, and pairs of them");
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    require(
        pairs[i] <= n_labels && pairs[i + 1] < n_labels &&
            (i == 0 || std::pair(pairs[i - 1], pairs[i - 2]) < std::pair(pairs[i + 1], pairs[i])),
        "pairs of labels do not rise, or name a label that is not there");
  check_lengths(pairs);
  std::vector<std::uint32_t> firsts(n_labels + 1); // states of each label
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    ++firsts[pairs[i + 1] + 1u];
  for (std::size_t i = 0; i < n_labels; ++i)
    firsts[i + 1] += firsts[i];
  if (order == 1)
    initial_.assign(n_labels, false);
  const auto add_labels = [&](std::size_t end) { // as states
    for (std::size_t label = labels_.size(); label < end; ++label) {
      labels_.push_back(static_cast<Tag>(label));
      first_edges_.push_back(from_.size());
    }
  };
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const bool start = pairs[i] == n_labels;
    if (order == 2) {
      labels_before_.push_back(pairs[i]);
      labels_.push_back(pairs[i + 1]);
      initial_.push_back(start);
      first_edges_.push_back(from_.size());
      for (std::uint32_t state = firsts[pairs[i]]; !start && state < firsts[pairs[i] + 1u]; ++state)
        from_.push_back(state);
      continue;
    }
    add_labels(pairs[i + 1] + 1u);
    if (start)
      initial_[pairs[i + 1]] = true;
    else
      from_.push_back(pairs[i]);
  }
  if (order == 1)
    add_labels(n_labels);
  first_edges_.push_back(from_.size());
}

// A sequence can be as long as one likes if it can be longer than there are labels.
void CrfChain::check_lengths(std::span<const Tag> pairs) const {
  std::vector<bool> last(n_labels_ + 1), next;
  last[n_labels_] = true;
  for (std::size_t length = 0; length <= n_labels_; ++length) {
    next.assign(n_labels_ + 1, false);
    for (std::size_t i = 0; i < pairs.size(); i += 2)
      if (last[pairs[i]])
        next[pairs[i + 1]] = true;
    require(std::ranges::find(next, true) != next.end(), "no sequence of some length is allowed");
    std::swap(last, next);
  }
}

std::size_t CrfChain::state(Tag before, Tag label) const {
  if (order_ == 1)
    return label;
  const auto range = std::ranges::equal_range(labels_, label);
  const auto first = range.begin() - labels_.begin(), last = range.end() - labels_.begin();
  const auto found =
      std::lower_bound(labels_before_.begin() + first, labels_before_.begin() + last, before);
  const auto at = static_cast<std::size_t>(found - labels_before_.begin());
  return at < static_cast<std::size_t>(last) && *found == before ? at : n_states();
}

std::size_t CrfChain::edge(std::size_t from, std::size_t to) const {
  const auto first = from_.begin() + static_cast<std::ptrdiff_t>(first_edges_[to]),
             last = from_.begin() + static_cast<std::ptrdiff_t>(first_edges_[to + 1]);
  const auto found = std::lower_bound(first, last, from);
  return found != last && *found == from ? static_cast<std::size_t>(found - from_.begin())
                                         : n_edges();
}

void CrfItems::check(std::size_t n_attributes) const {
  base::check_offsets(offsets, words(), "offsets");
  base::check_offsets(attribute_offsets, attributes.size(), "attribute offsets");
  require(std::ranges::all_of(attributes, [&](auto one) { return one < n_attributes; }),
          "an attribute is not there");
  require(values.empty() || values.size() == attributes.size(),
          "values must have one entry per attribute");
  require(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }),
          "a value is not a finite number");
}

void CrfWeights::check(const CrfChain &chain) const {
  base::check_offsets(offsets, targets.size(), "attribute offsets");
  require(weights.size() == targets.size() && edges.size() == chain.n_edges(),
          "every target needs a weight, and every edge");
  require(std::ranges::all_of(targets, [&](auto one) { return one < chain.n_targets(); }),
          "an attribute speaks for what is not there");
  const auto finite = [](double weight) { return std::isfinite(weight); };
  require(std::ranges::all_of(weights, finite) && std::ranges::all_of(edges, finite),
          "a weight is not a finite number");
}

void crf_scores(const CrfChain &chain, const CrfItems &items, const CrfWeights &weights,
                std::size_t sentence, std::vector<double> &by_target, std::vector<double> &scores) {
  const auto first = static_cast<std::size_t>(items.offsets[sentence]),
             last = static_cast<std::size_t>(items.offsets[sentence + 1]);
  const std::size_t n = chain.n_states();
  scores.resize((last - first) * n);
  by_target.resize(chain.n_targets());
  for (std::size_t word = first; word < last; ++word) {
    std::ranges::fill(by_target, 0.0);
    const auto end = static_cast<std::size_t>(items.attribute_offsets[word + 1]);
    for (auto i = static_cast<std::size_t>(items.attribute_offsets[word]); i < end; ++i) {
      fetch_ahead<1>(items.attributes, weights.offsets, weights.targets, weights.weights, i);
      const double value = items.value(i);
      const auto stop = static_cast<std::size_t>(weights.offsets[items.attributes[i] + 1]);
      for (auto j = static_cast<std::size_t>(weights.offsets[items.attributes[i]]); j < stop; ++j)
        by_target[weights.targets[j]] += value * weights.weights[j];
    }
    double *own = scores.data() + (word - first) * n;
    for (std::size_t state = 0; state < n; ++state)
      own[state] = by_target[chain.label(state)];
    if (chain.has_pair_targets())
      for (std::size_t state = 0; state < n; ++state)
        own[state] += by_target[chain.n_labels() + state];
  }
}

CrfTemplates::CrfTemplates(const TagTemplates &templates, std::span<const std::uint32_t> keys)
    : templates_(templates) {
  require(keys.size() % 4 == 0, "an attribute needs four numbers as its key");
  for (std::size_t i = 0; i < keys.size(); i += 4)
    require(table_.insert({keys[i], {keys[i + 1], keys[i + 2], keys[i + 3]}}) == i / 4,
            "an attribute comes twice");
}

} // namespace runoff::sequence
