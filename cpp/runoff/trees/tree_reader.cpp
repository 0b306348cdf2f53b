#include "runoff/trees/tree_reader.hpp"

#include <limits>

namespace runoff::trees {
namespace {

void add(ReadTrees &out, base::Symbol label, std::size_t depth) {
  if (depth > std::numeric_limits<std::uint16_t>::max())
    throw std::invalid_argument("the tree is deeper than 65,535 nodes");
  out.labels.push_back(label);
  out.depths.push_back(static_cast<std::uint16_t>(depth));
  ++out.counts.back();
}

void add_plain(const FlatTree &tree, base::Symbols &symbols, ReadTrees &out) {
  std::vector<std::size_t> open; // the nodes above
  std::size_t word = 0;
  const auto words_until = [&](std::int32_t stop) {
    for (; word < static_cast<std::size_t>(stop); ++word)
      add(out, symbols(tree.words[word]), open.size());
  };
  const auto close_until = [&](std::size_t node) {
    for (; !open.empty() && static_cast<std::size_t>(tree.ends[open.back()]) <= node;
         open.pop_back())
      words_until(tree.stops[open.back()]);
  };
  for (std::size_t node = 0; node < tree.labels.size(); ++node) {
    close_until(node);
    words_until(tree.starts[node]);
    add(out, symbols(tree.labels[node]), open.size());
    open.push_back(node);
  }
  close_until(tree.labels.size());
}

void add_lexical(const ParseTree &tree, ReadTrees &out) {
  std::vector<std::size_t> depths(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto &node = tree.nodes[i];
    depths[i] = node.parent < 0 ? 0 : depths[static_cast<std::size_t>(node.parent)] + 1;
    add(out, node.label, depths[i]);
    add(out, tree.word(node.head_word), depths[i] + 1); // of a preterminal: its word
  }
}

} // namespace

ReadTrees read_plain_trees(std::span<const std::string_view> texts, base::Symbols &symbols,
                           const base::Poll &poll) {
  ReadTrees out;
  std::vector<FlatTree> trees;
  for (const auto text : texts) {
    if (out.counts.size() % 64 == 0)
      poll();
    trees.clear();
    BracketScanner scanner;
    scanner.feed(text, trees);
    scanner.finish();
    if (trees.size() != 1)
      throw std::invalid_argument("expected one tree, found " + std::to_string(trees.size()));
    out.counts.push_back(0);
    add_plain(trees[0], symbols, out);
  }
  return out;
}

ReadTrees read_lexical_trees(std::span<const std::string_view> texts, const HeadTable &heads,
                             base::Symbols &symbols, const base::Poll &poll) {
  ReadTrees out;
  const ClosedClasses none;
  ParseTreeMaker maker(heads, none, symbols);
  ParseTree tree;
  for (const auto text : texts) {
    if (out.counts.size() % 64 == 0)
      poll();
    maker.read(text, tree);
    out.counts.push_back(0);
    add_lexical(tree, out);
  }
  return out;
}

} // namespace runoff::trees
