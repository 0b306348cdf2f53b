#include "runoff/words/word_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace runoff::words {
namespace {

constexpr std::size_t known_logarithms = 1 << 18;
constexpr std::size_t words_per_poll = 32;
constexpr std::size_t longest_text = std::size_t{1} << 31; // sums of phi fit into 63 bits
constexpr std::size_t most_classes = 1 << 12, most_fixed = 1 << 8;

void require(bool condition, const std::string &message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// The number of all classes, if text, words and classes fit together.
std::size_t checked_size(std::span<const std::uint32_t> text,
                         std::span<const std::uint32_t> classes, std::size_t n_fixed,
                         std::size_t n_classes) {
  require(!text.empty() && text.size() < longest_text,
          "a text has from 1 to 2^31 - 1 words, not " + std::to_string(text.size()));
  require(n_classes > 0 && n_classes <= most_classes && n_fixed <= most_fixed,
          "there are from 1 to " + std::to_string(most_classes) + " classes, and up to " +
              std::to_string(most_fixed) + " fixed ones");
  for (const auto word : text)
    require(word < classes.size(),
            "word " + std::to_string(word) + " is not below " + std::to_string(classes.size()));
  for (std::size_t word = 0; word < classes.size(); ++word)
    require(word < n_fixed ? classes[word] == word
                           : classes[word] >= n_fixed && classes[word] - n_fixed < n_classes,
            "word " + std::to_string(word) + " cannot be in class " +
                std::to_string(classes[word]));
  return n_fixed + n_classes;
}

} // namespace

NLogN::NLogN() : known_(known_logarithms) {
  for (std::size_t n = 0; n < known_.size(); ++n)
    known_[n] = computed(n);
}

std::int64_t NLogN::computed(std::uint64_t n) {
  const auto x = static_cast<double>(n);
  return n == 0 ? 0 : std::llround(x * std::log2(x) * steps);
}

ClassBigrams::ClassBigrams(std::size_t n_classes)
    : size_(n_classes), behind_(n_classes * n_classes), before_(n_classes * n_classes),
      totals_(n_classes) {}

void ClassBigrams::add(std::size_t before, std::size_t behind, std::uint32_t count) {
  behind_[before * size_ + behind] += count;
  before_[behind * size_ + before] += count;
}

void ClassBigrams::merge(std::size_t into, std::size_t from) {
  for (std::size_t other = 0; other < size_; ++other) {
    const auto right = count(from, other);
    add(from, other, -right);
    add(into, other, right);
  }
  for (std::size_t other = 0; other < size_; ++other) {
    const auto left = count(other, from);
    add(other, from, -left);
    add(other, into, left);
  }
  totals_[into] += std::exchange(totals_[from], 0);
}

WordClasses::WordClasses(std::span<const std::uint32_t> text,
                         std::span<const std::uint32_t> classes, std::size_t n_fixed,
                         std::size_t n_classes, const base::Poll &poll)
    : n_fixed_(n_fixed), bigrams_(checked_size(text, classes, n_fixed, n_classes)),
      classes_(classes.begin(), classes.end()), totals_(classes.size()), repeats_(classes.size()),
      gains_(bigrams_.size()) {
  for (auto *around : {&around_before_, &around_behind_})
    around->counts.resize(bigrams_.size());
  before_ = neighbours(text, classes.size(), text.size() - 1, poll);
  behind_ = neighbours(text, classes.size(), 1, poll);
  for (std::uint32_t word = 0; word < classes.size(); ++word)
    for (auto i = behind_.offsets[word]; i < behind_.offsets[word + 1]; ++i) {
      const auto next = behind_.words[i], count = behind_.counts[i];
      totals_[word] += count;
      if (next == word)
        repeats_[word] = count;
      bigrams_.add(classes_[word], classes_[next], count);
    }
  for (std::size_t word = 0; word < classes.size(); ++word)
    bigrams_.add_total(classes_[word], totals_[word]);
}

WordClasses::Side WordClasses::neighbours(std::span<const std::uint32_t> text, std::size_t n_words,
                                          std::size_t step, const base::Poll &poll) {
  std::vector<std::size_t> starts(n_words + 1);
  for (const auto word : text)
    ++starts[word + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  auto ends = starts;
  std::vector<std::uint32_t> all(text.size()); // the neighbours of each word in turn
  for (std::size_t i = 0; i < text.size(); ++i)
    all[ends[text[i]]++] = text[(i + step) % text.size()];
  Side side{{0}, {}, {}};
  for (std::size_t word = 0; word < n_words; ++word) {
    if (word % words_per_poll == 0)
      poll();
    const std::span own(all.begin() + static_cast<std::ptrdiff_t>(starts[word]),
                        starts[word + 1] - starts[word]);
    std::ranges::sort(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (i == 0 || own[i] != own[i - 1]) {
        side.words.push_back(own[i]);
        side.counts.push_back(0);
      }
      ++side.counts.back();
    }
    side.offsets.push_back(side.words.size());
  }
  return side;
}

std::size_t WordClasses::sweep(const base::Poll &poll) {
  std::size_t moved = 0;
  for (auto word = static_cast<std::uint32_t>(n_fixed_); word < classes_.size(); ++word) {
    if ((word - n_fixed_) % words_per_poll == 0)
      poll();
    look_around(word, before_, around_before_);
    look_around(word, behind_, around_behind_);
    const auto own = classes_[word];
    take_out(word);
    const auto best = best_class(word, own);
    put_into(word, best);
    moved += best != own;
  }
  return moved;
}

void WordClasses::look_around(std::uint32_t word, const Side &side, Around &around) const {
  for (const auto cls : around.seen)
    around.counts[cls] = 0;
  around.seen.clear();
  for (auto i = side.offsets[word]; i < side.offsets[word + 1]; ++i) {
    if (side.words[i] == word)
      continue;
    auto &count = around.counts[classes_[side.words[i]]];
    if (count == 0)
      around.seen.push_back(classes_[side.words[i]]);
    count += side.counts[i];
  }
}

void WordClasses::take_out(std::uint32_t word) {
  const auto own = classes_[word];
  for (const auto cls : around_behind_.seen)
    bigrams_.add(own, cls, -around_behind_.counts[cls]);
  for (const auto cls : around_before_.seen)
    bigrams_.add(cls, own, -around_before_.counts[cls]);
  bigrams_.add(own, own, -repeats_[word]);
  bigrams_.add_total(own, -totals_[word]);
}

void WordClasses::put_into(std::uint32_t word, std::uint32_t cls) {
  classes_[word] = cls;
  for (const auto other : around_behind_.seen)
    bigrams_.add(cls, other, around_behind_.counts[other]);
  for (const auto other : around_before_.seen)
    bigrams_.add(other, cls, around_before_.counts[other]);
  bigrams_.add(cls, cls, repeats_[word]);
  bigrams_.add_total(cls, totals_[word]);
}

std::uint32_t WordClasses::best_class(std::uint32_t word, std::uint32_t own) {
  std::ranges::fill(gains_, 0);
  for (const auto cls : around_behind_.seen)
    add_gains(bigrams_.before(cls), around_behind_.counts[cls]);
  for (const auto cls : around_before_.seen)
    add_gains(bigrams_.behind(cls), around_before_.counts[cls]);
  const auto gain = [&](std::size_t cls) { // what was added for the class beside itself is one cell
    const auto here = bigrams_.count(cls, cls), total = bigrams_.total(cls);
    const auto left = around_before_.counts[cls], right = around_behind_.counts[cls];
    return gains_[cls] + phi_(std::uint64_t{here} + left + right + repeats_[word]) -
           phi_(here + left) - phi_(here + right) + phi_(here) -
           2 * (phi_(total + totals_[word]) - phi_(total));
  };
  auto best = own;
  auto most = gain(own);
  for (auto cls = n_fixed_; cls < gains_.size(); ++cls)
    if (const auto gained = gain(cls); gained > most) {
      most = gained;
      best = static_cast<std::uint32_t>(cls);
    }
  return best;
}

void WordClasses::add_gains(std::span<const std::uint32_t> cells, std::uint32_t count) {
  for (std::size_t cls = 0; cls < cells.size(); ++cls)
    gains_[cls] += phi_(cells[cls] + count) - phi_(cells[cls]);
}

double WordClasses::log_likelihood() const {
  std::int64_t sum = 0;
  for (std::size_t cls = 0; cls < bigrams_.size(); ++cls) {
    sum -= 2 * phi_(bigrams_.total(cls));
    for (const auto count : bigrams_.behind(cls))
      sum += phi_(count);
  }
  for (const auto total : totals_)
    sum += phi_(total);
  return static_cast<double>(sum) / NLogN::steps;
}

} // namespace runoff::words
