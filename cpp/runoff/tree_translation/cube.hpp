// Derivations with the language model in them (Chiang 2007; Huang & Chiang 2007, "Forest
// rescoring").
//
// An item is a vertex of the derivations with what the language model has to know of a string: its
// first words, whose history is not known yet, and the state after its last. Items of a vertex that
// are equal in these are one. Edges between items weigh what is certain, so the best path through
// them is the best derivation among those that were looked at.
#pragma once

#include "runoff/base/budget.hpp"
#include "runoff/base/threads.hpp"
#include "runoff/tree_translation/derivations.hpp"

namespace runoff::tree_translation {

// The hypergraph of items: its last node is the whole tree with the sentence's ends, an edge of it
// has the label -1; labels of others are numbers of applications. At most `pops` combinations are
// taken for a vertex, the best first by a queue that is lazy in them; one after the time is up.
search::Hypergraph cube_pruned(const Models &models, const Derivations &derivations,
                               std::size_t pops, base::Budget &budget, const base::Poll &poll);

} // namespace runoff::tree_translation
