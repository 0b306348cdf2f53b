// The second pass: a packed forest of the unlexicalised model, over what the coarse chart keeps.
#pragma once

#include "runoff/parsing/allowance.hpp"
#include "runoff/parsing/coarse_chart.hpp"
#include "runoff/parsing/forest.hpp"
#include "runoff/parsing/state_table.hpp"

namespace runoff::parsing {

// Nodes whose inside value, with what the coarse chart says surrounds them, promises a smaller
// share of all parses than the threshold are left out. A forest that does not fit the allowance is
// given up. The result has the memory of `used`, a forest that is no longer needed.
Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, StateTable &states, double threshold,
                    Allowance &allowance, Forest used = {});

} // namespace runoff::parsing
