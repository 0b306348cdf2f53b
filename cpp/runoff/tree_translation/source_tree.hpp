// A source tree as extraction and translation walk it.
#pragma once

#include "runoff/trees/trees.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::tree_translation {

inline constexpr std::uint32_t NONE = 0xffffffff;

// Nodes in preorder; those without children are words. Symbols number labels and words together, so
// that none is both. The production of a node is its symbol and those of its children.
class SourceTree {
public:
  explicit SourceTree(trees::Trees::View tree);

  std::uint32_t size() const { return static_cast<std::uint32_t>(symbols.size()); }
  bool is_word(std::uint32_t node) const { return ends[node] == node + 1; }
  // Whether there are words right below it.
  bool is_lexical(std::uint32_t node) const { return lexical_[node] != 0; }
  // Whether it is a label above one word, such as a part of speech.
  bool is_tag(std::uint32_t node) const { return ends[node] == node + 2; }
  std::uint32_t words() const { return last_words.empty() ? 0 : last_words[0]; }

  // Calls visit(child) from left to right.
  template <typename Visit> void children(std::uint32_t node, const Visit &visit) const {
    for (std::uint32_t child = node + 1; child < ends[node]; child = ends[child])
      visit(child);
  }
  // Symbol and those of the children, in place of `out`.
  void production(std::uint32_t node, std::vector<std::uint32_t> &out) const;

  std::vector<std::uint32_t> symbols;
  std::vector<std::uint32_t> ends;                    // the node after each node's subtree
  std::vector<std::uint32_t> first_words, last_words; // the words below; the one after the last
  std::vector<std::uint32_t> productions;             // numbers that the caller gives; or NONE
  std::vector<std::uint32_t> any_productions;         // of tags, with any label in their place

private:
  std::vector<std::uint8_t> lexical_;
};

// The order in which the left-hand side of a rule is written down, and matched: from its root down,
// every node is expanded by its production, or left; those that were left are variables, or are
// expanded to their words. So words come last, and rules share what lies above them. A decision is
// the number of a production plus 1, or LEFT; a variable is left twice.
inline constexpr std::uint32_t LEFT = 0;

// The decisions of the left-hand side below a node whose variables are marked, in place of `out`.
void write_decisions(const SourceTree &tree, std::uint32_t root,
                     std::span<const std::uint8_t> is_variable, std::vector<std::uint32_t> &out);

} // namespace runoff::tree_translation
