#include "runoff/base/at.hpp"
#include "runoff/parsing/coarse_chart.hpp"
#include "runoff/parsing/coarse_sums.hpp"

namespace runoff::parsing {

// Outside values are stored so that inside times outside, as stored, is a share of all parses.
void CoarseChart::outside(Allowance &allowance) {
  const auto root = cell(0, size_) * labels_;
  for (std::size_t label = 0; label < labels_; ++label)
    outer_complete_[root + label] = grammar_.top(static_cast<Label>(label)) / total_;
  for (int end = size_; end >= 1; --end)
    for (int start = 0; start < end; ++start) {
      allowance.work(base::at(size_ - (end - start) + 1));
      gather(start, end);
      open_cell(cell(start, end));
      keep(cell(start, end));
    }
}

// What surrounds the partial constituents of a cell, and what may modify others, from the larger
// cells that it is a part of. So only two sums of each cell outlast it.
void CoarseChart::gather(int start, int end) {
  const auto here = cell(start, end);
  std::fill(around_.begin(), around_.end(), 0.0F);
  float *outer_right1 = &outer_right1_[here * pairs_],
        *outer_left1 = &outer_left1_[here * pairs_ + first_left_];
  for (int width = size_; width > end - start; --width) {
    if (end - width >= 0) { // on the right of a larger one
      const auto larger = cell(end - width, end), other = cell(end - width, start);
      const float factor = power_of_two(exponents_[other] + exponents_[here] - exponents_[larger]);
      if (factor != 0.0F) {
        const auto right = other * pairs_, left = right + first_left_;
        const float *right1 = &outer_right1_[larger * pairs_];
        const float *left1 = &outer_left1_[larger * pairs_ + first_left_];
        add_product(outer_more_.right0, &inner_.right0[right], right1, factor, rights_);
        add_product(outer_more_.right1, &inner_.right1[right], right1, factor, rights_);
        add_product(outer_left0_ + first_left_, &more_.left0[left], left1, factor, lefts_);
        add_product(outer_left1, &more_.left1[left], left1, factor, lefts_);
      }
    }
    if (start + width <= size_) { // on the left
      const auto larger = cell(start, start + width), other = cell(end, start + width);
      const float factor = power_of_two(exponents_[here] + exponents_[other] - exponents_[larger]);
      if (factor != 0.0F) {
        const auto right = other * pairs_, left = right + first_left_;
        const float *right1 = &outer_right1_[larger * pairs_];
        const float *left1 = &outer_left1_[larger * pairs_ + first_left_];
        add_product(outer_right0_, &more_.right0[right], right1, factor, rights_);
        add_product(outer_right1, &more_.right1[right], right1, factor, rights_);
        add_product(outer_more_.left0 + first_left_, &inner_.left0[left], left1, factor, lefts_);
        add_product(outer_more_.left1 + first_left_, &inner_.left1[left], left1, factor, lefts_);
      }
    }
  }
}

// What surrounds something that is not there may be anything, also too large for a float.
void CoarseChart::forget_impossible(float *outer, const float *inner) const {
  for (std::size_t p = 0; p < pairs_; ++p)
    if (inner[p] == 0)
      outer[p] = 0;
}

// From what surrounds the cell's constituents to what surrounds its partial ones.
void CoarseChart::open_cell(std::size_t here) {
  const auto at = here * pairs_;
  float *complete = &outer_complete_[here * labels_];
  forget_impossible(outer_right0_, &inner_.right0[at]);
  forget_impossible(&outer_right1_[at], &inner_.right1[at]);
  forget_impossible(outer_left0_, &inner_.left0[at]);
  forget_impossible(&outer_left1_[at], &inner_.left1[at]);
  for (std::size_t label = 0; label < labels_; ++label)
    if (complete_[here * labels_ + label] > 0)
      for (const Side side : SIDES) {
        const float *first = outer_more_.part(side, true), *later = outer_more_.part(side, false);
        for (const auto &one : modified_[static_cast<int>(side)][label])
          complete[label] += one.first * first[one.pair] + one.later * later[one.pair];
      }
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    outer_right0_[p] += outer_left0_[p] * pair.stop(Side::right, true);
    complete[base::at(pair.head)] += pair.head_probability * outer_right0_[p];
  }
  // A constituent may have others on top of it: this is what surrounds one that has the fewest
  // below it, and so not less than what surrounds any.
  std::copy(complete, complete + labels_, chain_.begin());
  for (int level = 0; level < MAX_UNARY; ++level) {
    std::copy(complete, complete + labels_, next_.begin());
    for (const auto &pair : own_pairs_)
      next_[base::at(pair.head)] += chain_[base::at(pair.parent)] * pair.alone();
    chain_.swap(next_);
  }
  std::copy(chain_.begin(), chain_.end(), complete);
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    const float up = complete[base::at(pair.parent)];
    outer_left1_[at + p] += up * pair.stop(Side::left, false);
    outer_right1_[at + p] +=
        (outer_left0_[p] + up * pair.stop(Side::left, true)) * pair.stop(Side::right, false);
  }
}

// Remembers what the threshold keeps of a cell.
void CoarseChart::keep(std::size_t here) {
  const auto at = here * pairs_;
  const float *inner[] = {inner_.right0 + at, inner_.right1 + at, inner_.left0 + at,
                          inner_.left1 + at};
  const float *outer[] = {outer_right0_, outer_right1_ + at, outer_left0_, outer_left1_ + at};
  std::fill(marks_.begin(), marks_.end(), 0);
  for (std::size_t kind = 0; kind < 4; ++kind)
    mark_products(marks_.data(), inner[kind], outer[kind], threshold_, pairs_);
  kept_of_[here].begin = kept_.size();
  for (std::size_t p = 0; p < pairs_; ++p)
    if (marks_[p]) {
      auto &one = kept_.emplace_back();
      one.pair = own_pairs_[p].number;
      for (std::size_t kind = 0; kind < 4; ++kind) {
        one.outer[kind] = outer[kind][p];
        one.shares[kind] = inner[kind][p] * outer[kind][p];
      }
    }
  kept_of_[here].end = kept_.size();
  for (auto label = base::at(grammar_.labels().tags); label < labels_; ++label) {
    const float inside = complete_[here * labels_ + label];
    if (!(inside * outer_complete_[here * labels_ + label] >= threshold_))
      continue;
    shares_by_parent(here, label, shares_);
    for (std::size_t above = 0; above < labels_; ++above)
      if (const float share = inside * shares_[above]; share >= threshold_)
        kept_below_.push_back({static_cast<std::uint32_t>(here), static_cast<std::uint16_t>(label),
                               static_cast<std::uint16_t>(above), share});
  }
}

void CoarseChart::shares_by_parent(std::size_t here, std::size_t label,
                                   std::vector<float> &shares) const {
  std::fill(shares.begin(), shares.end(), 0.0F);
  for (const Side side : SIDES) {
    const float *first = outer_more_.part(side, true), *later = outer_more_.part(side, false);
    for (const auto &one : modified_[static_cast<int>(side)][label])
      shares[base::at(own_pairs_[one.pair].parent)] +=
          one.first * first[one.pair] + one.later * later[one.pair];
  }
  for (const auto number : grammar_.pairs_of_head(static_cast<Label>(label))) {
    const auto local = base::at(local_[number]);
    const auto &pair = own_pairs_[local];
    const auto parent = base::at(pair.parent);
    shares[parent] += pair.head_probability * outer_right0_[local] +
                      outer_complete_[here * labels_ + parent] * pair.alone();
  }
  if (here == cell(0, size_))
    shares[base::at(grammar_.labels().top)] = grammar_.top(static_cast<Label>(label)) / total_;
}

} // namespace runoff::parsing
