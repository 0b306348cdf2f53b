#include "runoff/base/at.hpp"
#include "runoff/features/rich_context.hpp"

#include <algorithm>
#include <array>

namespace runoff::features {

using base::at;

namespace {

// How large a number is: exact to 5, then in steps.
const char *bin(std::int32_t number) {
  static constexpr std::array small{"0", "1", "2", "3", "4", "5"};
  if (number < static_cast<std::int32_t>(small.size()))
    return small[static_cast<std::size_t>(number)];
  return number <= 10 ? "6-10" : number <= 20 ? "11-20" : "21+";
}

class RichTemplates {
public:
  RichTemplates(const TemplateInput &input, ListFeatures &out)
      : input_(input), context_(input), tree_(input.tree), rules_(input.rules),
        signatures_(input.signatures), fixed_(input.fixed), out_(out) {}

  void write() {
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const auto &node = tree_.nodes[i];
      if (node.n_children == 0 || !input_.closes(node))
        continue;
      if (node.parent >= 0)
        out_.once(context_.outside(node), [&] { constituent(node); });
      out_.once(context_.inside(node, signatures_.local[i]), [&] {
        lexical_rules(node);
        child_grams(node);
        head_pairs(node, false);
        head_pairs(node, true);
      });
      coordination(node);
    }
    for (std::int32_t place = 0; place < tree_.length(); ++place) {
      if (!input_.reads(place))
        continue;
      out_.once(context_.around(place), [&] {
        words(place);
        projections(place);
      });
      if (place > 0)
        between(place - 1);
    }
    if (input_.reads(tree_.length() - 1))
      whole();
  }

private:
  // What depends on the whole tree.
  void whole() {
    right_branch();
    auto sentence = base::Fold{}.then(4).then(top());
    for (const auto word : tree_.words)
      sentence = sentence.then(word);
    out_.once(sentence, [&] { top_words(); });
  }

  ListFeatures &start(base::Symbol name) {
    out_.cut(0);
    return out_.add(name);
  }
  base::Symbol size_of(std::int32_t number) { return fixed_.symbols(bin(number)); }
  base::Symbol tag(std::int32_t place) const { return context_.tag(place); }
  base::Symbol word(std::int32_t place) const { return context_.word(place); }

  // Length, distance to the end, neighbours, edges and ancestors.
  void constituent(const trees::ParseNode &node) {
    const auto before = node.start - 1, first = node.start, last = node.stop - 1, after = node.stop;
    const base::Symbol length = size_of(node.stop - node.start);
    const base::Symbol to_end = size_of(tree_.length() - node.stop);
    const base::Symbol label = node.label;
    start(fixed_.length).add(label).add(length).count();
    start(fixed_.to_end).add(label).add(to_end).count();
    start(fixed_.heavy).add(label).add(length).add(to_end).add(tag(after)).count();
    start(fixed_.neighbours).add(label).add(tag(before)).add(tag(after)).count();
    start(fixed_.neighbours_length).add(label).add(length).add(tag(before)).add(tag(after)).count();
    start(fixed_.neighbour_words).add(label).add(word(before)).add(word(after)).count();
    start(fixed_.edge_tags).add(label).add(tag(before)).add(tag(first));
    out_.add(tag(last)).add(tag(after)).count();
    start(fixed_.edge_words).add(label).add(word(first)).add(word(last)).count();
    start(fixed_.left_edge).add(label).add(word(before)).add(word(first)).count();
    start(fixed_.right_edge).add(label).add(word(last)).add(word(after)).count();
    const auto &above = tree_[node.parent];
    if (above.parent >= 0) {
      const auto &second = tree_[above.parent];
      start(fixed_.up).add(label).add(above.label).add(second.label).count();
      if (second.parent >= 0)
        out_.add(tree_[second.parent].label).count();
    }
    if (node.head_word != node.content_word) {
      const base::Symbol content = tree_.tag(node.content_word);
      start(fixed_.head_kinds).add(label).add(tree_.tag(node.head_word)).add(content).count();
      start(fixed_.head_kind_words).add(label).add(word(node.head_word)).add(content).count();
    }
  }

  void rule(const trees::ParseNode &node, bool marked) {
    out_.add(node.label).add(fixed_.arrow);
    for (const auto child : tree_.children_of(node))
      out_.add(marked && child == node.head ? fixed_.symbols.marked(tree_[child].label)
                                            : tree_[child].label);
  }

  // The rule, with the tag or word of one of its heads before it.
  void lexical_rules(const trees::ParseNode &node) {
    const auto with = [&](base::Symbol name, base::Symbol head) {
      start(name).add(head);
      rule(node, false);
      out_.count();
    };
    with(fixed_.rule_tag, tree_.tag(node.head_word));
    with(fixed_.rule_word, tree_.word(node.head_word));
    if (node.head_word != node.content_word) {
      with(fixed_.rule_content_tag, tree_.tag(node.content_word));
      with(fixed_.rule_content_word, tree_.word(node.content_word));
    }
  }

  // Pairs and triples of children, the head marked, with STOP at both ends.
  void child_grams(const trees::ParseNode &node) {
    const auto children = tree_.children_of(node);
    const auto n = static_cast<std::int32_t>(children.size());
    const auto child = [&](std::int32_t place, bool with_tag) {
      if (place < 0 || place == n) {
        out_.add(fixed_.stop);
        return;
      }
      const auto number = children[at(place)];
      const auto &one = tree_[number];
      out_.add(number == node.head ? fixed_.symbols.marked(one.label) : one.label);
      if (with_tag)
        out_.add(tree_.tag(one.head_word));
    };
    const auto grams = [&](std::int32_t order, bool with_tag) {
      out_.add(node.label);
      const auto size = out_.size();
      for (std::int32_t i = -1; i + order <= n + 1; ++i) {
        for (auto k = i; k < i + order; ++k)
          child(k, with_tag);
        out_.count();
        out_.cut(size);
      }
    };
    start(fixed_.children);
    grams(2, false);
    start(fixed_.children_tags);
    grams(2, true);
    if (node.parent < 0)
      return;
    start(fixed_.children_above).add(tree_[node.parent].label);
    grams(2, false);
    start(fixed_.trigram_above).add(tree_[node.parent].label);
    grams(3, false);
  }

  // Adjacent conjuncts: whether they look alike down to a depth, and how much longer the second is.
  void coordination(const trees::ParseNode &node) {
    const auto children = tree_.children_of(node);
    const auto label = [&](std::int32_t child) { return tree_[child].label; };
    if (std::ranges::none_of(children,
                             [&](auto child) { return rules_.is_conjunction(label(child)); }))
      return;
    std::int32_t before = -1;
    bool apart = false, joined = false; // by anything, by a conjunction
    for (const auto child : children) {
      if (rules_.is_conjunction(label(child)) || rules_.is_punctuation(label(child))) {
        apart = true;
        joined = joined || rules_.is_conjunction(label(child));
        continue;
      }
      if (before >= 0 && apart)
        conjuncts(node, tree_[before], tree_[child], joined);
      before = child;
      apart = joined = false;
    }
  }

  void conjuncts(const trees::ParseNode &node, const trees::ParseNode &a, const trees::ParseNode &b,
                 bool joined) {
    for (std::int32_t depth = 1; depth <= 4; ++depth) {
      start(fixed_.parallel).add(node.label).add(fixed_.number(depth));
      out_.add(alike(a, b, depth) ? fixed_.yes : fixed_.no).count();
    }
    const auto longer = (b.stop - b.start) - (a.stop - a.start);
    const std::string sign = longer > 0 ? "+" : longer < 0 ? "-" : "";
    start(fixed_.parallel_length).add(node.label).add(fixed_.symbols(sign + bin(std::abs(longer))));
    out_.add(joined ? fixed_.last : fixed_.inner).count();
    start(fixed_.parallel_labels).add(node.label).add(a.label).add(b.label).count();
  }

  // Goes no deeper than `depth`, which is small.
  bool alike(const trees::ParseNode &a, const trees::ParseNode &b, std::int32_t depth) const {
    if (a.label != b.label)
      return false;
    if (depth == 1)
      return true;
    return std::ranges::equal(
        tree_.children_of(a), tree_.children_of(b),
        [&](auto one, auto other) { return alike(tree_[one], tree_[other], depth - 1); });
  }

  // Head words and their modifiers, and the heads of the heads.
  void head_pairs(const trees::ParseNode &node, bool content) {
    const auto &names = content ? fixed_.content_pairs : fixed_.head_pairs;
    const auto own = content ? node.content : node.head;
    const auto governor = content ? node.content_word : node.head_word;
    const auto second = context_.governor(governor, content);
    for (const auto child : tree_.children_of(node)) {
      if (child == own)
        continue;
      const auto modifier = content ? tree_[child].content_word : tree_[child].head_word;
      const base::Symbol side = child < own ? fixed_.left : fixed_.right;
      pair(names, side, governor, modifier);
      start(names[4]).add(side).add(node.label).add(tree_[child].label);
      out_.add(tag(governor)).add(tag(modifier)).count();
      start(names[5]).add(side).add(node.label).add(tree_[child].label);
      out_.add(word(governor)).add(word(modifier)).count();
      if (second >= 0)
        triple(names, second, governor, modifier);
    }
  }

  void pair(const PairNames &names, base::Symbol side, std::int32_t head, std::int32_t modifier) {
    start(names[0]).add(side).add(tag(head)).add(tag(modifier)).count();
    start(names[1]).add(side).add(tag(head)).add(word(modifier)).count();
    start(names[2]).add(side).add(word(head)).add(tag(modifier)).count();
    start(names[3]).add(side).add(word(head)).add(word(modifier)).count();
  }

  void triple(const PairNames &names, std::int32_t second, std::int32_t head,
              std::int32_t modifier) {
    start(names[6]).add(tag(second)).add(tag(head)).add(tag(modifier)).count();
    start(names[7]).add(word(second)).add(tag(head)).add(word(modifier)).count();
    start(names[8]).add(word(second)).add(word(head)).add(word(modifier)).count();
  }

  // A word below its ancestors, and tags in a row.
  void words(std::int32_t place) {
    auto node = tree_.tags[at(place)];
    start(fixed_.word).add(word(place)).add(tag(place)).count();
    for (int more = 0; more < 2 && tree_[node].parent >= 0; ++more) {
      node = tree_[node].parent;
      out_.add(tree_[node].label).count();
    }
    start(fixed_.tags).add(tag(place - 1)).add(tag(place)).add(tag(place + 1)).count();
  }

  void projections(std::int32_t place) {
    const auto own = context_.highest(place);
    head_trees(place, own);
    const auto above = tree_[own].parent;
    if (above < 0)
      return;
    const base::Symbol label = tree_[own].label;
    const base::Symbol next = tree_[context_.highest(tree_[above].head_word)].label;
    start(fixed_.projection).add(word(place)).add(label).add(next).count();
    start(fixed_.projection_tag).add(tag(place)).add(label).add(next).count();
    start(fixed_.attached).add(word(place)).add(label).add(tree_[above].label).count();
  }

  // The rules of all nodes that have this word as their head, from the lowest up.
  void head_trees(std::int32_t place, std::int32_t highest) {
    auto node = tree_.tags[at(place)];
    if (node == highest)
      return;
    for (const bool with_word : {false, true}) {
      start(with_word ? fixed_.head_tree_word : fixed_.head_tree);
      out_.add(with_word ? word(place) : tag(place));
      for (auto one = node; one != highest;) {
        one = tree_[one].parent;
        out_.add(fixed_.bar);
        rule(tree_[one], true);
      }
      out_.count();
    }
  }

  // The path through the tree from a word to the next.
  void between(std::int32_t place) {
    const auto tag_of = [&](std::int32_t word) { return tree_.tags[at(word)]; };
    path_.clear();
    auto node = tag_of(place);
    for (; tree_[node].stop <= place + 1; node = tree_[node].parent)
      path_.push_back(tree_[node].label);
    path_.push_back(fixed_.bar);
    path_.push_back(tree_[node].label);
    path_.push_back(fixed_.bar);
    const auto size = static_cast<std::ptrdiff_t>(path_.size());
    for (auto other = tag_of(place + 1); other != node; other = tree_[other].parent)
      path_.push_back(tree_[other].label);
    std::reverse(path_.begin() + size, path_.end());
    start(fixed_.between);
    path();
    out_.count();
    start(fixed_.between_words).add(word(place));
    path();
    out_.add(word(place + 1)).count();
  }

  void path() {
    for (const base::Symbol label : path_)
      out_.add(label);
  }

  // Constituents on the way from the top to the last word that is not punctuation, and others.
  void right_branch() {
    auto last = tree_.length() - 1;
    while (last > 0 && rules_.is_punctuation(tree_.tag(last)))
      --last;
    std::uint32_t on = 0, off = 0;
    for (const auto &node : tree_.nodes)
      if (node.n_children > 0)
        ++(node.start <= last && last < node.stop ? on : off);
    start(fixed_.right_branch).add(fixed_.on).count(on);
    if (off > 0)
      start(fixed_.right_branch).add(fixed_.off).count(off);
  }

  // The label below TOP, which tells what kind of text the sentence is: a heading, a clause.
  base::Symbol top() const { return tree_[tree_.nodes.front().head].label; }

  // All words, and all pairs of neighbours, each once, with that label.
  void top_words() {
    for (std::int32_t place = -1; place < tree_.length(); ++place) {
      start(fixed_.top_words).add(top()).add(word(place)).add(word(place + 1)).set();
      if (place >= 0)
        start(fixed_.top_word).add(top()).add(word(place)).set();
    }
  }

  const TemplateInput &input_;
  const RichContext context_;
  const trees::ParseTree &tree_;
  const trees::HeadRules &rules_;
  const Signatures &signatures_;
  FixedTokens &fixed_;
  ListFeatures &out_;
  std::vector<base::Symbol> path_;
};

} // namespace

void rich_templates(const TemplateInput &input, ListFeatures &out) {
  RichTemplates(input, out).write();
}

} // namespace runoff::features
