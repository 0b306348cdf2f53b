// The value of a leaf: the minimum of a convex loss with an l1 penalty, in one number.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace runoff::decision_trees {

// b / (1 + exp(y h)) in whole units of 1 / scale, given exp(y h): the weight of an example.
inline std::int64_t weight_units(double odds, float bias, double scale) {
  return static_cast<std::int64_t>(static_cast<double>(bias) / (1.0 + odds) * scale + 0.5);
}

// exp(y h), bounded so that products with exp(theta) never are 0 times infinity.
double odds_of(double margin);

// The examples of a leaf.
struct LeafExamples {
  std::span<const double> odds;   // exp(y h)
  std::span<const std::int8_t> y; // 1 or -1
  std::span<const float> bias;
  double scale; // weights are whole multiples of 1 / scale, so that sums do not depend on order
};

// The theta that minimises the sum of b ln(1 + exp(-y (h + theta))) plus lambda |theta|. It is
// exactly 0 if |W+ - W-| <= lambda, to 12 digits; otherwise Newton steps within a shrinking bracket
// find where |W+ - W-| has come down to lambda, to as many. lambda is in units, and positive. A
// step is linear in the examples, on several threads, and takes no exponential of them.
double leaf_value(const LeafExamples &examples, std::int64_t lambda, const base::Threads &threads);

} // namespace runoff::decision_trees
