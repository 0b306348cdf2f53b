// Texts as lists of numbered words, laid end to end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::strings {

// The words of text t are words[offsets[t] .. offsets[t + 1]).
struct Texts {
  std::span<const std::int64_t> offsets;
  std::span<const std::uint32_t> words;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> of(std::size_t text) const {
    const auto start = static_cast<std::size_t>(offsets[text]);
    return words.subspan(start, static_cast<std::size_t>(offsets[text + 1]) - start);
  }
  // Throws std::invalid_argument if offsets or words are not sound.
  void check(std::size_t n_words) const;
};

struct OwnTexts {
  std::vector<std::int64_t> offsets;
  std::vector<std::uint32_t> words;
};

// A column of records: texts[codes[r]] is what record r has.
struct Column {
  std::span<const std::uint32_t> codes;
  Texts texts;
};

// The words of all columns, record by record. Throws std::invalid_argument where columns differ in
// length, or a code is not there.
OwnTexts joined(std::span<const Column> columns);

// The different words of each text, in ascending order.
OwnTexts different(const Texts &texts);

// tf-idf of sets of words: log(1 + N / n) of a word that n of the N records have, divided by the
// length of the vector; `counts` says how many records have each text.
std::vector<float> rarity(const Texts &texts, std::span<const std::uint32_t> counts,
                          std::size_t n_words);

} // namespace runoff::strings
