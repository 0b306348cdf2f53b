// Lexical weights of words in aligned text (Koehn, Och & Marcu 2003).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace runoff::translation {

// For every word of a side, the places that it is linked to.
using LinkedPlaces = std::vector<std::vector<std::uint32_t>>;

// Shares of links: how probable a word is, given one that it is linked to, or none.
class WordProbabilities {
public:
  // The links of the words of a sentence; word 0 stands for no word.
  void count(std::span<const std::uint32_t> own, std::span<const std::uint32_t> other,
             const LinkedPlaces &links);

  // The logarithm of every word's probability, the mean over its links.
  void weigh(std::span<const std::uint32_t> own, std::span<const std::uint32_t> other,
             const LinkedPlaces &links, std::vector<double> &weights) const;

private:
  static std::uint64_t key(std::uint32_t given, std::uint32_t word) {
    return std::uint64_t{given} << 32 | word;
  }
  void add(std::uint32_t given, std::uint32_t word);
  double operator()(std::uint32_t given, std::uint32_t word) const;

  std::unordered_map<std::uint64_t, std::uint32_t> pairs_;
  std::vector<std::uint32_t> totals_;
};

} // namespace runoff::translation
