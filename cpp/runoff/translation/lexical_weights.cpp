#include "runoff/translation/lexical_weights.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::translation {

namespace {

constexpr double LEAST = 1e-9; // of a word that was never linked so

} // namespace

void WordProbabilities::add(std::uint32_t given, std::uint32_t word) {
  ++pairs_[key(given, word)];
  if (given >= totals_.size())
    totals_.resize(std::size_t{given} + 1);
  ++totals_[given];
}

double WordProbabilities::operator()(std::uint32_t given, std::uint32_t word) const {
  const auto found = pairs_.find(key(given, word));
  return found == pairs_.end()
             ? 0.0
             : static_cast<double>(found->second) / static_cast<double>(totals_[given]);
}

void WordProbabilities::count(std::span<const std::uint32_t> own,
                              std::span<const std::uint32_t> other, const LinkedPlaces &links) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const auto place : links[i])
      add(other[place], own[i]);
    if (links[i].empty())
      add(0, own[i]);
  }
}

void WordProbabilities::weigh(std::span<const std::uint32_t> own,
                              std::span<const std::uint32_t> other, const LinkedPlaces &links,
                              std::vector<double> &weights) const {
  weights.assign(own.size(), 0);
  for (std::size_t i = 0; i < own.size(); ++i) {
    double sum = links[i].empty() ? (*this)(0, own[i]) : 0;
    for (const auto place : links[i])
      sum += (*this)(other[place], own[i]) / static_cast<double>(links[i].size());
    weights[i] = std::log(std::max(sum, LEAST));
  }
}

} // namespace runoff::translation
