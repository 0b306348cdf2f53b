// The p-norm push (Rudin 2006): the sum over worse candidates l of
// (sum over better candidates b of exp(f(l) - f(b)))^p, of one list, in the log domain.
#pragma once

#include "runoff/pairs/pair_losses.hpp"

namespace runoff::pairs {

// Per list the logarithm of the push; -infinity for a list without crucial pairs.
void push_loss(const CrucialPairs &pairs, double p, std::span<const double> scores,
               ranking::LossOut out, const base::Threads &threads);

// The same for the lists named, and its first and second derivative along a direction.
void push_line(const CrucialPairs &pairs, double p, std::span<const std::int64_t> lists,
               std::span<const double> scores, std::span<const double> direction, SlopeOut out,
               const base::Threads &threads);

} // namespace runoff::pairs
