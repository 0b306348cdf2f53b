#include "runoff/base/at.hpp"
#include "runoff/parsing/coarse_chart.hpp"
#include "runoff/parsing/coarse_sums.hpp"

namespace runoff::parsing {

namespace {

// Smaller values of a cell, of which the largest is about 1, are nothing.
constexpr float TINY = 1e-30F;

} // namespace

void CoarseChart::inside(const Sentence &sentence, Allowance &allowance) {
  // In this order the cells that end where this one does stay near the processor.
  for (int end = 1; end <= size_; ++end)
    for (int start = end - 1; start >= 0; --start) {
      const auto here = cell(start, end);
      allowance.work(base::at(end - start));
      if (start + 1 == end) {
        close_cell(here, sentence.tags[base::at(start)]);
        continue;
      }
      const int largest = largest_product(start, end);
      if (largest == NOTHING)
        continue;
      exponents_[here] = largest;
      float *right1 = &inner_.right1[here * pairs_],
            *left1 = &inner_.left1[here * pairs_ + first_left_];
      for (int middle = start + 1; middle < end; ++middle) {
        const auto a = cell(start, middle), b = cell(middle, end);
        const float factor = power_of_two(exponents_[a] + exponents_[b] - largest);
        if (factor == 0.0F)
          continue;
        auto at = a * pairs_, bt = b * pairs_;
        if (peaks_[a].right != NOTHING && peaks_[b].more_right != NOTHING)
          add_products(right1, &inner_.right0[at], &more_.right0[bt], &inner_.right1[at],
                       &more_.right1[bt], factor, rights_);
        at += first_left_;
        bt += first_left_;
        if (peaks_[b].left != NOTHING && peaks_[a].more_left != NOTHING)
          add_products(left1, &inner_.left0[bt], &more_.left0[at], &inner_.left1[bt],
                       &more_.left1[at], factor, lefts_);
      }
      close_cell(here, {});
    }
  const auto root = cell(0, size_) * labels_;
  for (std::size_t label = 0; label < labels_; ++label)
    total_ += complete_[root + label] * grammar_.top(static_cast<Label>(label));
  if (!(total_ >= TINY))
    total_ = 0;
}

// An exponent that the partial constituents of a cell will not be far above: cells that do not fit
// together, though both are likely, say nothing.
int CoarseChart::largest_product(int start, int end) const {
  constexpr int LEAST = -120; // so that factors stay in the range of a float
  int largest = NOTHING;
  for (int middle = start + 1; middle < end; ++middle) {
    const auto a = cell(start, middle), b = cell(middle, end);
    const int right = peaks_[a].right + peaks_[b].more_right;
    const int left = peaks_[b].left + peaks_[a].more_left;
    if (const int both = std::max(right, left); both > NOTHING / 2)
      largest = std::max(largest, exponents_[a] + exponents_[b] + std::max(both, LEAST));
  }
  return largest;
}

// Makes constituents of the partial ones, and partial ones of those.
void CoarseChart::close_cell(std::size_t here, std::span<const TagChoice> tags) {
  const auto at = here * pairs_;
  float *complete = &complete_[here * labels_];
  std::fill(chain_.begin(), chain_.end(), 0.0F);
  for (const auto &choice : tags)
    chain_[base::at(choice.tag)] = static_cast<float>(choice.probability);
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    chain_[base::at(pair.parent)] +=
        inner_.right1[at + p] * pair.stop(Side::right, false) * pair.stop(Side::left, true) +
        inner_.left1[at + p] * pair.stop(Side::left, false);
  }
  for (int level = 0;; ++level) { // constituents on top of each other
    for (std::size_t label = 0; label < labels_; ++label)
      complete[label] += chain_[label];
    if (level == MAX_UNARY)
      break;
    std::fill(next_.begin(), next_.end(), 0.0F);
    for (const auto &pair : own_pairs_)
      next_[base::at(pair.parent)] += chain_[base::at(pair.head)] * pair.alone();
    chain_.swap(next_);
  }
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    inner_.right0[at + p] = pair.head_probability * complete[base::at(pair.head)];
    inner_.left0[at + p] = inner_.right0[at + p] * pair.stop(Side::right, true) +
                           inner_.right1[at + p] * pair.stop(Side::right, false);
  }
  rescale(here);
  sum_modifiers(here);
  find_peaks(here);
}

void CoarseChart::find_peaks(std::size_t here) {
  const auto peak = [&](const float *first, const float *later) {
    float largest = 0;
    for (std::size_t at = here * pairs_; at < (here + 1) * pairs_; ++at)
      largest = std::max({largest, first[at], later[at]});
    int exponent = NOTHING;
    if (largest > 0)
      std::frexp(largest, &exponent);
    return exponent;
  };
  peaks_[here] = {peak(inner_.right0, inner_.right1), peak(inner_.left0, inner_.left1),
                  peak(more_.right0, more_.right1), peak(more_.left0, more_.left1)};
}

// Divides by a power of two, so that no sentence is too long for a float.
void CoarseChart::rescale(std::size_t here) {
  float *parts[] = {&inner_.right0[here * pairs_], &inner_.right1[here * pairs_],
                    &inner_.left0[here * pairs_], &inner_.left1[here * pairs_]};
  float *complete = &complete_[here * labels_];
  float largest = 0;
  for (const float *part : parts)
    for (std::size_t p = 0; p < pairs_; ++p)
      largest = std::max(largest, part[p]);
  for (std::size_t label = 0; label < labels_; ++label)
    largest = std::max(largest, complete[label]);
  if (largest == 0)
    return;
  int shift = 0;
  std::frexp(largest, &shift);
  shift = std::max(shift, -126); // the inverse of what is smaller is too large for a float
  exponents_[here] += shift;
  const float factor = std::ldexp(1.0F, -shift);
  const auto scale = [factor](float *values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      values[i] *= factor;
      values[i] = values[i] < TINY ? 0.0F : values[i];
    }
  };
  for (float *part : parts)
    scale(part, pairs_);
  scale(complete, labels_);
}

void CoarseChart::sum_modifiers(std::size_t here) {
  for (std::size_t label = 0; label < labels_; ++label) {
    const float value = complete_[here * labels_ + label];
    if (value == 0)
      continue;
    for (const Side side : SIDES) {
      float *first = side == Side::right ? more_.right0 : more_.left0;
      float *later = side == Side::right ? more_.right1 : more_.left1;
      for (const auto &one : modified_[static_cast<int>(side)][label]) {
        first[here * pairs_ + one.pair] += one.first * value;
        later[here * pairs_ + one.pair] += one.later * value;
      }
    }
  }
}

} // namespace runoff::parsing
