#include "runoff/parsing/coarse_chart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace runoff::parsing {

CoarseGrammar::CoarseGrammar(const HeadModel &model) : labels_(model.labels()) {
  const auto n = static_cast<std::size_t>(labels_.count);
  numbers_.assign(n * n, -1);
  by_head_.resize(n);
  top_.assign(n, 0.0F);
  for (const auto &[parent, head] : model.seen().heads) {
    const auto probability = static_cast<float>(model.head0(parent, head));
    if (parent == labels_.top) {
      top_[static_cast<std::size_t>(head)] = probability;
      continue;
    }
    numbers_[labels_.pair(parent, head)] = static_cast<std::int32_t>(pairs_.size());
    by_head_[static_cast<std::size_t>(head)].push_back(static_cast<std::uint32_t>(pairs_.size()));
    Pair pair{parent, head, probability, {}};
    for (const Side side : SIDES)
      for (const bool first : {true, false})
        pair.stops[static_cast<int>(side)][!first] =
            static_cast<float>(model.label0(side, parent, head, first, labels_.stop()));
    pairs_.push_back(pair);
  }
  for (auto &modified : modified_)
    modified.resize(n);
  for (auto &takes : takes_)
    takes.assign(pairs_.size() * n, 0);
  for (const auto &[side_number, parent, head, modifier] : model.seen().modifiers) {
    const auto side = static_cast<Side>(side_number);
    const auto pair = numbers_[labels_.pair(parent, head)];
    if (pair < 0)
      continue;
    modified_[side_number][static_cast<std::size_t>(modifier)].push_back(
        {static_cast<std::uint32_t>(pair),
         static_cast<float>(model.label0(side, parent, head, true, modifier)),
         static_cast<float>(model.label0(side, parent, head, false, modifier))});
    takes_[side_number][static_cast<std::size_t>(pair) * n + static_cast<std::size_t>(modifier)] =
        1;
  }
}

namespace {

// Smaller values of a cell, of which the largest is about 1, are nothing.
constexpr float TINY = 1e-30F;

// For each cell and pair: inside values and modifiers by side and whether the first, and the
// outside values that smaller cells ask for.
constexpr std::size_t SUMS = 4 + 4 + 2;
constexpr std::size_t SUMS_KEPT = 8'000'000; // for the next sentence: those of about 75 words

// Cut where products with other values of cells would leave the range of a float.
float power_of_two(int exponent) {
  return exponent < -126 ? 0.0F : std::ldexp(1.0F, std::min(exponent, 96));
}

// into += (factor * a) * b, entry by entry. Eight at a time where the processor can: the same bits.
[[gnu::target_clones("avx2", "default")]] void
add_product(float *into, const float *a, const float *b, float factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    into[i] += factor * a[i] * b[i];
}

// Marks entries whose product is not below a threshold, and is a number.
[[gnu::target_clones("avx2", "default")]] void
mark_products(std::int32_t *marks, const float *a, const float *b, float least, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    marks[i] |= a[i] * b[i] >= least;
}

} // namespace

std::size_t CoarseChart::bytes(const CoarseGrammar &grammar, int words) {
  const auto cells = static_cast<std::size_t>(words) * static_cast<std::size_t>(words + 1) / 2;
  const auto labels = static_cast<std::size_t>(grammar.labels().count);
  const auto sums = SUMS * grammar.pairs().size() * sizeof(float);
  const auto rest = 2 * labels * (sizeof(float) + (labels + 63) / 64 * sizeof(std::uint64_t));
  return cells * (sums + rest);
}

CoarseChart::CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence, float threshold,
                         std::vector<float> &sums)
    : grammar_(grammar), size_(sentence.size()),
      labels_(static_cast<std::size_t>(grammar.labels().count)), words_((labels_ + 63) / 64),
      cells_(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_ + 1) / 2),
      local_(grammar.pairs().size(), -1), first_threshold_(threshold), threshold_(threshold),
      exponents_(cells_, 0), peaks_(cells_), chain_(labels_), next_(labels_), shares_(labels_) {
  choose_pairs(sentence);
  make(sentence, sums);
  if (sums.size() > SUMS_KEPT)
    std::vector<float>().swap(sums);
}

void CoarseChart::make(const Sentence &sentence, std::vector<float> &sums) {
  const auto size = cells_ * pairs_;
  sums.assign(SUMS * size, 0.0F);
  inner_ = Parts(sums.data(), size);
  more_ = Parts(sums.data() + 4 * size, size);
  outer_right1_ = sums.data() + 8 * size;
  outer_left1_ = sums.data() + 9 * size;
  complete_.assign(cells_ * labels_, 0.0F);
  inside(sentence);
  if (parsed()) {
    around_.resize(6 * pairs_);
    marks_.resize(pairs_);
    outer_right0_ = around_.data();
    outer_left0_ = around_.data() + pairs_;
    outer_more_ = Parts(around_.data() + 2 * pairs_, pairs_);
    outer_complete_.assign(cells_ * labels_, 0.0F);
    kept_of_.resize(cells_);
    outside();
  }
}

// Only pairs whose head the sentence can have at all.
void CoarseChart::choose_pairs(const Sentence &sentence) {
  std::vector<char> possible(labels_, 0);
  std::vector<Label> todo;
  const auto reach = [&](Label label) {
    if (!std::exchange(possible[static_cast<std::size_t>(label)], 1))
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
  for (std::uint32_t pair = 0; pair < grammar_.pairs().size(); ++pair)
    if (possible[static_cast<std::size_t>(grammar_.pair(pair).head)]) {
      local_[pair] = static_cast<std::int32_t>(own_pairs_.size());
      own_pairs_.push_back({grammar_.pair(pair), pair});
    }
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

void CoarseChart::inside(const Sentence &sentence) {
  for (int width = 1; width <= size_; ++width)
    for (int start = 0; start + width <= size_; ++start) {
      const int end = start + width;
      const auto here = cell(start, end);
      if (width == 1) {
        close_cell(here, sentence.tags[static_cast<std::size_t>(start)]);
        continue;
      }
      const int largest = largest_product(start, end);
      if (largest == NOTHING)
        continue;
      exponents_[here] = largest;
      float *right1 = &inner_.right1[here * pairs_], *left1 = &inner_.left1[here * pairs_];
      for (int middle = start + 1; middle < end; ++middle) {
        const auto a = cell(start, middle), b = cell(middle, end);
        const float factor = power_of_two(exponents_[a] + exponents_[b] - largest);
        if (factor == 0.0F)
          continue;
        const auto at = a * pairs_, bt = b * pairs_;
        add_product(right1, &inner_.right0[at], &more_.right0[bt], factor, pairs_);
        add_product(right1, &inner_.right1[at], &more_.right1[bt], factor, pairs_);
        add_product(left1, &inner_.left0[bt], &more_.left0[at], factor, pairs_);
        add_product(left1, &inner_.left1[bt], &more_.left1[at], factor, pairs_);
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
    chain_[static_cast<std::size_t>(choice.tag)] = static_cast<float>(choice.probability);
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    chain_[static_cast<std::size_t>(pair.parent)] +=
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
      next_[static_cast<std::size_t>(pair.parent)] +=
          chain_[static_cast<std::size_t>(pair.head)] * pair.alone();
    chain_.swap(next_);
  }
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    inner_.right0[at + p] = pair.head_probability * complete[static_cast<std::size_t>(pair.head)];
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

// Outside values are stored so that inside times outside, as stored, is a share of all parses.
void CoarseChart::outside() {
  const auto root = cell(0, size_) * labels_;
  for (std::size_t label = 0; label < labels_; ++label)
    outer_complete_[root + label] = grammar_.top(static_cast<Label>(label)) / total_;
  for (int width = size_; width >= 1; --width)
    for (int start = 0; start + width <= size_; ++start) {
      gather(start, start + width);
      open_cell(cell(start, start + width));
      keep(cell(start, start + width));
    }
}

// What surrounds the partial constituents of a cell, and what may modify others, from the larger
// cells that it is a part of. So only two sums of each cell outlast it.
void CoarseChart::gather(int start, int end) {
  const auto here = cell(start, end);
  std::fill(around_.begin(), around_.end(), 0.0F);
  float *outer_right1 = &outer_right1_[here * pairs_], *outer_left1 = &outer_left1_[here * pairs_];
  for (int width = size_; width > end - start; --width) {
    if (end - width >= 0) { // on the right of a larger one
      const auto larger = cell(end - width, end), other = cell(end - width, start);
      const float factor = power_of_two(exponents_[other] + exponents_[here] - exponents_[larger]);
      if (factor != 0.0F) {
        const auto at = other * pairs_;
        const float *right1 = &outer_right1_[larger * pairs_];
        const float *left1 = &outer_left1_[larger * pairs_];
        add_product(outer_more_.right0, &inner_.right0[at], right1, factor, pairs_);
        add_product(outer_more_.right1, &inner_.right1[at], right1, factor, pairs_);
        add_product(outer_left0_, &more_.left0[at], left1, factor, pairs_);
        add_product(outer_left1, &more_.left1[at], left1, factor, pairs_);
      }
    }
    if (start + width <= size_) { // on the left
      const auto larger = cell(start, start + width), other = cell(end, start + width);
      const float factor = power_of_two(exponents_[here] + exponents_[other] - exponents_[larger]);
      if (factor != 0.0F) {
        const auto at = other * pairs_;
        const float *right1 = &outer_right1_[larger * pairs_];
        const float *left1 = &outer_left1_[larger * pairs_];
        add_product(outer_right0_, &more_.right0[at], right1, factor, pairs_);
        add_product(outer_right1, &more_.right1[at], right1, factor, pairs_);
        add_product(outer_more_.left0, &inner_.left0[at], left1, factor, pairs_);
        add_product(outer_more_.left1, &inner_.left1[at], left1, factor, pairs_);
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
    complete[static_cast<std::size_t>(pair.head)] += pair.head_probability * outer_right0_[p];
  }
  // A constituent may have others on top of it: this is what surrounds one that has the fewest
  // below it, and so not less than what surrounds any.
  std::copy(complete, complete + labels_, chain_.begin());
  for (int level = 0; level < MAX_UNARY; ++level) {
    std::copy(complete, complete + labels_, next_.begin());
    for (const auto &pair : own_pairs_)
      next_[static_cast<std::size_t>(pair.head)] +=
          chain_[static_cast<std::size_t>(pair.parent)] * pair.alone();
    chain_.swap(next_);
  }
  std::copy(chain_.begin(), chain_.end(), complete);
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = own_pairs_[p];
    const float up = complete[static_cast<std::size_t>(pair.parent)];
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
  for (auto label = static_cast<std::size_t>(grammar_.labels().tags); label < labels_; ++label) {
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
      shares[static_cast<std::size_t>(own_pairs_[one.pair].parent)] +=
          one.first * first[one.pair] + one.later * later[one.pair];
  }
  for (const auto number : grammar_.pairs_of_head(static_cast<Label>(label))) {
    const auto local = static_cast<std::size_t>(local_[number]);
    const auto &pair = own_pairs_[local];
    const auto parent = static_cast<std::size_t>(pair.parent);
    shares[parent] += pair.head_probability * outer_right0_[local] +
                      outer_complete_[here * labels_ + parent] * pair.alone();
  }
  if (here == cell(0, size_))
    shares[static_cast<std::size_t>(grammar_.labels().top)] =
        grammar_.top(static_cast<Label>(label)) / total_;
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
