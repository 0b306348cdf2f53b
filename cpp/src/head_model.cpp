#include "runoff/head_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace runoff {

constexpr bool FULL_BEFORE = true;

namespace {

template <std::size_t N> using Contexts = std::array<Key, N>;

std::array<Discount, 3> HEAD1_DISCOUNTS{{{5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 5> LABEL1_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 4> HEAD2_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 4> FRAME2_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 6> LABEL2_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 4> TAG2_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {0, 1}}};
std::array<Discount, 5> WORD2_DISCOUNTS{{{5, 5}, {5, 5}, {5, 5}, {5, 5}, {0, 1}}};

template <typename... Parts> Key key(std::uint64_t first, Parts... parts) {
  Key result = mixed(0, first);
  ((result = mixed(result, static_cast<std::uint64_t>(static_cast<std::int64_t>(parts)))), ...);
  return result;
}

// Contexts from general to specific share their work.
Contexts<3> head1_contexts(Label parent, Label above) {
  const Key a = key(1, parent), b = mixed(a, std::uint64_t(above) + 1);
  return {b, a, key(2)};
}

Contexts<5> label1_contexts(const State &s, bool first) {
  const Key a = key(3, s.parent, s.head, s.side);
  const Key b = mixed(a, first);
  const Key c = mixed(b, std::uint64_t(s.previous));
  const Key d = mixed(c, std::uint64_t(s.above));
  const Key e = mixed(d, std::uint64_t(s.before));
  return {e, d, c, b, a};
}

Contexts<4> head2_contexts(Label parent, Label above, Lexical lex) {
  const Key a = key(4, parent), b = mixed(a, std::uint64_t(lex.tag)), c = mixed(b, std::uint64_t(above)),
            d = mixed(c, std::uint64_t(lex.word));
  return {d, c, b, a};
}

Contexts<4> frame2_contexts(const State &s, Lexical lex) {
  const Key a = key(5, s.parent, s.head, s.side), b = mixed(a, std::uint64_t(lex.tag)),
            c = mixed(b, std::uint64_t(s.above)), d = mixed(c, std::uint64_t(lex.word));
  return {d, c, b, a};
}

Contexts<6> label2_contexts(const State &s, Lexical lex, Frame frame, bool verb) {
  const Key a = key(6, s.parent, s.head, s.side, frame);
  const Key b = mixed(a, std::uint64_t(s.previous));
  const Key c = mixed(mixed(b, verb), std::uint64_t(lex.tag));
  const Key d = mixed(c, std::uint64_t(s.above));
  const Key e = mixed(d, std::uint64_t(s.before));
  const Key f = mixed(e, std::uint64_t(lex.word));
  return {f, e, d, c, b, a};
}

Contexts<4> tag2_contexts(const State &s, Lexical lex, Label modifier) {
  const Key a = key(7, modifier), b = mixed(mixed(a, std::uint64_t(s.parent)), std::uint64_t(s.head));
  const Key c = mixed(mixed(mixed(b, std::uint64_t(lex.tag)), std::uint64_t(s.side)), std::uint64_t(s.previous));
  const Key d = mixed(c, std::uint64_t(lex.word));
  return {d, c, b, a};
}

Contexts<5> word2_contexts(const State &s, Lexical lex, Label modifier, Label tag, bool joined) {
  const Key a = key(8, tag), b = mixed(a, std::uint64_t(modifier)),
            c = mixed(mixed(b, std::uint64_t(lex.tag)), std::uint64_t(s.side)),
            d = mixed(mixed(c, std::uint64_t(lex.word)), joined),
            e = mixed(mixed(d, std::uint64_t(s.parent)), std::uint64_t(s.head));
  return {e, d, c, b, a};
}

} // namespace

void set_discount(int kind, int level, double a, double b) {
  Discount *tables[] = {HEAD1_DISCOUNTS.data(), LABEL1_DISCOUNTS.data(), HEAD2_DISCOUNTS.data(), FRAME2_DISCOUNTS.data(), LABEL2_DISCOUNTS.data(), TAG2_DISCOUNTS.data(), WORD2_DISCOUNTS.data()};
  tables[kind][level] = {a, b};
}

HeadModel::HeadModel(Labels labels, Word words, std::vector<std::int8_t> complements)
    : labels_(std::move(labels)), words_(words), complements_(std::move(complements)) {}

State HeadModel::after(State state, Label modifier) const {
  const bool joint = (labels_.kinds[std::size_t(modifier)] & (Labels::conjunction | Labels::punctuation)) != 0;
  state.before = joint || FULL_BEFORE ? state.previous : labels_.none();
  state.previous = modifier;
  return state;
}

template <typename Visit>
void HeadModel::decisions(const HeadedTrees &trees, std::int64_t tree, Visit &&visit) const {
  const auto start = trees.offsets[std::size_t(tree)], end = trees.offsets[std::size_t(tree) + 1];
  const auto size = std::size_t(end - start);
  const auto labels = trees.labels.subspan(std::size_t(start), size);
  const auto ends = trees.ends.subspan(std::size_t(start), size);
  const auto heads = trees.heads.subspan(std::size_t(start), size);
  const auto words = trees.words.subspan(std::size_t(start), size);
  std::vector<std::int32_t> head_word(size), parents(size, -1), places(size);
  std::vector<Label> tags;     // of the sentence
  for (std::size_t node = 0; node < size; ++node) {
    places[node] = std::int32_t(tags.size());
    if (labels[node] < labels_.tags)
      tags.push_back(labels[node]);
  }
  for (std::size_t node = size; node-- > 0;)
    head_word[node] = labels[node] < labels_.tags ? std::int32_t(node) : head_word[std::size_t(heads[node])];
  const auto lexical = [&](std::size_t node) {
    const auto place = std::size_t(head_word[node]);
    return Lexical{labels[place], words[place]};
  };
  // verbs[i]: verbs among the first i words
  std::vector<std::int32_t> verbs(tags.size() + 1, 0);
  for (std::size_t i = 0; i < tags.size(); ++i)
    verbs[i + 1] = verbs[i] + ((labels_.kinds[std::size_t(tags[i])] & Labels::verb) != 0);
  std::vector<std::size_t> children;
  for (std::size_t node = 0; node < size; ++node) {
    if (labels[node] < labels_.tags)
      continue;
    children.clear();
    std::size_t head_place = 0;
    for (std::size_t child = node + 1; child < std::size_t(ends[node]); child = std::size_t(ends[child])) {
      parents[child] = std::int32_t(node);
      if (std::int32_t(child) == heads[node])
        head_place = children.size();
      children.push_back(child);
    }
    const Label parent = labels[node];
    const Label above = parents[node] < 0 ? labels_.none() : labels[std::size_t(parents[node])];
    const auto head = children[head_place];
    const Lexical lex = lexical(node);
    if (parent == labels_.top) {
      State state{parent, above, labels_.none(), Side::right, labels_.none(), labels_.none()};
      visit.head(parent, above, Lexical{labels_.none(), -1}, labels[head]);
      const Lexical nobody{labels_.none(), -1};
      if (labels[head] >= labels_.tags)
        visit.tag(state, nobody, labels[head], lex.tag);
      visit.word(state, nobody, labels[head], lex);
      continue;
    }
    visit.head(parent, above, lex, labels[head]);
    const auto head_at = places[std::size_t(head_word[node])];
    for (const Side side : {Side::right, Side::left}) {
      State state{parent, above, labels[head], side, labels_.none(), labels_.none()};
      const auto next = [&](std::size_t i) { return side == Side::right ? i + 1 : i - 1; };
      const auto last = side == Side::right ? children.size() : std::size_t(0) - 1;
      Frame frame = 0;
      for (auto i = next(head_place); i != last; i = next(i)) {
        const int slot = complement(parent, labels[head], labels[children[i]], side);
        if (slot >= 0 && ((frame >> (2 * slot)) & 3) < 3)
          frame = Frame(frame + (1 << (2 * slot)));
      }
      visit.frame(state, lex, frame);
      auto at = side == Side::right ? std::size_t(places[std::size_t(head)]) : std::size_t(places[std::size_t(head)]);
      // words between head word and modifier, exclusive
      for (auto i = next(head_place);; i = next(i)) {
        bool verb = false;
        if (side == Side::right) {
          const auto upto = i == last ? (ends[node] < std::int32_t(size) ? places[std::size_t(ends[node])] : std::int32_t(tags.size())) : places[children[i]];
          verb = verbs[std::size_t(upto)] > verbs[std::size_t(head_at) + 1];
        } else {
          const auto from = i == last ? places[node]
                                      : (std::size_t(ends[children[i]]) < size ? places[std::size_t(ends[children[i]])] : std::int32_t(tags.size()));
          verb = verbs[std::size_t(head_at)] > verbs[std::size_t(from)];
        }
        (void)at;
        if (i == last) {
          visit.label(state, lex, frame, verb, labels_.stop());
          break;
        }
        const auto child = children[i];
        const Label modifier = labels[child];
        const Lexical other = lexical(child);
        visit.label(state, lex, frame, verb, modifier);
        if (modifier >= labels_.tags)
          visit.tag(state, lex, modifier, other.tag);
        visit.word(state, lex, modifier, other);
        const int slot = complement(parent, labels[head], modifier, side);
        if (slot >= 0)
          frame = Frame(frame - (1 << (2 * slot)));
        state = after(state, modifier);
      }
    }
  }
}

namespace {
bool joined(const Labels &labels, const State &state) {
  return state.previous < labels.count &&
         (labels.kinds[std::size_t(state.previous)] & Labels::conjunction) != 0;
}
} // namespace

namespace {
template <typename T> void insert(std::vector<T> &values, T value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(value);
}
} // namespace

void HeadModel::train(const HeadedTrees &trees, std::span<const std::int64_t> chosen) {
  struct Counter {
    HeadModel &m;
    bool second;
    void add(int kind, std::span<const Key> contexts, std::int64_t future, double base,
             std::span<const Discount> discounts) {
      if (second)
        m.models_[std::size_t(kind)].estimate(contexts, std::uint32_t(future), base, discounts);
      else
        m.models_[std::size_t(kind)].count(contexts, std::uint32_t(future));
    }
    void head(Label parent, Label above, Lexical lex, Label h) {
      add(HEAD1, head1_contexts(parent, above), h, 1e-4, HEAD1_DISCOUNTS);
      add(HEAD2, head2_contexts(parent, above, lex), h, 1e-4, HEAD2_DISCOUNTS);
    }
    void frame(const State &s, Lexical lex, Frame f) {
      add(FRAME2, frame2_contexts(s, lex), f, 1e-4, FRAME2_DISCOUNTS);
    }
    void label(const State &s, Lexical lex, Frame f, bool verb, Label modifier) {
      add(LABEL1, label1_contexts(s, s.previous == m.labels_.none()), modifier, 1e-5, LABEL1_DISCOUNTS);
      add(LABEL2, label2_contexts(s, lex, f, verb), modifier, 1e-5, LABEL2_DISCOUNTS);
    }
    void tag(const State &s, Lexical lex, Label modifier, Label t) {
      add(TAG2, tag2_contexts(s, lex, modifier), t, 1e-4, TAG2_DISCOUNTS);
    }
    void word(const State &s, Lexical lex, Label modifier, Lexical other) {
      add(WORD2, word2_contexts(s, lex, modifier, other.tag, joined(m.labels_, s)), other.word, 1e-6,
          WORD2_DISCOUNTS);
    }
  };
  const auto n = std::size_t(labels_.count);
  for (const std::size_t side : {0, 1}) {
    modifiers_[side].assign(n * n, {});
    frames_[side].assign(n * n, {});
  }
  above_.assign(n, {});
  shares_.assign(n * (n + 2), 0.0);
  struct Gatherer {
    HeadModel &m;
    std::vector<char> seen;
    std::size_t at(Label parent, Label head) const {
      return std::size_t(parent) * std::size_t(m.labels_.count) + std::size_t(head);
    }
    void head(Label parent, Label above, Lexical, Label h) {
      if (!seen[at(parent, h)])
        m.pairs_.emplace_back(parent, h);
      seen[at(parent, h)] = 1;
      if (parent != m.labels_.top)
        insert(m.above_[std::size_t(parent)], above);
      ++m.shares_[std::size_t(parent) * (std::size_t(m.labels_.count) + 2) + std::size_t(above)];
    }
    void frame(const State &s, Lexical, Frame f) { insert(m.frames_[std::size_t(s.side)][at(s.parent, s.head)], f); }
    void label(const State &s, Lexical, Frame, bool, Label modifier) {
      if (modifier != m.labels_.stop())
        insert(m.modifiers_[std::size_t(s.side)][at(s.parent, s.head)], modifier);
    }
    void tag(const State &, Lexical, Label, Label) {}
    void word(const State &, Lexical, Label, Lexical) {}
  } gatherer{*this, std::vector<char>(n * n, 0)};
  for (const auto tree : chosen)
    decisions(trees, tree, gatherer);
  for (std::size_t label = 0; label < n; ++label) {
    const auto row = shares_.begin() + std::ptrdiff_t(label * (n + 2));
    const double sum = std::accumulate(row, row + std::ptrdiff_t(n) + 2, 0.0);
    if (sum > 0)
      for (std::size_t above = 0; above < n + 2; ++above)
        row[std::ptrdiff_t(above)] /= sum;
  }
  std::sort(pairs_.begin(), pairs_.end());
  for (auto *rows : {&modifiers_[0], &modifiers_[1], &above_})
    for (auto &row : *rows)
      std::sort(row.begin(), row.end());
  for (auto &rows : frames_)
    for (auto &row : rows)
      std::sort(row.begin(), row.end());
  for (const bool second : {false, true}) {
    Counter counter{*this, second};
    for (const auto tree : chosen)
      decisions(trees, tree, counter);
  }
}

HeadModel::Fit HeadModel::fit(const HeadedTrees &trees) const {
  struct Scorer {
    const HeadModel &m;
    Fit fit;
    void add(int kind, double p) {
      fit.sums[std::size_t(kind)] += std::log(p);
      ++fit.counts[std::size_t(kind)];
    }
    void head(Label parent, Label above, Lexical lex, Label h) {
      add(HEAD1, m.head1(parent, above, h));
      add(HEAD2, m.head2(parent, above, lex, h));
    }
    void frame(const State &s, Lexical lex, Frame f) { add(FRAME2, m.frame2(s, lex, f)); }
    void label(const State &s, Lexical lex, Frame f, bool verb, Label modifier) {
      add(LABEL1, m.label1(s, modifier));
      add(LABEL2, m.label2(s, lex, f, verb, modifier));
    }
    void tag(const State &s, Lexical lex, Label modifier, Label t) { add(TAG2, m.tag2(s, lex, modifier, t)); }
    void word(const State &s, Lexical lex, Label modifier, Lexical other) {
      add(WORD2, m.word2(s, lex, modifier, other));
    }
  } scorer{*this, {}};
  for (std::size_t tree = 0; tree + 1 < trees.offsets.size(); ++tree)
    decisions(trees, std::int64_t(tree), scorer);
  for (std::size_t kind = 0; kind < KINDS; ++kind)
    scorer.fit.sizes[kind] = std::int64_t(models_[kind].size());
  return scorer.fit;
}

double HeadModel::head0(Label parent, Label head) const {
  const std::array<Key, 1> contexts{key(1, parent)};
  return models_[HEAD1].probability(contexts, std::uint32_t(head), 0);
}
double HeadModel::label0(Side side, Label parent, Label head, bool first, Label modifier) const {
  const Key a = key(3, parent, head, side);
  const std::array<Key, 2> contexts{mixed(a, first), a};
  return models_[LABEL1].probability(contexts, std::uint32_t(modifier), 0);
}
double HeadModel::head1(Label parent, Label above, Label head) const {
  return models_[HEAD1].probability(head1_contexts(parent, above), std::uint32_t(head), 1e-4);
}
double HeadModel::label1(const State &s, Label modifier) const {
  return models_[LABEL1].probability(label1_contexts(s, s.previous == labels_.none()), std::uint32_t(modifier), 1e-5);
}
double HeadModel::head2(Label parent, Label above, Lexical lex, Label head) const {
  return models_[HEAD2].probability(head2_contexts(parent, above, lex), std::uint32_t(head), 1e-4);
}
double HeadModel::frame2(const State &s, Lexical lex, Frame frame) const {
  return models_[FRAME2].probability(frame2_contexts(s, lex), frame, 1e-4);
}
double HeadModel::label2(const State &s, Lexical lex, Frame frame, bool verb, Label modifier) const {
  return models_[LABEL2].probability(label2_contexts(s, lex, frame, verb), std::uint32_t(modifier), 1e-5);
}
double HeadModel::tag2(const State &s, Lexical lex, Label modifier, Label tag) const {
  return models_[TAG2].probability(tag2_contexts(s, lex, modifier), std::uint32_t(tag), 1e-4);
}
double HeadModel::word2(const State &s, Lexical lex, Label modifier, Lexical other) const {
  return models_[WORD2].probability(word2_contexts(s, lex, modifier, other.tag, joined(labels_, s)),
                                    std::uint32_t(other.word), 1e-6);
}
double HeadModel::word(Lexical lex) const {
  const std::array<Key, 1> contexts{key(8, lex.tag)};
  return models_[WORD2].probability(contexts, std::uint32_t(lex.word), 1e-6);
}

} // namespace runoff
