// The third pass: derivations of the lexicalised model over what the forest keeps.
#pragma once

#include "runoff/parsing/allowance.hpp"
#include "runoff/parsing/coarse_chart.hpp"
#include "runoff/parsing/forest.hpp"
#include "runoff/search/hypergraph.hpp"

#include <vector>

namespace runoff::parsing {

// A hypergraph of derivations; the label of an edge is its Move.
struct Derivations {
  search::Hypergraph graph;
  std::vector<std::int32_t> origins; // the forest's node of which each node is a form
  std::int32_t root = -1;            // -1 if there is no derivation
  bool too_large = false;            // it was given up
};

// The forest's own derivations, weighted by the unlexicalised model. `scale` is that of the chart's
// largest cell.
Derivations unlexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence,
                          int scale);

// Every node in the forms that differ in head word, tag, and complements to come. How many there
// are of these is not known before: given up if their edges do not fit the allowance.
Derivations lexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence,
                        Allowance &allowance);

} // namespace runoff::parsing
