#include "runoff/strings/similarities.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <unordered_map>

namespace runoff::strings {

namespace {

constexpr std::size_t bits = 64;

double without(std::size_t edits, std::size_t letters) {
  return letters == 0 ? 1.0 : 1.0 - static_cast<double>(edits) / static_cast<double>(letters);
}

} // namespace

Vocabulary::Vocabulary(std::span<const std::int64_t> offsets,
                       std::span<const std::uint32_t> letters) {
  bool sound = !offsets.empty() && offsets.front() == 0 &&
               offsets.back() == static_cast<std::int64_t>(letters.size());
  for (std::size_t w = 0; sound && w + 1 < offsets.size(); ++w)
    sound = offsets[w] <= offsets[w + 1];
  if (!sound)
    throw std::invalid_argument("the letters of the words are not sound");
  offsets_.assign(offsets.begin(), offsets.end());
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  letters_.reserve(letters.size());
  for (const auto letter : letters)
    letters_.push_back(
        numbers.try_emplace(letter, static_cast<std::uint32_t>(numbers.size() + 1)).first->second);
  n_letters_ = numbers.size() + 1;
}

Comparer::Comparer(const Vocabulary &vocabulary)
    : vocabulary_(vocabulary), masks_(vocabulary.letters(), 0) {}

void Comparer::spell(std::span<const std::uint32_t> words, Letters &letters) const {
  letters.clear();
  for (const auto word : words) {
    if (!letters.empty())
      letters.push_back(0);
    const auto own = vocabulary_.word(word);
    letters.insert(letters.end(), own.begin(), own.end());
  }
}

// The length of the longest common subsequence, 64 letters of the shorter text at a time (Hyyrö
// 2004): a row has a 0 for each of its letters that is part of one.
std::size_t Comparer::common(std::span<const std::uint32_t> shorter,
                             std::span<const std::uint32_t> longer) {
  const auto blocks = (shorter.size() + bits - 1) / bits;
  if (masks_.size() < vocabulary_.letters() * blocks)
    masks_.resize(vocabulary_.letters() * blocks, 0);
  for (std::size_t i = 0; i < shorter.size(); ++i)
    masks_[shorter[i] * blocks + i / bits] |= std::uint64_t{1} << (i % bits);
  rows_.assign(blocks, ~std::uint64_t{0});
  for (const auto letter : longer) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < blocks; ++k) {
      const auto row = rows_[k], met = row & masks_[letter * blocks + k];
      const auto partial = row + met, sum = partial + carry;
      carry = (partial < row) | (sum < partial);
      rows_[k] = sum | (row - met);
    }
  }
  for (std::size_t i = 0; i < shorter.size(); ++i)
    masks_[shorter[i] * blocks + i / bits] = 0;
  std::size_t zeros = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    const auto rest = shorter.size() - k * bits;
    const auto used = rest >= bits ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    zeros += static_cast<std::size_t>(std::popcount(~rows_[k] & used));
  }
  return zeros;
}

std::size_t Comparer::edits(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  spell(a, first_);
  spell(b, second_);
  const auto &shorter = first_.size() <= second_.size() ? first_ : second_;
  const auto &longer = first_.size() <= second_.size() ? second_ : first_;
  return first_.size() + second_.size() - 2 * common(shorter, longer);
}

double Comparer::ratio(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  const auto found = edits(a, b);
  return without(found, first_.size() + second_.size());
}

// Of the words that both have, and of these with the words that only one has, the most similar two.
double Comparer::token_set() {
  shared_.clear();
  only_a_.clear();
  only_b_.clear();
  std::ranges::set_intersection(words_a_, words_b_, std::back_inserter(shared_));
  std::ranges::set_difference(words_a_, shared_, std::back_inserter(only_a_));
  std::ranges::set_difference(words_b_, shared_, std::back_inserter(only_b_));
  if (!shared_.empty() && (only_a_.empty() || only_b_.empty()))
    return 1.0;
  const auto apart = edits(only_a_, only_b_);
  const auto a = first_.size(), b = second_.size();
  spell(shared_, first_);
  const auto both = first_.size();
  const std::size_t space = both == 0 ? 0 : 1;
  const auto best = without(apart, 2 * (both + space) + a + b);
  if (both == 0)
    return best;
  return std::max(
      {best, without(space + a, 2 * both + space + a), without(space + b, 2 * both + space + b)});
}

double Comparer::compare(Similarity how, std::span<const std::uint32_t> a,
                         std::span<const std::uint32_t> b) {
  if (a.empty() || b.empty())
    return 0.0;
  if (how == Similarity::ratio || (a.size() == 1 && b.size() == 1))
    return a.size() == 1 && b.size() == 1 && a[0] == b[0] ? 1.0 : ratio(a, b);
  words_a_.assign(a.begin(), a.end());
  words_b_.assign(b.begin(), b.end());
  std::ranges::sort(words_a_);
  std::ranges::sort(words_b_);
  if (how == Similarity::token_sort)
    return ratio(words_a_, words_b_);
  words_a_.erase(std::ranges::unique(words_a_).begin(), words_a_.end());
  words_b_.erase(std::ranges::unique(words_b_).begin(), words_b_.end());
  return token_set();
}

} // namespace runoff::strings
