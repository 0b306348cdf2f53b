#include "runoff/parsing/coarse_chart.hpp"

#include "runoff/base/at.hpp"

#include <utility>

namespace runoff::parsing {
namespace {

// For each cell and pair: inside values and modifiers by side and whether the first, and the
// outside values that smaller cells ask for.
constexpr std::size_t SUMS = 4 + 4 + 2;
constexpr std::size_t SUMS_KEPT = 8'000'000; // for the next sentence: those of about 75 words

} // namespace

std::size_t CoarseChart::bytes(const CoarseGrammar &grammar, int words) {
  const auto cells = base::at(words) * base::at(words + 1) / 2;
  const auto labels = base::at(grammar.labels().count);
  const auto sums = SUMS * grammar.pairs().size() * sizeof(float);
  const auto rest = 2 * labels * (sizeof(float) + (labels + 63) / 64 * sizeof(std::uint64_t));
  return cells * (sums + rest);
}

CoarseChart::CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence, float threshold,
                         std::vector<float> &sums, Allowance &allowance)
    : grammar_(grammar), size_(sentence.size()), labels_(base::at(grammar.labels().count)),
      words_((labels_ + 63) / 64), cells_(base::at(size_) * base::at(size_ + 1) / 2),
      local_(grammar.pairs().size(), -1), first_threshold_(threshold), threshold_(threshold),
      exponents_(cells_, 0), peaks_(cells_), chain_(labels_), next_(labels_), shares_(labels_) {
  choose_pairs(sentence);
  make(sentence, sums, allowance);
  if (sums.size() > SUMS_KEPT)
    std::vector<float>().swap(sums);
}

void CoarseChart::make(const Sentence &sentence, std::vector<float> &sums, Allowance &allowance) {
  const auto size = cells_ * pairs_;
  sums.assign(SUMS * size, 0.0F);
  inner_ = Parts(sums.data(), size);
  more_ = Parts(sums.data() + 4 * size, size);
  outer_right1_ = sums.data() + 8 * size;
  outer_left1_ = sums.data() + 9 * size;
  complete_.assign(cells_ * labels_, 0.0F);
  inside(sentence, allowance);
  if (parsed()) {
    around_.resize(6 * pairs_);
    marks_.resize(pairs_);
    outer_right0_ = around_.data();
    outer_left0_ = around_.data() + pairs_;
    outer_more_ = Parts(around_.data() + 2 * pairs_, pairs_);
    outer_complete_.assign(cells_ * labels_, 0.0F);
    kept_of_.resize(cells_);
    outside(allowance);
  }
}

// Only pairs whose head the sentence can have at all.
void CoarseChart::choose_pairs(const Sentence &sentence) {
  std::vector<char> possible(labels_, 0);
  std::vector<Label> todo;
  const auto reach = [&](Label label) {
    if (!std::exchange(possible[base::at(label)], 1))
      todo.push_back(label);
  };
  for (const auto &choices : sentence.tags)
    for (const auto &choice : choices)
      reach(choice.tag);
  while (!todo.empty()) {
    const Label label = todo.back();
    todo.pop_back();
    for (const auto pair : grammar_.pairs_of_head(label))
      reach(grammar_.pair(pair).parent);
  }
  std::vector<char> taking[2]; // pairs that take a modifier which the sentence can have
  for (const Side side : SIDES) {
    auto &taken = taking[static_cast<int>(side)];
    taken.resize(grammar_.pairs().size());
    for (std::size_t label = 0; label < labels_; ++label)
      if (possible[label])
        for (const auto &one : grammar_.modified(side, static_cast<Label>(label)))
          taken[one.pair] = 1;
  }
  // Those that take modifiers on the right first, on the left next, so that the pairs of either
  // side are neighbours.
  const auto choose = [&](bool right, bool left) {
    for (std::uint32_t pair = 0; pair < grammar_.pairs().size(); ++pair)
      if (possible[base::at(grammar_.pair(pair).head)] &&
          (taking[static_cast<int>(Side::right)][pair] != 0) == right &&
          (taking[static_cast<int>(Side::left)][pair] != 0) == left) {
        local_[pair] = static_cast<std::int32_t>(own_pairs_.size());
        own_pairs_.push_back({grammar_.pair(pair), pair});
      }
  };
  choose(true, false);
  first_left_ = own_pairs_.size();
  choose(true, true);
  rights_ = own_pairs_.size();
  choose(false, true);
  lefts_ = own_pairs_.size() - first_left_;
  choose(false, false);
  pairs_ = own_pairs_.size();
  for (const Side side : SIDES) {
    auto &modified = modified_[static_cast<int>(side)];
    modified.resize(labels_);
    for (std::size_t label = 0; label < labels_; ++label)
      if (possible[label])
        for (auto one : grammar_.modified(side, static_cast<Label>(label)))
          if (local_[one.pair] >= 0) {
            one.pair = static_cast<std::uint32_t>(local_[one.pair]);
            modified[label].push_back(one);
          }
  }
}

void CoarseChart::prune(float threshold) {
  threshold_ = threshold;
  allowed_.assign(cells_ * words_, 0);
  below_.assign(cells_ * labels_ * words_, 0);
  for (std::size_t here = 0; here < cells_; ++here)
    for (std::size_t label = 0; label < labels_; ++label)
      // nor is it a number, if what surrounds is too large for a float
      if (complete_[here * labels_ + label] * outer_complete_[here * labels_ + label] >= threshold)
        set_bit(allowed_, here, label);
  for (const auto &[here, label, above, share] : kept_below_)
    if (share >= threshold && allows(here, label))
      set_bit(below_, here * labels_ + label, above);
  holds_ = below_;
  const auto size = labels_ * words_;
  for (int width = size_ - 1; width >= 1; --width)
    for (int start = 0; start + width <= size_; ++start) {
      auto *here = &holds_[cell(start, start + width) * size];
      const auto take = [&](std::size_t larger) {
        for (std::size_t w = 0; w < size; ++w)
          here[w] |= holds_[larger * size + w];
      };
      if (start > 0)
        take(cell(start - 1, start + width));
      if (start + width < size_)
        take(cell(start, start + width + 1));
    }
}

} // namespace runoff::parsing
