// A treebank tree made ready for features: plain labels, heads, spans.
#pragma once

#include "runoff/trees/brackets.hpp"
#include "runoff/trees/head_rules.hpp"

namespace runoff::trees {

// Which words are closed-class: by their tag, and auxiliaries by the word under a verb's tag.
struct ClosedClasses {
  std::vector<std::string> tags, verb_tags, auxiliaries;
};

struct ParseNode {
  base::Symbol label;
  base::Symbol augmented;     // label/word where the head word is closed-class, else the label
  std::int32_t parent;        // -1 on top
  std::int32_t head, content; // head children; -1 in a preterminal
  std::int32_t head_word, content_word;
  std::int32_t start, stop;       // its words
  std::int32_t first, n_children; // its children among `children`
};

// Nodes in preorder, the first of which is TOP. Labels have lost function tags and indices, empty
// elements are gone, and a word beside other children has a tag WORD of its own. So every leaf is a
// preterminal over one word. A tree without words has no nodes.
struct ParseTree {
  std::vector<ParseNode> nodes;
  std::vector<std::int32_t> children;
  std::vector<base::Symbol> words;
  std::vector<std::int32_t> tags; // the preterminal of each word

  std::span<const std::int32_t> children_of(const ParseNode &node) const {
    return std::span(children).subspan(static_cast<std::size_t>(node.first),
                                       static_cast<std::size_t>(node.n_children));
  }
  const ParseNode &operator[](std::int32_t node) const {
    return nodes[static_cast<std::size_t>(node)];
  }
  // The tag, and the symbol, of a word.
  base::Symbol tag(std::int32_t word) const {
    return (*this)[tags[static_cast<std::size_t>(word)]].label;
  }
  base::Symbol word(std::int32_t place) const { return words[static_cast<std::size_t>(place)]; }
  std::int32_t length() const { return static_cast<std::int32_t>(words.size()); }
};

// Makes such trees. The head is that of the table (the functional head: of a PP its preposition);
// the content head is that of the object of a PP, of the last verb of a verb group, of the clause
// in an SBAR, of the owner before a possessive 's.
class ParseTreeMaker {
public:
  ParseTreeMaker(const HeadTable &heads, const ClosedClasses &classes, base::Symbols &symbols);

  // The one tree of the brackets. Throws std::invalid_argument if the text is not one tree.
  void read(std::string_view brackets, ParseTree &tree);
  const HeadRules &rules() const { return rules_; }

private:
  enum Kind : unsigned char { closed_tag = 1, verb_tag = 2, auxiliary = 4, known = 8 };

  void shape(const FlatTree &flat, ParseTree &tree);
  std::int32_t add(ParseTree &tree, base::Symbol label, std::int32_t parent);
  void add_words(const FlatTree &flat, ParseTree &tree, std::int32_t parent, std::size_t stop);
  void link(ParseTree &tree);
  void find_heads(ParseTree &tree);
  std::int32_t content_child(const ParseTree &tree, const ParseNode &node, std::size_t head) const;
  bool is_closed(base::Symbol tag, base::Symbol word);
  unsigned char kind(base::Symbol symbol);
  base::Symbol label(const std::string &text);

  base::Symbols &symbols_;
  HeadRules rules_;
  base::Symbol top_, bare_, pp_, whpp_, sbar_, vp_, sq_, sinv_, possessive_;
  std::vector<base::Symbol> clauses_;
  std::vector<unsigned char> kinds_; // by symbol
  const ClosedClasses &classes_;
  std::unordered_map<std::string, base::Symbol> labels_; // of labels as written
  std::vector<FlatTree> trees_;
  std::vector<char> is_empty_; // of each word as written
  std::vector<base::Symbol> labels_below_;
  std::size_t next_word_ = 0;
};

} // namespace runoff::trees
