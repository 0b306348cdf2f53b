// Which parts of a forest are worth keeping.
#pragma once

#include "runoff/parsing/forest.hpp"

namespace runoff::parsing {

// Fills the outside values of a forest with a root.
void fill_outside(Forest &forest);

// What is left without nodes and edges that have a smaller share of all parses; it may have no root
// any more.
Forest pruned(const Forest &forest, double threshold);

// Makes the inside and outside values those of the best parse instead of all: inside * outside is
// then the probability of the best parse with a node, against the best of all.
void fill_best(Forest &forest);

// A forest with at most so many edges, those of the best parses; or, where that cannot be, with the
// best edge of each node. fill_best() comes first, and holds for the result.
Forest narrowed(const Forest &forest, std::size_t edges);

} // namespace runoff::parsing
