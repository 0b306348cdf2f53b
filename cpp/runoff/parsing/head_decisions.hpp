// The decisions that make a tree, in order.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_model.hpp"

#include <algorithm>

namespace runoff::parsing {

// Visits the decisions of trees. Visit has head(parent, above, lexical, head), frame(state,
// lexical, frame), label(state, lexical, frame, verb, modifier or STOP), tag(state, lexical,
// modifier, tag) and word(state, lexical, modifier, other).
template <typename Visit> class Decisions {
public:
  Decisions(const Labels &labels, const HeadedTrees &trees, Visit &visit)
      : meaning_(labels), trees_(trees), visit_(visit) {}

  void tree(std::size_t number) {
    const auto start = base::at(trees_.offsets[number]);
    const auto size = base::at(trees_.offsets[number + 1]) - start;
    labels_ = trees_.labels.subspan(start, size);
    ends_ = trees_.ends.subspan(start, size);
    heads_ = trees_.heads.subspan(start, size);
    words_ = trees_.words.subspan(start, size);
    find_places();
    above_.assign(size, meaning_.none());
    for (std::size_t node = 0; node < size; ++node)
      if (!is_tag(node))
        constituent(node);
  }

private:
  bool is_tag(std::size_t node) const { return labels_[node] < meaning_.tags; }
  std::size_t end(std::size_t node) const { return base::at(ends_[node]); }

  // Where each node begins among the words, its head word, and how many verbs come before a word.
  void find_places() {
    const auto size = labels_.size();
    places_.resize(size + 1);
    verbs_.assign(1, 0);
    for (std::size_t node = 0; node < size; ++node) {
      places_[node] = verbs_.size() - 1;
      if (is_tag(node))
        verbs_.push_back(verbs_.back() + meaning_.is_verb[base::at(labels_[node])]);
    }
    places_[size] = verbs_.size() - 1;
    head_words_.resize(size);
    for (std::size_t node = size; node-- > 0;)
      head_words_[node] = is_tag(node) ? node : head_words_[base::at(heads_[node])];
  }

  Lexical lexical(std::size_t node) const {
    return {labels_[head_words_[node]], words_[head_words_[node]]};
  }

  void constituent(std::size_t node) {
    children_.clear();
    std::size_t head_place = 0;
    for (auto child = node + 1; child < end(node); child = end(child)) {
      above_[child] = labels_[node];
      if (static_cast<std::int32_t>(child) == heads_[node])
        head_place = children_.size();
      children_.push_back(child);
    }
    const auto head = children_[head_place];
    if (labels_[node] == meaning_.top) {
      top(head);
      return;
    }
    visit_.head(labels_[node], above_[node], lexical(node), labels_[head]);
    // nearest to the head first
    modifiers_.assign(children_.begin() + static_cast<std::ptrdiff_t>(head_place) + 1,
                      children_.end());
    side(node, head, Side::right);
    modifiers_.assign(children_.rend() - static_cast<std::ptrdiff_t>(head_place), children_.rend());
    side(node, head, Side::left);
  }

  void top(std::size_t head) {
    const Label none = meaning_.none();
    const State state{meaning_.top, none, none, Side::right, none, none};
    const Lexical nobody{none, -1};
    visit_.head(meaning_.top, none, nobody, labels_[head]);
    modifier(state, nobody, head);
  }

  void modifier(const State &state, Lexical from, std::size_t node) {
    if (!is_tag(node))
      visit_.tag(state, from, labels_[node], lexical(node).tag);
    visit_.word(state, from, labels_[node], lexical(node));
  }

  void side(std::size_t node, std::size_t head, Side side) {
    const Label none = meaning_.none(), parent = labels_[node];
    State state{parent, above_[node], labels_[head], side, none, none};
    const auto from = lexical(node);
    const auto slot_of = [&](std::size_t child) {
      return meaning_.complement(parent, labels_[head], labels_[child], side);
    };
    Frame frame = 0;
    for (const auto child : modifiers_)
      if (const int slot = slot_of(child); slot >= 0)
        frame = with_complement(frame, slot);
    visit_.frame(state, from, frame);
    for (const auto child : modifiers_) {
      const auto until = side == Side::right ? places_[child] : places_[end(child)];
      visit_.label(state, from, frame, crosses_verb(node, until, side), labels_[child]);
      modifier(state, from, child);
      if (const int slot = slot_of(child); slot >= 0)
        frame = without_complement(frame, slot);
      state = state.after(labels_[child]);
    }
    const auto until = side == Side::right ? places_[end(node)] : places_[node];
    visit_.label(state, from, frame, crosses_verb(node, until, side), meaning_.stop());
  }

  // Whether a verb stands between the head word and a place.
  bool crosses_verb(std::size_t node, std::size_t until, Side side) const {
    const auto head = places_[head_words_[node]];
    return side == Side::right ? verbs_[until] > verbs_[head + 1] : verbs_[head] > verbs_[until];
  }

  const Labels &meaning_;
  const HeadedTrees &trees_;
  Visit &visit_;
  std::span<const Label> labels_;
  std::span<const std::int32_t> ends_, heads_;
  std::span<const Word> words_;
  std::vector<std::size_t> places_, head_words_, children_, modifiers_;
  std::vector<std::int32_t> verbs_;
  std::vector<Label> above_;
};

} // namespace runoff::parsing
