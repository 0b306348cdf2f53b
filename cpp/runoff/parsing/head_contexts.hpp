// What each kind of decision depends on: its contexts, most specific first, and how much each level
// is smoothed. Contexts were chosen by the likelihood of held-out trees, smoothing by their F1.
#pragma once

#include "runoff/parsing/head_model.hpp"

namespace runoff::parsing {

// Probabilities that are left to futures never seen.
inline constexpr double UNSEEN_LABEL = 1e-5, UNSEEN_WORD = 1e-6;

template <std::size_t N> struct Contexts {
  std::array<Key, N> keys;
  operator std::span<const Key>() const { return keys; }
};

template <typename... Parts> Key joined(Key key, Parts... parts) {
  ((key = mixed(key, static_cast<std::uint64_t>(parts))), ...);
  return key;
}

inline Contexts<2> head1_contexts(Label parent, Label above) {
  const Key a = joined(HEAD1, parent);
  return {{joined(a, above), a}};
}

inline Key label0_context(Side side, Label parent, Label head) {
  return joined(LABEL1, parent, head, side);
}

inline Contexts<5> label1_contexts(const State &s, bool first) {
  const Key a = label0_context(s.side, s.parent, s.head);
  const Key b = joined(a, first);
  const Key c = joined(b, s.previous);
  const Key d = joined(c, s.above);
  return {{joined(d, s.before), d, c, b, a}};
}

inline Contexts<1> word1_contexts(Label tag) { return {{joined(WORD1, tag)}}; }

inline Contexts<4> head2_contexts(Label parent, Label above, Lexical lexical) {
  const Key a = joined(HEAD2, parent);
  const Key b = joined(a, lexical.tag);
  const Key c = joined(b, above);
  return {{joined(c, lexical.word), c, b, a}};
}

inline Contexts<4> frame2_contexts(const State &s, Lexical lexical) {
  const Key a = joined(FRAME2, s.parent, s.head, s.side);
  const Key b = joined(a, lexical.tag);
  const Key c = joined(b, s.above);
  return {{joined(c, lexical.word), c, b, a}};
}

inline Contexts<6> label2_contexts(const State &s, Lexical lexical, Frame frame, bool verb) {
  const Key a = joined(LABEL2, s.parent, s.head, s.side, frame);
  const Key b = joined(a, s.previous);
  const Key c = joined(b, verb, lexical.tag);
  const Key d = joined(c, s.above);
  const Key e = joined(d, s.before);
  return {{joined(e, lexical.word), e, d, c, b, a}};
}

inline Contexts<4> tag2_contexts(const State &s, Lexical lexical, Label modifier) {
  const Key a = joined(TAG2, modifier);
  const Key b = joined(a, s.parent, s.head);
  const Key c = joined(b, lexical.tag, s.side, s.previous);
  return {{joined(c, lexical.word), c, b, a}};
}

// Whether the last modifier was a conjunction matters for words that are joined.
inline Contexts<5> word2_contexts(const State &s, Lexical lexical, Label modifier, Label tag,
                                  bool after_conjunction) {
  const Key a = joined(WORD2, tag);
  const Key b = joined(a, modifier);
  const Key c = joined(b, s.parent, s.head);
  const Key d = joined(c, lexical.tag, s.side, after_conjunction);
  return {{joined(d, lexical.word), d, c, b, a}};
}

// The last level has what is left for futures never seen; one per kind of future is set aside.
inline constexpr std::array<Discount, 6> DISCOUNTS{
    {{5, 15}, {5, 15}, {5, 15}, {5, 15}, {5, 15}, {0, 1}}};

template <std::size_t N> std::span<const Discount> discounts(const Contexts<N> &) {
  return std::span(DISCOUNTS).last(N);
}

} // namespace runoff::parsing
