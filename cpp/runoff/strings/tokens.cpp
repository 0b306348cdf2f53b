#include "runoff/strings/tokens.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::strings {

void Texts::check(std::size_t n_words) const {
  bool sound = !offsets.empty() && offsets.front() == 0 &&
               offsets.back() == static_cast<std::int64_t>(words.size());
  for (std::size_t t = 0; sound && t < size(); ++t)
    sound = offsets[t] <= offsets[t + 1];
  if (!sound || std::ranges::any_of(words, [=](auto word) { return word >= n_words; }))
    throw std::invalid_argument("the words of the texts are not sound");
}

OwnTexts joined(std::span<const Column> columns) {
  OwnTexts made;
  made.offsets.push_back(0);
  if (columns.empty())
    return made;
  const auto n = columns.front().codes.size();
  std::size_t total = 0;
  for (const auto &one : columns) {
    if (one.codes.size() != n)
      throw std::invalid_argument("columns differ in length");
    for (const auto code : one.codes) {
      if (code >= one.texts.size())
        throw std::invalid_argument("a record with a text that is not there");
      total += one.texts.of(code).size();
    }
  }
  made.words.reserve(total);
  made.offsets.reserve(n + 1);
  for (std::size_t r = 0; r < n; ++r) {
    for (const auto &one : columns) {
      const auto own = one.texts.of(one.codes[r]);
      made.words.insert(made.words.end(), own.begin(), own.end());
    }
    made.offsets.push_back(static_cast<std::int64_t>(made.words.size()));
  }
  return made;
}

OwnTexts different(const Texts &texts) {
  OwnTexts made;
  made.offsets.reserve(texts.offsets.size());
  made.words.reserve(texts.words.size());
  made.offsets.push_back(0);
  std::vector<std::uint32_t> own;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const auto words = texts.of(t);
    own.assign(words.begin(), words.end());
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    made.words.insert(made.words.end(), own.begin(), own.end());
    made.offsets.push_back(static_cast<std::int64_t>(made.words.size()));
  }
  return made;
}

std::vector<float> rarity(const Texts &texts, std::span<const std::uint32_t> counts,
                          std::size_t n_words) {
  if (counts.size() != texts.size())
    throw std::invalid_argument("every text needs a count");
  std::vector<double> idf(n_words, 0.0);
  double records = 0.0;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    records += counts[t];
    for (const auto word : texts.of(t))
      idf[word] += counts[t];
  }
  for (auto &one : idf)
    one = std::log1p(records / std::max(one, 1.0));
  std::vector<float> weights;
  weights.reserve(texts.words.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    double square = 0.0;
    for (const auto word : texts.of(t))
      square += idf[word] * idf[word];
    for (const auto word : texts.of(t))
      weights.push_back(static_cast<float>(idf[word] / std::sqrt(square)));
  }
  return weights;
}

} // namespace runoff::strings
