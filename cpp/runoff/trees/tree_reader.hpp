// Bracketed trees as arrays of labels and depths.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/trees/parse_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::trees {

// The nodes of some trees, labels as symbols.
struct ReadTrees {
  std::vector<std::int64_t> counts; // nodes of each tree
  std::vector<base::Symbol> labels;
  std::vector<std::uint16_t> depths;
};

// Words are nodes like others. Throws std::invalid_argument if a text is not one tree.
ReadTrees read_plain_trees(std::span<const std::string_view> texts, base::Symbols &symbols,
                           const base::Poll &poll);

// Lexicalised trees: every constituent has the word of its head as another, leftmost daughter
// (Kudo, Suzuki & Isozaki 2005, Figure 3). Labels and heads are those of ParseTree.
ReadTrees read_lexical_trees(std::span<const std::string_view> texts, const HeadTable &heads,
                             base::Symbols &symbols, const base::Poll &poll);

} // namespace runoff::trees
