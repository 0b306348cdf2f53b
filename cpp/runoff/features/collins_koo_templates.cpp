#include "runoff/features/parse_templates.hpp"

#include <algorithm>

namespace runoff::features {
namespace {

constexpr std::int32_t furthest = 9;        // of the questions "at most"
constexpr std::int32_t most = 40;           // of the questions "at least"
constexpr std::int32_t longest_above = 100; // rule that is written above another

// Of one node; the second pass has the closed-class head words in its labels, and writes only what
// the first did not.
class Templates {
public:
  Templates(const trees::ParseTree &tree, FixedTokens &fixed, ListFeatures &out)
      : tree_(tree), fixed_(fixed), out_(out) {}

  void write(const trees::ParseNode &node, bool second_pass) {
    second_pass_ = second_pass;
    const auto *above = node.parent < 0 ? nullptr : &tree_[node.parent];
    start(fixed_.rule);
    rule(node);
    set();
    start(fixed_.bigram);
    bigrams(node, false);
    start(fixed_.lexical_bigram);
    bigrams(node, true);
    trigrams(node);
    if (above == nullptr)
      return;
    start(fixed_.grandparent_rule);
    label(*above);
    rule(node);
    set();
    start(fixed_.grandparent_bigram);
    label(*above);
    bigrams(node, false);
    if (above->n_children > longest_above)
      return;
    start(fixed_.two_level_rule);
    rule(*above);
    out_.add(fixed_.bar);
    rule(node);
    set();
    start(fixed_.two_level_bigram);
    rule(*above);
    out_.add(fixed_.bar);
    bigrams(node, false);
  }

private:
  // Side, parent and two neighbours, from the head outwards, with STOP at the end.
  void bigrams(const trees::ParseNode &node, bool lexical) {
    const auto children = tree_.children_of(node);
    const auto head = place_of_head(node);
    const auto pair = [&](base::Symbol side, std::size_t inner, std::size_t outer) {
      const auto size = out_.size();
      out_.add(side);
      label(node);
      neighbour(children[inner], lexical);
      if (outer < children.size()) // one before the first is beyond the last
        neighbour(children[outer], lexical);
      else
        out_.add(fixed_.stop);
      set();
      out_.cut(size);
    };
    for (std::size_t i = head; i-- > 0;)
      pair(fixed_.left, i, i - 1);
    for (std::size_t i = head + 1; i < children.size(); ++i)
      pair(fixed_.right, i, i + 1);
  }

  void neighbour(std::int32_t child, bool lexical) {
    const auto &node = tree_[child];
    if (lexical)
      out_.add(fixed_.symbols.joined(node.label, tree_.word(node.head_word)));
    else
      label(node);
  }

  void trigrams(const trees::ParseNode &node) {
    const auto children = tree_.children_of(node);
    const auto n = static_cast<std::ptrdiff_t>(children.size());
    start(fixed_.trigram);
    label(node);
    const auto size = out_.size();
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      for (auto k = i - 1; k <= i + 1; ++k)
        if (k < 0 || k == n)
          out_.add(fixed_.stop);
        else
          child(node, children[static_cast<std::size_t>(k)]);
      set();
      out_.cut(size);
    }
  }

  // A child, marked where it is the head.
  void child(const trees::ParseNode &node, std::int32_t child) {
    if (child != node.head)
      return label(tree_[child]);
    const auto &head = tree_[child];
    const base::Symbol shown = second_pass_ ? head.augmented : head.label;
    out_.add(fixed_.symbols.marked(shown), shown != head.label);
  }

  std::size_t place_of_head(const trees::ParseNode &node) const {
    const auto children = tree_.children_of(node);
    return static_cast<std::size_t>(std::ranges::find(children, node.head) - children.begin());
  }

  void start(base::Symbol name) {
    out_.cut(0);
    out_.add(name);
  }

  void rule(const trees::ParseNode &node) {
    label(node);
    out_.add(fixed_.arrow);
    for (const auto child : tree_.children_of(node))
      label(tree_[child]);
  }

  void label(const trees::ParseNode &node) {
    if (second_pass_)
      out_.add(node.augmented, node.augmented != node.label);
    else
      out_.add(node.label);
  }

  void set() {
    if (!second_pass_ || out_.lexicalised())
      out_.set();
  }

  const trees::ParseTree &tree_;
  FixedTokens &fixed_;
  ListFeatures &out_;
  bool second_pass_ = false;
};

// Label above, parent, head and modifier; whether the two are neighbours.
void head_modifiers(const trees::ParseTree &tree, const trees::ParseNode &node, FixedTokens &fixed,
                    ListFeatures &out) {
  const auto children = tree.children_of(node);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i] == node.head)
      continue;
    const bool is_left = children[i] < node.head;
    const auto beside = is_left ? i + 1 : i - 1;
    out.cut(0);
    out.add(fixed.head_modifier).add(is_left ? fixed.left : fixed.right);
    out.add(tree[node.parent].label).add(node.label);
    out.add(tree[node.head].label).add(tree[children[i]].label);
    out.add(children[beside] == node.head ? fixed.adjacent : fixed.apart);
    out.set();
  }
}

// The words between the head words of head and modifier.
void distances(const trees::ParseTree &tree, const trees::ParseNode &node, FixedTokens &fixed,
               ListFeatures &out) {
  for (const auto child : tree.children_of(node)) {
    if (child == node.head)
      continue;
    const auto distance = std::abs(tree[child].head_word - node.head_word) - 1;
    out.cut(0);
    out.add(fixed.distance).add(node.label);
    out.add(tree[node.head].label).add(tree[child].label);
    const auto size = out.size();
    const auto ask = [&](base::Symbol question) {
      out.add(question).set();
      out.cut(size);
    };
    ask(fixed.equal(distance));
    for (auto x = distance; x <= furthest; ++x)
      ask(fixed.at_most(x));
    for (std::int32_t x = 1; x <= std::min(distance, most); ++x)
      ask(fixed.at_least(x));
  }
}

// Of every prepositional phrase that modifies a head, each of its arguments.
void prepositional_phrases(const trees::ParseTree &tree, const trees::ParseNode &node,
                           const trees::HeadRules &rules, FixedTokens &fixed, ListFeatures &out) {
  const base::Symbol pp = fixed.pp;
  for (const auto child : tree.children_of(node)) {
    const auto &phrase = tree[child];
    if (child == node.head || phrase.label != pp || phrase.n_children == 0)
      continue;
    for (const auto argument : tree.children_of(phrase)) {
      if (argument <= phrase.head || rules.is_punctuation(tree[argument].label))
        continue;
      out.cut(0);
      out.add(fixed.pp_words).add(node.label).add(tree[node.head].label);
      out.add(phrase.label).add(tree[argument].label);
      const auto size = out.size();
      for (const bool with_head : {true, false}) {
        if (with_head)
          out.add(tree.word(node.head_word));
        out.add(tree.word(phrase.head_word)).add(tree.word(tree[argument].head_word)).set();
        out.cut(size);
      }
    }
  }
}

} // namespace

void collins_koo_templates(const TemplateInput &input, bool small, ListFeatures &out) {
  const auto &tree = input.tree;
  Templates templates(tree, input.fixed, out);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto &node = tree.nodes[i];
    if (node.n_children == 0 || !input.closes(node))
      continue;
    out.at(i);
    const auto &signatures = input.signatures;
    const auto above =
        node.parent < 0 ? base::Fold{} : signatures.rule[static_cast<std::size_t>(node.parent)];
    out.once(signatures.local[i].then(above), [&] {
      templates.write(node, false);
      if (!small)
        templates.write(node, true);
      if (node.parent >= 0)
        head_modifiers(tree, node, input.fixed, out);
      if (!small)
        distances(tree, node, input.fixed, out);
      prepositional_phrases(tree, node, input.rules, input.fixed, out);
    });
  }
}

} // namespace runoff::features
