// Modified Kneser-Ney estimates with interpolation (Chen & Goodman 1998, section 4.1.6, with the
// discounts and the sentence ends of Heafield et al. 2013).
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/ngrams/model.hpp"

namespace runoff::ngrams {

// What counts of 1, 2, and 3 or more lose.
using Discounts = std::array<double, 3>;

// Discounts where the counts of counts give none, those of lmplz --discount_fallback.
inline constexpr Discounts FALLBACK{0.5, 1.0, 1.5};

struct Estimates {
  struct Order {
    std::vector<std::uint32_t> words, children;
    std::vector<float> probabilities, backoffs;
    Discounts discounts{};
    bool fallback = false; // whether the discounts are the fallback
  };
  std::vector<Order> orders;
};

// The model of a text: sentences end to end, each BEGIN, words, END. Words have numbers above END
// and below `vocabulary`.
//
// All positions are sorted once by the words that end there, read backwards: by counting, word by
// word, in time linear in text and vocabulary for each order. Equal neighbours are n-grams, and the
// sorted n-grams are the trie. Memory: 4 bytes a word of the text for each order, and 4 more.
Estimates estimate(std::span<const std::uint32_t> text, std::size_t vocabulary, std::size_t order,
                   const base::Poll &poll);

} // namespace runoff::ngrams
