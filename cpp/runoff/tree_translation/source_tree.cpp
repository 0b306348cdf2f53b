#include "runoff/tree_translation/source_tree.hpp"

namespace runoff::tree_translation {

SourceTree::SourceTree(trees::Trees::View tree)
    : symbols(tree.labels.begin(), tree.labels.end()), first_words(tree.size()),
      last_words(tree.size()), productions(tree.size(), NONE), any_productions(tree.size(), NONE),
      lexical_(tree.size()) {
  trees::find_ends(tree.depths, ends);
  std::uint32_t word = 0;
  for (std::uint32_t node = 0; node < size(); ++node) {
    first_words[node] = word;
    word += is_word(node) ? 1 : 0;
  }
  for (std::uint32_t node = size(); node-- > 0;) {
    last_words[node] = ends[node] < size() ? first_words[ends[node]] : word;
    children(node, [&](std::uint32_t child) {
      if (is_word(child))
        lexical_[node] = 1;
    });
  }
}

void SourceTree::production(std::uint32_t node, std::vector<std::uint32_t> &out) const {
  out.assign(1, symbols[node]);
  children(node, [&](std::uint32_t child) { out.push_back(symbols[child]); });
}

void write_decisions(const SourceTree &tree, std::uint32_t root,
                     std::span<const std::uint8_t> is_variable, std::vector<std::uint32_t> &out) {
  std::vector<std::uint32_t> pending, left, below;
  const auto expand = [&](std::uint32_t node) {
    out.push_back(tree.productions[node] + 1);
    below.clear();
    tree.children(node, [&](std::uint32_t child) {
      if (!tree.is_word(child))
        below.push_back(child);
    });
    pending.insert(pending.end(), below.rbegin(), below.rend());
  };
  out.clear();
  expand(root);
  while (!pending.empty() || !left.empty()) {
    auto &from = pending.empty() ? left : pending;
    const bool first = !pending.empty();
    const auto node = from.back();
    from.pop_back();
    if (is_variable[node] != 0 || (first && tree.is_lexical(node))) {
      out.push_back(LEFT);
      if (first)
        left.push_back(node);
    } else {
      expand(node);
    }
  }
}

} // namespace runoff::tree_translation
