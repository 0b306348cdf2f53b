// The third pass: the lexicalised model over what the forest keeps, and derivations as trees.
#pragma once

#include "runoff/forest.hpp"
#include "runoff/hypergraph.hpp"

#include <string>
#include <vector>

namespace runoff {

// A hypergraph of derivations, and which node of the forest each of its nodes is a form of.
// The labels of its edges are Moves.
struct Derivations {
  Hypergraph graph;
  std::vector<std::int32_t> origins;
  std::int32_t root = -1;
  double offset = 0; // added to every log-probability
};

Derivations unlexicalised(const Forest &forest, double offset);
Derivations lexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence);

// The brackets of a derivation, base noun phrases unmarked.
struct Printer {
  std::vector<std::string> labels;
  Label np = -1, base_np = -1;
  std::string print(const Forest &forest, const Derivations &derivations,
                    std::span<const std::int32_t> edges, std::span<const std::string> words) const;
};

} // namespace runoff
