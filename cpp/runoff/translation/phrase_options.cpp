#include "runoff/translation/phrase_options.hpp"

#include "runoff/base/at.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace runoff::translation {

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

} // namespace

PhraseOptions::PhraseOptions(const Models &models, std::span<const std::uint32_t> sentence,
                             std::size_t limit)
    : size_(sentence.size()) {
  collect(models, sentence, limit, std::nullopt);
}

PhraseOptions::PhraseOptions(const Models &models, std::span<const std::uint32_t> sentence,
                             std::size_t limit, std::span<const std::uint32_t> target)
    : size_(sentence.size()), target_size_(target.size()) {
  collect(models, sentence, limit, target);
}

void PhraseOptions::collect(const Models &models, std::span<const std::uint32_t> sentence,
                            std::size_t limit,
                            std::optional<std::span<const std::uint32_t>> target) {
  spans_.assign(size_ * size_, {0, 0});
  for (const auto word : sentence) // equal words are copied from the first of them
    copied_.push_back(
        static_cast<std::uint32_t>(std::ranges::find(sentence, word) - sentence.begin()));
  std::vector<BlockTable::Range> found;
  for (std::size_t begin = 0; begin < size_; ++begin) {
    models.table.find(sentence, begin, found);
    found.resize(std::max<std::size_t>(found.size(), 1), {0, 0});
    for (std::size_t length = 1; length <= found.size(); ++length) {
      const std::size_t end = begin + length - 1, first = options_.size();
      for (std::size_t block = found[length - 1].first; block < found[length - 1].last; ++block) {
        if (!target) {
          add(models, begin, end, static_cast<std::int64_t>(block), -1);
          continue;
        }
        const auto words = models.table.target(block);
        for (std::size_t place = 0; place + words.size() <= target->size(); ++place)
          if (std::ranges::equal(words, target->subspan(place, words.size())))
            add(models, begin, end, static_cast<std::int64_t>(block),
                static_cast<std::int32_t>(place));
      }
      if (length == 1 && options_.size() == first && !target)
        add(models, begin, end, -1, -1);
      close(models, begin, end, first, limit);
    }
  }
  estimate_all();
}

void PhraseOptions::add(const Models &models, std::size_t begin, std::size_t end,
                        std::int64_t block, std::int32_t place) {
  Option option{};
  option.begin = static_cast<std::uint32_t>(begin);
  option.end = static_cast<std::uint32_t>(end);
  option.block = static_cast<std::int32_t>(block);
  option.place = place;
  option.first_word = static_cast<std::uint32_t>(words_.size());
  if (block < 0) {
    words_.push_back(COPIED + copied_[begin]);
    lm_words_.push_back(ngrams::UNKNOWN);
    option.features[feature::UNKNOWN] = 1;
  } else {
    for (const auto word : models.table.target(static_cast<std::size_t>(block))) {
      require(word < models.lm_words.size(), "a word of a block is not in the vocabulary");
      words_.push_back(word);
      lm_words_.push_back(models.lm_words[word]);
    }
    std::ranges::copy(models.table.scores(static_cast<std::size_t>(block)),
                      option.features.begin() + feature::SCORES);
    const auto orientations = models.table.orientations(static_cast<std::size_t>(block));
    for (std::size_t o = 0; o < ORIENTATIONS; ++o)
      option.before_cost[o] =
          -models.weights[feature::BEFORE + o] * static_cast<double>(orientations[o]);
  }
  option.words = static_cast<std::uint32_t>(words_.size()) - option.first_word;
  option.features[feature::WORDS] = static_cast<float>(option.words);
  option.features[feature::BLOCKS] = 1;
  score(models, option);
  require(std::isfinite(option.cost) && std::isfinite(option.border),
          "a score of a block is not a number");
  options_.push_back(option);
}

void PhraseOptions::score(const Models &models, Option &option) {
  ngrams::State state;
  const std::size_t history = models.lm.order() - 1;
  double border = 0;
  for (std::size_t i = 0; i < option.words; ++i) {
    const double own =
        static_cast<double>(models.lm.score(state, lm_words_[option.first_word + i], state)) *
        std::numbers::ln10;
    (i < history ? border : option.inside) += own;
  }
  option.ends_alone = option.words >= history;
  if (option.ends_alone)
    option.end_state = state;
  for (std::size_t k = 0; k < feature::STATIC; ++k)
    option.cost -= models.weights[k] * static_cast<double>(option.features[k]);
  option.cost -= models.weights[feature::INSIDE] * option.inside;
  option.border = -models.weights[feature::BORDER] * border;
}

// Options of equal costs of what follows get equal numbers.
void PhraseOptions::number_after(const Models &models, Option &option) {
  std::array<float, ORIENTATIONS> after{};
  if (option.block >= 0)
    std::ranges::copy(models.table.orientations(base::at(option.block)).subspan(ORIENTATIONS),
                      after.begin());
  const auto known = std::ranges::find(after_scores_, after);
  option.after = static_cast<std::uint32_t>(known - after_scores_.begin());
  if (known != after_scores_.end())
    return;
  AfterCosts costs{};
  for (std::size_t o = 0; o < costs.size(); ++o)
    costs[o] = -models.weights[feature::AFTER + o] * static_cast<double>(after[o]);
  after_.push_back(costs);
  after_scores_.push_back(after);
}

void PhraseOptions::close(const Models &models, std::size_t begin, std::size_t end,
                          std::size_t first, std::size_t limit) {
  const auto own = std::span(options_).subspan(first);
  std::ranges::stable_sort(own, {}, [](const Option &one) { return one.cost + one.border; });
  if (!target_size_ && own.size() > limit)
    options_.resize(first + limit);
  for (auto &option : std::span(options_).subspan(first))
    number_after(models, option);
  spans_[begin * size_ + end] = {first, options_.size()};
  if (options_.size() > first)
    longest_ = std::max(longest_, end - begin + 1);
}

void PhraseOptions::estimate_all() {
  estimates_.assign(size_ * size_, INFINITE);
  for (std::size_t length = 1; length <= size_; ++length)
    for (std::size_t begin = 0; begin + length <= size_; ++begin) {
      const std::size_t end = begin + length - 1;
      double best = INFINITE;
      if (length <= longest_ && !at(begin, end).empty())
        best = at(begin, end)[0].cost + at(begin, end)[0].border;
      for (std::size_t cut = begin; cut < end; ++cut)
        best = std::min(best, estimate(begin, cut) + estimate(cut + 1, end));
      estimates_[begin * size_ + end] = best;
    }
}

} // namespace runoff::translation
