#include "runoff/coarse_chart.hpp"

#include <algorithm>
#include <cmath>

namespace runoff {

CoarseGrammar::CoarseGrammar(const HeadModel &model) : labels_(model.labels()) {
  const auto n = std::size_t(labels_.count);
  ids_.assign(n * n, -1);
  by_parent_.resize(n);
  by_head_.resize(n);
  top_.assign(n, 0);
  for (const auto &[parent, head] : model.pairs()) {
    if (parent == labels_.top) {
      top_[std::size_t(head)] = float(model.head0(parent, head));
      continue;
    }
    ids_[std::size_t(parent) * n + std::size_t(head)] = std::int32_t(pairs_.size());
    by_parent_[std::size_t(parent)].push_back(pairs_.size());
    by_head_[std::size_t(head)].push_back(pairs_.size());
    pairs_.push_back({parent, head, float(model.head0(parent, head))});
  }
  for (const Side side : {Side::left, Side::right}) {
    const int s = int(side);
    for (const auto &pair : pairs_) {
      starts_[s].push_back(modifiers_[s].size());
      for (const Label label : model.modifiers(side, pair.parent, pair.head))
        modifiers_[s].push_back({label, float(model.label0(side, pair.parent, pair.head, true, label)),
                                 float(model.label0(side, pair.parent, pair.head, false, label))});
      for (const bool first : {true, false})
        stops_[s].push_back(float(model.label0(side, pair.parent, pair.head, first, labels_.stop())));
    }
    starts_[s].push_back(modifiers_[s].size());
    modified_[s].resize(n);
    takes_[s].assign(pairs_.size() * n, 0);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (const auto &modifier : modifiers(side, p))
        modified_[s][std::size_t(modifier.label)].push_back({std::uint32_t(p), modifier.first, modifier.later});
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (const auto &modifier : modifiers(side, p))
        takes_[s][p * n + std::size_t(modifier.label)] = 1;
  }
}

namespace {

float power_of_two(int exponent) { return exponent < -126 ? 0.0F : std::ldexp(1.0F, exponent); }

// into += factor * a * b, entry by entry
[[gnu::target_clones("avx2", "default")]] void add_product(float *into, const float *a, const float *b, float factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    into[i] += factor * a[i] * b[i];
}

constexpr float TINY = 1e-30F;

} // namespace

CoarseChart::CoarseChart(const CoarseGrammar &grammar, const Sentence &sentence)
    : grammar_(grammar), size_(int(sentence.words.size())), pairs_(grammar.pairs()),
      labels_(std::size_t(grammar.labels().count)), words_((labels_ + 63) / 64),
      cells_(std::size_t(size_) * std::size_t(size_ + 1) / 2) {
  for (auto *vector : {&right0_, &right1_, &left0_, &left1_, &more_right0_, &more_right1_,
                       &more_left0_, &more_left1_})
    vector->assign(cells_ * pairs_, 0.0F);
  complete_.assign(cells_ * labels_, 0.0F);
  exponents_.assign(cells_, 0);
  inside(sentence);
  if (parsed())
    outside();
}

void CoarseChart::inside(const Sentence &sentence) {
  for (int width = 1; width <= size_; ++width)
    for (int start = 0; start + width <= size_; ++start) {
      const int end = start + width;
      const auto here = cell(start, end);
      int top = -(1 << 30);
      for (int middle = start + 1; middle < end; ++middle)
        top = std::max(top, exponents_[cell(start, middle)] + exponents_[cell(middle, end)]);
      exponents_[here] = width == 1 ? 0 : top;
      float *right1 = &right1_[here * pairs_], *left1 = &left1_[here * pairs_];
      for (int middle = start + 1; middle < end; ++middle) {
        const auto a = cell(start, middle), b = cell(middle, end);
        const float factor = power_of_two(exponents_[a] + exponents_[b] - top);
        if (factor == 0.0F)
          continue;
        add_product(right1, &right0_[a * pairs_], &more_right0_[b * pairs_], factor, pairs_);
        add_product(right1, &right1_[a * pairs_], &more_right1_[b * pairs_], factor, pairs_);
        add_product(left1, &left0_[b * pairs_], &more_left0_[a * pairs_], factor, pairs_);
        add_product(left1, &left1_[b * pairs_], &more_left1_[a * pairs_], factor, pairs_);
      }
      close_cell(here, start, width == 1 ? &sentence.tags[std::size_t(start)] : nullptr);
    }
  const auto root = cell(0, size_);
  for (std::size_t label = 0; label < labels_; ++label)
    total_ += complete_[root * labels_ + label] * grammar_.top(Label(label));
  total_exponent_ = exponents_[root];
}

void CoarseChart::close_cell(std::size_t here, int, const std::vector<TagChoice> *tags) {
  float *right0 = &right0_[here * pairs_], *right1 = &right1_[here * pairs_];
  float *left0 = &left0_[here * pairs_], *left1 = &left1_[here * pairs_];
  float *complete = &complete_[here * labels_];
  std::vector<float> chain(labels_, 0.0F), next(labels_);
  if (tags)
    for (const auto &choice : *tags)
      chain[std::size_t(choice.tag)] = float(choice.probability);
  for (std::size_t p = 0; p < pairs_; ++p)
    if (right1[p] > 0 || left1[p] > 0)
      chain[std::size_t(grammar_.pair(p).parent)] +=
          right1[p] * grammar_.stop(Side::right, p, false) * grammar_.stop(Side::left, p, true) +
          left1[p] * grammar_.stop(Side::left, p, false);
  for (int level = 0;; ++level) {
    for (std::size_t label = 0; label < labels_; ++label)
      complete[label] += chain[label];
    if (level == MAX_UNARY)
      break;
    std::fill(next.begin(), next.end(), 0.0F);
    for (std::size_t label = 0; label < labels_; ++label)
      if (chain[label] > 0)
        for (const auto p : grammar_.pairs_of_head(Label(label)))
          next[std::size_t(grammar_.pair(p).parent)] +=
              chain[label] * grammar_.pair(p).head_probability *
              grammar_.stop(Side::right, p, true) * grammar_.stop(Side::left, p, true);
    chain.swap(next);
  }
  float most = 0;
  for (std::size_t p = 0; p < pairs_; ++p) {
    const auto &pair = grammar_.pair(p);
    right0[p] = pair.head_probability * complete[std::size_t(pair.head)];
    left0[p] = right0[p] * grammar_.stop(Side::right, p, true) +
               right1[p] * grammar_.stop(Side::right, p, false);
    most = std::max({most, right0[p], right1[p], left0[p], left1[p]});
  }
  for (std::size_t label = 0; label < labels_; ++label)
    most = std::max(most, complete[label]);
  if (most == 0)
    return;
  int shift = 0;
  std::frexp(most, &shift);
  const float factor = std::ldexp(1.0F, -shift);
  exponents_[here] += shift;
  const auto rescale = [&](float *values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      values[i] *= factor;
      if (values[i] < TINY)
        values[i] = 0;
    }
  };
  for (float *values : {right0, right1, left0, left1})
    rescale(values, pairs_);
  rescale(complete, labels_);
  sum_modifiers(here);
}

void CoarseChart::sum_modifiers(std::size_t here) {
  const float *complete = &complete_[here * labels_];
  const auto sums = [&](Side side, float *first, float *later) {
    for (std::size_t label = 0; label < labels_; ++label)
      if (const float value = complete[label]; value > 0)
        for (const auto &modified : grammar_.modified(side, Label(label))) {
          first[modified.pair] += modified.first * value;
          later[modified.pair] += modified.later * value;
        }
  };
  sums(Side::right, &more_right0_[here * pairs_], &more_right1_[here * pairs_]);
  sums(Side::left, &more_left0_[here * pairs_], &more_left1_[here * pairs_]);
}

void CoarseChart::outside() {
  for (auto *vector : {&o_right0_, &o_right1_, &o_left0_, &o_left1_, &om_right0_, &om_right1_,
                       &om_left0_, &om_left1_})
    vector->assign(cells_ * pairs_, 0.0F);
  o_complete_.assign(cells_ * labels_, 0.0F);
  // Outside values are kept so that inside times outside, as stored, is a share of all parses.
  const auto root = cell(0, size_);
  for (std::size_t label = 0; label < labels_; ++label)
    o_complete_[root * labels_ + label] = grammar_.top(Label(label)) / float(total_);
  std::vector<float> both(labels_), chain(labels_), next(labels_);
  for (int width = size_; width >= 1; --width)
    for (int start = 0; start + width <= size_; ++start) {
      const int end = start + width;
      const auto here = cell(start, end);
      float *oc = &o_complete_[here * labels_];
      float *or0 = &o_right0_[here * pairs_], *or1 = &o_right1_[here * pairs_];
      float *ol0 = &o_left0_[here * pairs_], *ol1 = &o_left1_[here * pairs_];
      for (const Side side : {Side::right, Side::left}) {
        const float *m0 = side == Side::right ? &om_right0_[here * pairs_] : &om_left0_[here * pairs_];
        const float *m1 = side == Side::right ? &om_right1_[here * pairs_] : &om_left1_[here * pairs_];
        for (std::size_t p = 0; p < pairs_; ++p)
          if (m0[p] > 0 || m1[p] > 0)
            for (const auto &modifier : grammar_.modifiers(side, p))
              oc[std::size_t(modifier.label)] += modifier.first * m0[p] + modifier.later * m1[p];
      }
      for (std::size_t p = 0; p < pairs_; ++p) {
        or0[p] += ol0[p] * grammar_.stop(Side::right, p, true);
        oc[std::size_t(grammar_.pair(p).head)] += grammar_.pair(p).head_probability * or0[p];
      }
      // both: outside of a constituent that nothing stands on yet
      std::copy(oc, oc + labels_, both.begin());
      std::copy(oc, oc + labels_, chain.begin());
      for (int level = 0; level < MAX_UNARY; ++level) {
        std::copy(oc, oc + labels_, next.begin());
        for (std::size_t p = 0; p < pairs_; ++p) {
          const auto &pair = grammar_.pair(p);
          const float up = chain[std::size_t(pair.parent)];
          if (up > 0)
            next[std::size_t(pair.head)] += up * pair.head_probability *
                                            grammar_.stop(Side::right, p, true) *
                                            grammar_.stop(Side::left, p, true);
        }
        chain.swap(next);
      }
      std::copy(chain.begin(), chain.end(), oc);
      for (std::size_t p = 0; p < pairs_; ++p) {
        const float up = oc[std::size_t(grammar_.pair(p).parent)];
        ol1[p] += up * grammar_.stop(Side::left, p, false);
        or1[p] += (ol0[p] + up * grammar_.stop(Side::left, p, true)) *
                  grammar_.stop(Side::right, p, false);
      }
      for (int middle = start + 1; middle < end; ++middle) {
        const auto a = cell(start, middle), b = cell(middle, end);
        const float factor = power_of_two(exponents_[a] + exponents_[b] - exponents_[here]);
        if (factor == 0.0F)
          continue;
        add_product(&o_right0_[a * pairs_], or1, &more_right0_[b * pairs_], factor, pairs_);
        add_product(&o_right1_[a * pairs_], or1, &more_right1_[b * pairs_], factor, pairs_);
        add_product(&om_right0_[b * pairs_], or1, &right0_[a * pairs_], factor, pairs_);
        add_product(&om_right1_[b * pairs_], or1, &right1_[a * pairs_], factor, pairs_);
        add_product(&o_left0_[b * pairs_], ol1, &more_left0_[a * pairs_], factor, pairs_);
        add_product(&o_left1_[b * pairs_], ol1, &more_left1_[a * pairs_], factor, pairs_);
        add_product(&om_left0_[a * pairs_], ol1, &left0_[b * pairs_], factor, pairs_);
        add_product(&om_left1_[a * pairs_], ol1, &left1_[b * pairs_], factor, pairs_);
      }
    }
}

void CoarseChart::prune(float threshold) {
  allowed_.assign(cells_ * words_, 0);
  below_.assign(cells_ * labels_ * words_, 0);
  partial_kept_.assign(cells_ * pairs_, 0);
  n_kept_ = 0;
  std::vector<float> shares(labels_);
  for (std::size_t here = 0; here < cells_; ++here) {
    const float *oc = &o_complete_[here * labels_];
    for (std::size_t label = 0; label < labels_; ++label) {
      const float inside = complete_[here * labels_ + label];
      if (inside * oc[label] < threshold)
        continue;
      allowed_[here * words_ + label / 64] |= std::uint64_t(1) << (label % 64);
      ++n_kept_;
      if (label < std::size_t(grammar_.labels().tags))
        continue;
      std::fill(shares.begin(), shares.end(), 0.0F);
      for (const Side side : {Side::right, Side::left}) {
        const float *m0 = side == Side::right ? &om_right0_[here * pairs_] : &om_left0_[here * pairs_];
        const float *m1 = side == Side::right ? &om_right1_[here * pairs_] : &om_left1_[here * pairs_];
        for (const auto &modified : grammar_.modified(side, Label(label)))
          shares[std::size_t(grammar_.pair(modified.pair).parent)] += modified.first * m0[modified.pair] + modified.later * m1[modified.pair];
      }
      for (const auto p : grammar_.pairs_of_head(Label(label))) {
        const auto &pair = grammar_.pair(p);
        shares[std::size_t(pair.parent)] += pair.head_probability * (o_right0_[here * pairs_ + p] +
            oc[std::size_t(pair.parent)] * grammar_.stop(Side::right, p, true) * grammar_.stop(Side::left, p, true));
      }
      if (here == cell(0, size_))
        shares[std::size_t(grammar_.labels().top)] = grammar_.top(Label(label)) / float(total_);
      for (std::size_t above = 0; above < labels_; ++above)
        if (inside * shares[above] >= threshold)
          below_[(here * labels_ + label) * words_ + above / 64] |= std::uint64_t(1) << (above % 64);
    }
    for (std::size_t p = 0; p < pairs_; ++p) {
      const auto at = here * pairs_ + p;
      partial_kept_[at] = std::uint8_t((right0_[at] * o_right0_[at] >= threshold) | ((right1_[at] * o_right1_[at] >= threshold) << 1) |
                          ((left0_[at] * o_left0_[at] >= threshold) << 2) | ((left1_[at] * o_left1_[at] >= threshold) << 3));
    }
  }
  holds_ = below_;
  const auto row = labels_ * words_;
  for (int width = size_ - 1; width >= 1; --width)
    for (int start = 0; start + width <= size_; ++start) {
      auto *here = &holds_[cell(start, start + width) * row];
      if (start > 0)
        for (std::size_t w = 0; w < row; ++w)
          here[w] |= holds_[cell(start - 1, start + width) * row + w];
      if (start + width < size_)
        for (std::size_t w = 0; w < row; ++w)
          here[w] |= holds_[cell(start, start + width + 1) * row + w];
    }
}

} // namespace runoff
