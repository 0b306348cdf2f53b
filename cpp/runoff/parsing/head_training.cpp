// Learning the models from trees, and the probability of trees under them.

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_contexts.hpp"
#include "runoff/parsing/head_decisions.hpp"

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

namespace runoff::parsing {

void HeadedTrees::check(const Labels &meaning, Word words_known) const {
  const auto require = [](bool holds) {
    if (!holds)
      throw std::invalid_argument("the columns do not hold trees with heads");
  };
  const auto size = labels.size();
  require(ends.size() == size && heads.size() == size && words.size() == size && !offsets.empty());
  require(offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(size));
  std::vector<std::int32_t> open;
  for (std::size_t tree = 0; tree + 1 < offsets.size(); ++tree) {
    const auto start = offsets[tree], nodes = offsets[tree + 1] - start;
    require(nodes > 1);
    open.clear();
    for (std::int32_t node = 0; node < nodes; ++node) {
      const auto at = base::at(start + node);
      while (!open.empty() && ends[base::at(start + open.back())] <= node)
        open.pop_back();
      const auto limit = open.empty() ? nodes : ends[base::at(start + open.back())];
      require((node == 0) == open.empty() && (node == 0) == (labels[at] == meaning.top));
      require(labels[at] >= 0 && labels[at] < meaning.count && ends[at] <= limit &&
              ends[at] > node);
      if (labels[at] < meaning.tags) {
        require(ends[at] == node + 1 && words[at] >= 0 && words[at] < words_known);
        continue;
      }
      bool found = false; // the head among the children
      for (auto child = node + 1; child < ends[at];) {
        found = found || child == heads[at];
        const auto next = ends[base::at(start + child)];
        require(next > child && next <= ends[at]);
        child = next;
      }
      require(found);
      if (node == 0)
        require(ends[at] == nodes && ends[base::at(start) + 1] == nodes);
      open.push_back(node);
    }
  }
}

namespace {

// Collects what was seen.
struct Gatherer {
  const Labels &labels;
  std::set<std::array<std::int32_t, 2>> heads;
  std::set<std::array<std::int32_t, 4>> modifiers, frames;
  std::map<std::array<std::int32_t, 2>, std::int32_t> above;
  std::map<std::int32_t, std::int32_t> tags;

  void head(Label parent, Label up, Lexical, Label head) {
    heads.insert({parent, head});
    if (parent != labels.top)
      ++above[{parent, up}];
  }
  void frame(const State &s, Lexical, Frame frame) {
    frames.insert({static_cast<std::int32_t>(s.side), s.parent, s.head, frame});
  }
  void label(const State &s, Lexical, Frame, bool, Label modifier) {
    if (modifier != labels.stop())
      modifiers.insert({static_cast<std::int32_t>(s.side), s.parent, s.head, modifier});
  }
  void tag(const State &, Lexical, Label, Label) {}
  void word(const State &, Lexical, Label, Lexical other) { ++tags[other.tag]; }

  Seen seen() const {
    Seen seen;
    seen.heads.assign(heads.begin(), heads.end());
    seen.modifiers.assign(modifiers.begin(), modifiers.end());
    seen.frames.assign(frames.begin(), frames.end());
    for (const auto &[pair, times] : above)
      seen.above.push_back({pair[0], pair[1], times});
    for (const auto &[tag, times] : tags)
      seen.tags.push_back({tag, times});
    return seen;
  }
};

// Counts, and on a second round estimates.
struct Counter {
  const Labels &labels;
  std::vector<BackoffCounts> counts;
  bool estimating = false;

  template <std::size_t N>
  void add(Decision kind, const Contexts<N> &contexts, std::int64_t future, double unseen) {
    if (kind >= counts.size())
      return;
    const auto number = static_cast<std::uint32_t>(future);
    if (estimating)
      counts[kind].estimate(contexts, number, unseen, discounts(contexts));
    else
      counts[kind].count(contexts, number);
  }
  void head(Label parent, Label above, Lexical lexical, Label head) {
    add(HEAD1, head1_contexts(parent, above), head, UNSEEN_LABEL);
    add(HEAD2, head2_contexts(parent, above, lexical), head, UNSEEN_LABEL);
  }
  void frame(const State &s, Lexical lexical, Frame frame) {
    add(FRAME2, frame2_contexts(s, lexical), frame, UNSEEN_LABEL);
  }
  void label(const State &s, Lexical lexical, Frame frame, bool verb, Label modifier) {
    add(LABEL1, label1_contexts(s, s.previous == labels.none()), modifier, UNSEEN_LABEL);
    add(LABEL2, label2_contexts(s, lexical, frame, verb), modifier, UNSEEN_LABEL);
  }
  void tag(const State &s, Lexical lexical, Label modifier, Label tag) {
    add(TAG2, tag2_contexts(s, lexical, modifier), tag, UNSEEN_LABEL);
  }
  void word(const State &s, Lexical lexical, Label modifier, Lexical other) {
    const bool after_conjunction =
        s.previous < labels.count && labels.is_conjunction[base::at(s.previous)] != 0;
    add(WORD1, word1_contexts(other.tag), other.word, UNSEEN_WORD);
    add(WORD2, word2_contexts(s, lexical, modifier, other.tag, after_conjunction), other.word,
        UNSEEN_WORD);
  }
};

// Sums the logarithms of the decisions.
struct Scorer {
  const HeadModel &model;
  bool lexicalised;
  double sum = 0;

  void add(double probability) { sum += std::log(probability); }
  void head(Label parent, Label above, Lexical lexical, Label head) {
    add(lexicalised ? model.head2(parent, above, lexical, head) : model.head1(parent, above, head));
  }
  void frame(const State &s, Lexical lexical, Frame frame) {
    if (lexicalised)
      add(model.frame2(s, lexical, frame));
  }
  void label(const State &s, Lexical lexical, Frame frame, bool verb, Label modifier) {
    add(lexicalised ? model.label2(s, lexical, frame, verb, modifier) : model.label1(s, modifier));
  }
  void tag(const State &s, Lexical lexical, Label modifier, Label tag) {
    if (lexicalised)
      add(model.tag2(s, lexical, modifier, tag));
  }
  void word(const State &s, Lexical lexical, Label modifier, Lexical other) {
    add(lexicalised ? model.word2(s, lexical, modifier, other) : model.word1(other));
  }
};

constexpr std::size_t TREES_BETWEEN_POLLS = 256;

} // namespace

HeadModel train_head_model(const Labels &labels, const HeadedTrees &trees,
                           std::span<const std::int64_t> chosen, bool lexicalised,
                           std::uint32_t least, const base::Poll &poll) {
  const auto visit_all = [&](auto &visit) {
    Decisions decisions(labels, trees, visit);
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      if (n % TREES_BETWEEN_POLLS == 0)
        poll();
      decisions.tree(base::at(chosen[n]));
    }
  };
  Gatherer gatherer{labels, {}, {}, {}, {}, {}};
  visit_all(gatherer);
  const std::size_t kinds = lexicalised ? DECISIONS : UNLEXICALISED;
  Counter counter{labels, std::vector(kinds, BackoffCounts(least))};
  visit_all(counter);
  counter.estimating = true;
  visit_all(counter);
  std::vector<BackoffTable> tables;
  for (const auto &counts : counter.counts)
    tables.push_back(counts.table());
  return HeadModel(labels, gatherer.seen(), std::move(tables));
}

std::vector<double> log_probabilities(const HeadModel &model, const HeadedTrees &trees) {
  std::vector<double> sums;
  for (std::size_t tree = 0; tree + 1 < trees.offsets.size(); ++tree) {
    Scorer scorer{model, model.lexicalised()};
    Decisions(model.labels(), trees, scorer).tree(tree);
    sums.push_back(scorer.sum);
  }
  return sums;
}

} // namespace runoff::parsing
