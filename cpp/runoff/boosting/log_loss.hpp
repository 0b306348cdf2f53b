// The log-loss of one list, and the weights of its pairs.
#pragma once

#include <span>
#include <vector>

namespace runoff::boosting {

// log(1 + sum of exp(-M)) of the exponents -M of a list's pairs, of which there is at least one;
// the weights become q of Collins & Koo (2005), equation B.1. Exact for tiny sums, safe for large
// ones.
double log_loss(std::span<const double> exponents, std::vector<double> &weights);

} // namespace runoff::boosting
