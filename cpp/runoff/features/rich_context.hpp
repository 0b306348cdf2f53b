// What rich templates look at in a tree, and what that depends on.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/features/parse_templates.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace runoff::features {

// Words and tags of a tree, and heads of words. What is written about a part of a tree depends on
// no more than the keys say, so that it is written once for all candidates of a list that share it.
class RichContext {
public:
  explicit RichContext(const TemplateInput &input)
      : tree_(input.tree), signatures_(input.signatures), stop_(input.fixed.stop) {
    find_governors();
    find_spines();
  }

  bool is_word(std::int32_t place) const { return place >= 0 && place < tree_.length(); }
  base::Symbol tag(std::int32_t place) const { return is_word(place) ? tree_.tag(place) : stop_; }
  base::Symbol word(std::int32_t place) const { return is_word(place) ? tree_.word(place) : stop_; }
  // The head of a word, or its content head; -1 for the head of all.
  std::int32_t governor(std::int32_t place, bool content) const {
    return governors_[content][base::at(place)];
  }
  // The highest node of which a word is the head.
  std::int32_t highest(std::int32_t place) const { return highest_[base::at(place)]; }

  // Of a constituent and what is around it.
  base::Fold outside(const trees::ParseNode &node) const {
    const auto &above = tree_[node.parent];
    auto key = base::Fold{}.then(1).then(both(node.label, above.label));
    key = key.then(both(static_cast<base::Symbol>(node.stop - node.start),
                        static_cast<base::Symbol>(tree_.length() - node.stop)));
    for (const auto place :
         {node.start - 1, node.start, node.stop - 1, node.stop, node.head_word, node.content_word})
      key = key.then(word_and_tag(place));
    key = key.then(node.head_word == node.content_word);
    for (int more = 0, up = above.parent; more < 2; ++more) {
      key = key.then(up < 0 ? both(1, 0) : tree_[up].label);
      up = up < 0 ? up : tree_[up].parent;
    }
    return key.then(is_word(node.start - 1)).then(is_word(node.stop));
  }

  // Of a node, its rule, and the heads in it.
  base::Fold inside(const trees::ParseNode &node, const base::Fold &local) const {
    auto key = local.then(2).then(node.parent < 0 ? both(1, 0) : tree_[node.parent].label);
    key = key.then(word_and_tag(node.head_word)).then(word_and_tag(node.content_word));
    key = key.then(node.head_word == node.content_word);
    for (const bool content : {false, true}) {
      const auto second = governor(content ? node.content_word : node.head_word, content);
      key = key.then(second < 0 ? both(1, 0) : word_and_tag(second)).then(second < 0);
    }
    return key;
  }

  // Of a word, and of the nodes that it heads.
  base::Fold around(std::int32_t place) const {
    auto key = spines_[base::at(place)].then(3).then(word_and_tag(place));
    key = key.then(both(tag(place - 1), tag(place + 1)));
    auto node = tree_.tags[base::at(place)];
    for (int more = 0; more < 2 && node >= 0; ++more) {
      node = tree_[node].parent;
      key = key.then(node < 0 ? both(1, 0) : tree_[node].label);
    }
    const auto own = highest_[base::at(place)], above = tree_[own].parent;
    key = key.then(tree_[own].label).then(own == tree_.tags[base::at(place)]);
    if (above < 0)
      return key;
    const auto next = highest_[base::at(tree_[above].head_word)];
    return key.then(both(tree_[above].label, tree_[next].label));
  }

private:
  static std::uint64_t both(base::Symbol a, base::Symbol b) { return (std::uint64_t{a} << 32) | b; }
  std::uint64_t word_and_tag(std::int32_t place) const { return both(word(place), tag(place)); }

  // The head of each word that is not the head of all.
  void find_governors() {
    for (const bool content : {false, true}) {
      auto &governors = governors_[content];
      governors.assign(tree_.words.size(), -1);
      for (const auto &node : tree_.nodes)
        for (const auto child : tree_.children_of(node))
          if (child != (content ? node.content : node.head)) {
            const auto &one = tree_[child];
            governors[base::at(content ? one.content_word : one.head_word)] =
                content ? node.content_word : node.head_word;
          }
    }
  }

  // Of each word the highest node of which it is the head, and the rules on the way there.
  void find_spines() {
    highest_.resize(tree_.words.size());
    spines_.assign(tree_.words.size(), {});
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) { // children before parents
      const auto &node = tree_.nodes[i];
      highest_[base::at(node.head_word)] = static_cast<std::int32_t>(i);
      if (node.n_children > 0)
        spines_[base::at(node.head_word)] =
            spines_[base::at(node.head_word)].then(signatures_.rule[i]);
    }
  }

  const trees::ParseTree &tree_;
  const Signatures &signatures_;
  const base::Symbol stop_;
  std::array<std::vector<std::int32_t>, 2> governors_; // by heads, by content heads
  std::vector<std::int32_t> highest_;
  std::vector<base::Fold> spines_; // the rules on the way to the highest node
};

} // namespace runoff::features
