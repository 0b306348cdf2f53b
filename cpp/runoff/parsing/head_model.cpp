#include "runoff/parsing/head_model.hpp"

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_contexts.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace runoff::parsing {

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

// Whether rows are in order and differ in their first so many numbers.
template <std::size_t Keys, typename Rows> bool ascending(const Rows &rows) {
  const auto in_order = [](const auto &a, const auto &b) {
    return std::lexicographical_compare(a.begin(), a.begin() + Keys, b.begin(), b.begin() + Keys);
  };
  return std::adjacent_find(rows.begin(), rows.end(), [&](const auto &a, const auto &b) {
           return !in_order(a, b);
         }) == rows.end();
}

std::uint32_t future(std::int64_t number) { return static_cast<std::uint32_t>(number); }

} // namespace

void Labels::check() const {
  const auto n = base::at(count);
  require(0 < tags && tags <= top && top < count && count < 512, "the labels are out of range");
  require(tags <= np && np < count && tags <= base_np && base_np < count,
          "the labels of noun phrases are out of range");
  require(is_verb.size() == n && is_conjunction.size() == n, "a label lacks its kind");
  require(complements.size() == 2 * n * n * n, "the table of complements has the wrong size");
  for (const auto slot : complements)
    require(slot >= -1 && slot < FRAME_SLOTS, "a complement has no slot");
}

HeadModel::HeadModel(Labels labels, Seen seen, std::vector<BackoffTable> tables)
    : labels_(std::move(labels)), seen_(std::move(seen)), tables_(std::move(tables)) {
  labels_.check();
  require(tables_.size() == UNLEXICALISED || tables_.size() == DECISIONS,
          "a table of probabilities is missing");
  for (const auto &table : tables_)
    table.check();
  require(ascending<2>(seen_.heads) && ascending<4>(seen_.modifiers) &&
              ascending<4>(seen_.frames) && ascending<2>(seen_.above) && ascending<1>(seen_.tags),
          "what was seen is not in order, or there twice");
  const auto is_label = [&](Label label) { return label >= 0 && label < labels_.count; };
  const auto is_phrase = [&](Label label) { return is_label(label) && label >= labels_.tags; };
  for (const auto &[parent, head] : seen_.heads)
    require(is_phrase(parent) && is_label(head), "a head is out of range");
  for (const auto &[side, parent, head, modifier] : seen_.modifiers)
    require((side == 0 || side == 1) && is_phrase(parent) && is_label(head) && is_label(modifier),
            "a modifier is out of range");
  const auto n = base::at(labels_.count);
  for (auto &frames : frames_)
    frames.resize(n * n);
  for (const auto &[side, parent, head, frame] : seen_.frames) {
    require((side == 0 || side == 1) && is_phrase(parent) && is_label(head) && frame >= 0 &&
                frame < 1 << (2 * FRAME_SLOTS),
            "a frame is out of range");
    frames_[side][labels_.pair(parent, head)].push_back(static_cast<Frame>(frame));
  }
  above_.resize(n);
  for (const auto &[label, above, times] : seen_.above) {
    require(is_phrase(label) && is_phrase(above) && times > 0, "a label above is out of range");
    above_[base::at(label)].push_back({above, static_cast<double>(times)});
  }
  for (auto &row : above_) {
    double sum = 0;
    for (const auto &one : row)
      sum += one.share;
    for (auto &one : row)
      one.share /= sum;
  }
  tag_shares_.assign(base::at(labels_.tags), 0.0);
  double sum = 0;
  for (const auto &[tag, times] : seen_.tags) {
    require(is_label(tag) && !is_phrase(tag) && times > 0, "a tag is out of range");
    tag_shares_[base::at(tag)] = times;
    sum += times;
  }
  require(sum > 0, "no tag was ever seen");
  for (auto &share : tag_shares_)
    share /= sum;
}

double HeadModel::above_share(Label label, Label above) const {
  for (const auto &one : this->above(label))
    if (one.label == above)
      return one.share;
  return 0.0;
}

double HeadModel::head0(Label parent, Label head) const {
  const std::array contexts{head1_contexts(parent, labels_.none()).keys[1]};
  return tables_[HEAD1].probability(contexts, future(head), 0.0);
}

double HeadModel::label0(Side side, Label parent, Label head, bool first, Label modifier) const {
  const Key context = label0_context(side, parent, head);
  const std::array contexts{joined(context, first), context};
  return tables_[LABEL1].probability(contexts, future(modifier), 0.0);
}

double HeadModel::head1(Label parent, Label above, Label head) const {
  return tables_[HEAD1].probability(head1_contexts(parent, above), future(head), UNSEEN_LABEL);
}

double HeadModel::label1(const State &state, Label modifier) const {
  return tables_[LABEL1].probability(label1_contexts(state, state.previous == labels_.none()),
                                     future(modifier), UNSEEN_LABEL);
}

double HeadModel::word1(Lexical lexical) const {
  return tables_[WORD1].probability(word1_contexts(lexical.tag), future(lexical.word), UNSEEN_WORD);
}

double HeadModel::head2(Label parent, Label above, Lexical lexical, Label head) const {
  return tables_[HEAD2].probability(head2_contexts(parent, above, lexical), future(head),
                                    UNSEEN_LABEL);
}

double HeadModel::frame2(const State &state, Lexical lexical, Frame frame) const {
  return tables_[FRAME2].probability(frame2_contexts(state, lexical), frame, UNSEEN_LABEL);
}

double HeadModel::label2(const State &state, Lexical lexical, Frame frame, bool verb,
                         Label modifier) const {
  return tables_[LABEL2].probability(label2_contexts(state, lexical, frame, verb), future(modifier),
                                     UNSEEN_LABEL);
}

double HeadModel::tag2(const State &state, Lexical lexical, Label modifier, Label tag) const {
  return tables_[TAG2].probability(tag2_contexts(state, lexical, modifier), future(tag),
                                   UNSEEN_LABEL);
}

double HeadModel::word2(const State &state, Lexical lexical, Label modifier, Lexical other) const {
  const bool after_conjunction =
      state.previous < labels_.count && labels_.is_conjunction[base::at(state.previous)] != 0;
  return tables_[WORD2].probability(
      word2_contexts(state, lexical, modifier, other.tag, after_conjunction), future(other.word),
      UNSEEN_WORD);
}

} // namespace runoff::parsing
