#include "runoff/ngrams/model.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace runoff::ngrams {

using base::at;

namespace {

constexpr std::size_t SENTENCES_PER_BLOCK = 256;

bool extends(float backoff) {
  return std::bit_cast<std::uint32_t>(backoff) != std::bit_cast<std::uint32_t>(NO_EXTENSION);
}

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

} // namespace

std::size_t State::hash() const {
  std::uint64_t hash = length;
  for (std::size_t i = 0; i < length; ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

Model::Model(std::vector<Order> orders) : orders_(std::move(orders)) {
  require(!orders_.empty() && orders_.size() <= MAX_ORDER, "a model has 1 to 6 orders");
  require(vocabulary() > END, "the vocabulary must have <unk>, <s> and </s>");
  for (std::size_t n = 0; n < orders_.size(); ++n) {
    const auto &own = orders_[n];
    const std::size_t size = own.probabilities.size();
    const bool last = n + 1 == orders_.size();
    require(own.words.size() == (n == 0 ? 0 : size), "every n-gram needs a word");
    require(own.backoffs.size() == (last ? 0 : size), "every n-gram needs a backoff");
    require(own.children.size() == (last ? 0 : size + 1), "every n-gram needs its extensions");
    require(size < std::numeric_limits<std::uint32_t>::max(), "there are too many n-grams");
  }
}

State Model::begin() const {
  State state;
  if (order() > 1 && extends(orders_[0].backoffs[BEGIN])) {
    state.length = 1;
    state.words[0] = BEGIN;
    state.backoffs[0] = orders_[0].backoffs[BEGIN];
  }
  return state;
}

// The node below another, of an order counted from 0, that a word leads to.
std::size_t Model::child(std::size_t order, std::size_t node, std::uint32_t word) const {
  const auto &children = orders_[order].children;
  const auto &words = orders_[order + 1].words;
  const std::size_t begin = children[node], end = children[node + 1];
  require(begin <= end && end <= words.size(), "extensions of an n-gram lie outside the model");
  // Frequent words have small numbers, so the search leaps from the beginning.
  std::size_t leap = 1;
  while (begin + leap < end && words[begin + leap] <= word)
    leap *= 2;
  const auto *last = words.data() + std::min(begin + leap, end);
  const auto *found = std::lower_bound(words.data() + begin + leap / 2, last, word);
  return found == last || *found != word ? none : at(found - words.data());
}

float Model::score(const State &state, std::uint32_t word, State &next) const {
  if (word >= vocabulary())
    word = UNKNOWN;
  State after;
  std::size_t node = word, matched = 0; // words of the context that are part of the n-gram
  float probability;
  while (true) {
    const auto &own = orders_[matched];
    probability = own.probabilities[node];
    if (matched + 1 == orders_.size())
      break;
    after.words[matched] = matched == 0 ? word : state.words[matched - 1];
    after.backoffs[matched] = own.backoffs[node];
    if (extends(own.backoffs[node]))
      after.length = static_cast<std::uint32_t>(matched + 1);
    const std::size_t below =
        matched == state.length ? none : child(matched, node, state.words[matched]);
    if (below == none)
      break;
    node = below;
    ++matched;
  }
  for (std::size_t i = matched; i < state.length; ++i)
    probability += state.backoffs[i];
  require(probability <= std::numeric_limits<float>::max() && !std::isinf(probability),
          "a probability of the model is not a number");
  next = after;
  return probability;
}

void Model::score(std::span<const std::uint32_t> words, std::span<const std::int64_t> offsets,
                  std::span<float> scores, const base::Threads &threads) const {
  base::check_offsets(offsets, words.size(), "sentences");
  const std::size_t n = offsets.size() - 1;
  require(scores.size() == words.size() + n, "there must be a score for every word and end");
  base::in_blocks(n, SENTENCES_PER_BLOCK, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      State state = begin();
      std::size_t place = at(offsets[s]) + s;
      for (std::size_t i = at(offsets[s]); i < at(offsets[s + 1]); ++i)
        scores[place++] = score(state, words[i], state);
      scores[place] = score(state, END, state);
    }
  });
}

} // namespace runoff::ngrams
