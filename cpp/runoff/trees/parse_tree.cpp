#include "runoff/trees/parse_tree.hpp"

#include <algorithm>

namespace runoff::trees {
namespace {

bool contains(const std::vector<std::string> &texts, const std::string &text) {
  return std::ranges::find(texts, text) != texts.end();
}

std::string lower(std::string text) {
  for (char &c : text)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool is_top(const std::string &label) {
  return label.empty() || label == "TOP" || label == "S1" || label == "ROOT";
}

bool is_preterminal(const FlatTree &flat, std::size_t node) {
  return flat.ends[node] == static_cast<std::int32_t>(node) + 1 &&
         flat.stops[node] == flat.starts[node] + 1;
}

} // namespace

ParseTreeMaker::ParseTreeMaker(const HeadTable &heads, const ClosedClasses &classes,
                               base::Symbols &symbols)
    : symbols_(symbols), rules_(heads, symbols), top_(symbols("TOP")), bare_(symbols("WORD")),
      pp_(symbols("PP")), whpp_(symbols("WHPP")), sbar_(symbols("SBAR")), vp_(symbols("VP")),
      sq_(symbols("SQ")), sinv_(symbols("SINV")), possessive_(symbols("POS")), classes_(classes) {
  for (const char *clause : {"S", "SINV", "SQ", "VP", "FRAG"})
    clauses_.push_back(symbols(clause));
}

void ParseTreeMaker::read(std::string_view brackets, ParseTree &tree) {
  trees_.clear();
  BracketScanner scanner;
  scanner.feed(brackets, trees_);
  scanner.finish();
  if (trees_.size() != 1)
    throw std::invalid_argument("expected one tree, found " + std::to_string(trees_.size()));
  tree.nodes.clear();
  tree.children.clear();
  tree.words.clear();
  tree.tags.clear();
  shape(trees_[0], tree);
  if (tree.words.empty()) {
    tree.nodes.clear();
    return;
  }
  link(tree);
  find_heads(tree);
}

// Labels lose what follows - or =, unless they begin with it, as -LRB- does.
base::Symbol ParseTreeMaker::label(const std::string &text) {
  const auto [at, is_new] = labels_.try_emplace(text);
  if (is_new) {
    const auto end = text.find_first_of("-=");
    at->second = symbols_(end == 0 ? text : text.substr(0, end));
  }
  return at->second;
}

std::int32_t ParseTreeMaker::add(ParseTree &tree, base::Symbol label, std::int32_t parent) {
  tree.nodes.push_back({label, label, parent, -1, -1, -1, -1, tree.length(), 0, 0, 0});
  return static_cast<std::int32_t>(tree.nodes.size()) - 1;
}

// The words of a node that come before its next child, each under a tag of its own.
void ParseTreeMaker::add_words(const FlatTree &flat, ParseTree &tree, std::int32_t parent,
                               std::size_t stop) {
  for (; next_word_ < stop; ++next_word_)
    if (!is_empty_[next_word_]) {
      tree.tags.push_back(add(tree, bare_, parent));
      tree.words.push_back(symbols_(flat.words[next_word_]));
    }
}

void ParseTreeMaker::shape(const FlatTree &flat, ParseTree &tree) {
  is_empty_.assign(flat.words.size(), 0);
  for (std::size_t i = 0; i < flat.labels.size(); ++i)
    if (flat.labels[i] == "-NONE-")
      for (auto word = flat.starts[i]; word < flat.stops[i]; ++word)
        is_empty_[static_cast<std::size_t>(word)] = 1;
  std::vector<std::int32_t> kept(flat.words.size() + 1); // words before each that are not empty
  for (std::size_t i = 0; i < flat.words.size(); ++i)
    kept[i + 1] = kept[i] + !is_empty_[i];
  struct Open {
    std::size_t stop, end;
    std::int32_t node;
  };
  std::vector<Open> open{{flat.words.size(), flat.labels.size(), add(tree, top_, -1)}};
  next_word_ = 0;
  const auto close = [&] {
    add_words(flat, tree, open.back().node, open.back().stop);
    open.pop_back();
  };
  for (std::size_t i = is_top(flat.labels[0]) ? 1 : 0; i < flat.labels.size(); ++i) {
    while (open.back().end <= i)
      close();
    const auto start = static_cast<std::size_t>(flat.starts[i]);
    const auto stop = static_cast<std::size_t>(flat.stops[i]);
    add_words(flat, tree, open.back().node, start);
    if (kept[start] == kept[stop])
      continue; // its children, if any, have no words either
    const auto node = add(tree, label(flat.labels[i]), open.back().node);
    if (is_preterminal(flat, i)) {
      tree.tags.push_back(node);
      tree.words.push_back(symbols_(flat.words[start]));
      next_word_ = stop;
    } else {
      open.push_back({stop, static_cast<std::size_t>(flat.ends[i]), node});
    }
  }
  while (!open.empty())
    close();
}

// Children and spans, from parents and the order of the nodes.
void ParseTreeMaker::link(ParseTree &tree) {
  auto &nodes = tree.nodes;
  const auto at = [&](std::int32_t node) -> ParseNode & {
    return nodes[static_cast<std::size_t>(node)];
  };
  for (std::size_t word = 0; word < tree.tags.size(); ++word)
    at(tree.tags[word]).stop = static_cast<std::int32_t>(word) + 1;
  for (std::size_t i = nodes.size(); --i > 0;) {
    auto &parent = at(nodes[i].parent);
    ++parent.n_children;
    parent.stop = std::max(parent.stop, nodes[i].stop);
  }
  std::int32_t total = 0;
  for (auto &node : nodes) {
    node.first = total;
    total += node.n_children;
    node.n_children = 0;
  }
  tree.children.resize(static_cast<std::size_t>(total));
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    auto &parent = at(nodes[i].parent);
    tree.children[static_cast<std::size_t>(parent.first + parent.n_children++)] =
        static_cast<std::int32_t>(i);
  }
}

void ParseTreeMaker::find_heads(ParseTree &tree) {
  for (std::size_t i = tree.nodes.size(); i-- > 0;) { // children before parents
    auto &node = tree.nodes[i];
    if (node.n_children == 0) {
      node.head_word = node.content_word = node.start;
    } else {
      labels_below_.clear();
      for (const auto child : tree.children_of(node))
        labels_below_.push_back(tree[child].label);
      const auto head = rules_.head(node.label, labels_below_);
      node.head = tree.children_of(node)[head];
      node.content = content_child(tree, node, head);
      node.head_word = tree[node.head].head_word;
      node.content_word = tree[node.content].content_word;
    }
    const base::Symbol word = tree.word(node.head_word);
    if (is_closed(tree.tag(node.head_word), word))
      node.augmented = symbols_.joined(node.label, word);
  }
}

std::int32_t ParseTreeMaker::content_child(const ParseTree &tree, const ParseNode &node,
                                           std::size_t head) const {
  const auto children = tree.children_of(node);
  const auto after = [&](auto wanted) {
    for (std::size_t i = head + 1; i < children.size(); ++i)
      if (wanted(tree[children[i]].label))
        return children[i];
    return children[head];
  };
  const bool is_word = tree[children[head]].n_children == 0;
  if (node.label == pp_ || node.label == whpp_)
    return after([&](base::Symbol label) { return !rules_.is_punctuation(label); });
  if (is_word && (node.label == vp_ || node.label == sq_ || node.label == sinv_))
    return after([&](base::Symbol label) { return label == vp_; });
  if (node.label == sbar_)
    return after(
        [&](base::Symbol label) { return std::ranges::find(clauses_, label) != clauses_.end(); });
  if (rules_.is_noun_phrase(node.label) && head > 0 && tree[children[head]].label == possessive_)
    return children[head - 1];
  return children[head];
}

unsigned char ParseTreeMaker::kind(base::Symbol symbol) {
  if (symbol >= kinds_.size())
    kinds_.resize(std::max(symbols_.size(), std::size_t{symbol} + 1));
  if (kinds_[symbol] == 0) {
    const auto &text = symbols_.text(symbol);
    const int kind = known | (contains(classes_.tags, text) ? closed_tag : 0) |
                     (contains(classes_.verb_tags, text) ? verb_tag : 0) |
                     (contains(classes_.auxiliaries, lower(text)) ? auxiliary : 0);
    kinds_[symbol] = static_cast<unsigned char>(kind);
  }
  return kinds_[symbol];
}

bool ParseTreeMaker::is_closed(base::Symbol tag, base::Symbol word) {
  return (kind(tag) & closed_tag) || ((kind(tag) & verb_tag) && (kind(word) & auxiliary));
}

} // namespace runoff::trees
