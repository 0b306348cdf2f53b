// Similarities of texts as shares of letters that need no edit: those of rapidfuzz, for many pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::strings {

// Words, numbered in alphabetical order, with their letters.
class Vocabulary {
public:
  // The letters of word w are letters[offsets[w] .. offsets[w + 1]). Throws std::invalid_argument
  // if they are not.
  Vocabulary(std::span<const std::int64_t> offsets, std::span<const std::uint32_t> letters);

  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t letters() const { return n_letters_; } // different ones, and a space, which is 0
  std::span<const std::uint32_t> word(std::uint32_t number) const {
    return std::span(letters_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
  }

private:
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> letters_; // numbered from 1
  std::size_t n_letters_ = 1;
};

enum class Similarity : std::uint8_t { ratio, token_sort, token_set };

// Compares texts, given as words in their order. Costs the product of the lengths of the texts in
// letters, divided by 64. Texts without words are not like anything.
class Comparer {
public:
  explicit Comparer(const Vocabulary &vocabulary);

  // From 0 to 1.
  double compare(Similarity how, std::span<const std::uint32_t> a,
                 std::span<const std::uint32_t> b);

  // Letters that must be added or taken away to turn one text into the other.
  std::size_t edits(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

private:
  using Letters = std::vector<std::uint32_t>;
  void spell(std::span<const std::uint32_t> words, Letters &letters) const;
  double ratio(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);
  double token_set();
  std::size_t common(std::span<const std::uint32_t> shorter, std::span<const std::uint32_t> longer);

  const Vocabulary &vocabulary_;
  std::vector<std::uint64_t> masks_; // by letter and block: where the shorter text has it; else 0
  std::vector<std::uint64_t> rows_;
  Letters first_, second_;
  std::vector<std::uint32_t> words_a_, words_b_, shared_, only_a_, only_b_;
};

} // namespace runoff::strings
