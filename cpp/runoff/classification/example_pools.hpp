// Samples of the examples of all labels, weighed by the classifiers so far: what further decision
// trees are grown on (Turian and Melamed, 2006, "Computational challenges", sections 3.3 and 5).
//
// One pass over the candidates serves all labels, and nothing is stored for an example outside the
// samples, so memory does not grow with the treebank. Nor need time: wrong candidates may be looked
// at in a random share of the states, and count the more for it; correct ones always are.
#pragma once

#include "runoff/classification/parser.hpp"
#include "runoff/classification/training_states.hpp"

namespace runoff::classification {

// A priority sample (Duffield, Lund and Thorup, 2005) of the examples of a label, by their weights.
struct ExamplePool {
  std::vector<std::uint64_t> pointers; // rising
  std::vector<std::int8_t> y;
  std::vector<float> bias; // so raised that sums of weights are unbiased estimates
  std::vector<double> h;   // what the classifiers score
  std::uint64_t examples = 0, positives = 0; // that were looked at
  double lost = 0.0;                         // the share of their weight that is outside
};

struct PoolOptions {
  std::size_t size;           // of each pool, at most
  std::uint64_t seed, number; // samples with other numbers are drawn anew
  double share = 1.0;         // of the states whose wrong candidates are looked at
};

// A pool for each phrase label. The same on any number of threads.
std::vector<ExamplePool> draw_pools(const TrainingStates &states,
                                    const LabelClassifiers &classifiers, const PoolOptions &options,
                                    const base::Threads &threads);

} // namespace runoff::classification
