// An n-gram language model with backoff, as a trie in the caller's memory.
//
// The trie is reversed: the n-gram "a b c" is the node a below b below c, so that one walk from a
// word into its past meets the n-grams of all orders that end in it, and with them the backoffs of
// the next state. Nodes of an order are sorted by their path. All weights are logarithms to the
// base 10, as in ARPA files.
#pragma once

#include "runoff/base/threads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::ngrams {

inline constexpr std::size_t MAX_ORDER = 6;

// Numbers of words that every vocabulary has; a unigram's node has the number of its word.
inline constexpr std::uint32_t UNKNOWN = 0, BEGIN = 1, END = 2;

// The backoff of an n-gram that no longer one begins with, so that states need not hold it.
inline constexpr float NO_EXTENSION = -0.0F;

// What the probability of the next words depends on: as many of the last words as the model knows
// something about. States with equal words have equal futures, so searches may recombine them.
struct State {
  std::array<std::uint32_t, MAX_ORDER - 1> words; // the last one first
  std::array<float, MAX_ORDER - 1> backoffs;      // of the last word, the last two, ...
  std::uint32_t length = 0;                       // how many of them there are

  friend bool operator==(const State &a, const State &b) {
    return a.length == b.length &&
           std::equal(a.words.begin(), a.words.begin() + a.length, b.words.begin());
  }
  std::size_t hash() const;
};

class Model {
public:
  // The nodes of an order. Node i was reached by words[i], the first word of its n-gram; nodes of
  // the next order below it are [children[i], children[i + 1]), rising by their word. Unigrams have
  // no words, the highest order neither children nor backoffs.
  struct Order {
    std::span<const std::uint32_t> words, children;
    std::span<const float> probabilities, backoffs;
  };

  // Throws std::invalid_argument unless the sizes fit together. Nothing is read: what the arrays
  // hold is checked on the way, so that a broken file throws.
  explicit Model(std::vector<Order> orders);

  std::size_t order() const { return orders_.size(); }
  std::size_t vocabulary() const { return orders_[0].probabilities.size(); }

  // The state before the first word of a sentence.
  State begin() const;

  // The logarithm of a word's probability after a state, and the state after the word. A number
  // outside the vocabulary is an unknown word. Time: a binary search per order.
  float score(const State &state, std::uint32_t word, State &next) const;

  // The scores of the words of sentences, each begun with BEGIN and ended with END, which is
  // scored too: sentence s has words[offsets[s]..offsets[s + 1]) and its scores begin at
  // offsets[s] + s.
  void score(std::span<const std::uint32_t> words, std::span<const std::int64_t> offsets,
             std::span<float> scores, const base::Threads &threads) const;

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t child(std::size_t order, std::size_t node, std::uint32_t word) const;

  std::vector<Order> orders_;
};

} // namespace runoff::ngrams
