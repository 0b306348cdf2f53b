// Voting by all weight vectors of a perceptron (Freund & Schapire 1999; Collins & Duffy 2002).
#pragma once

#include "runoff/ranking/problem.hpp"

namespace runoff::ranking {

// Weight vectors as their differences: vector t + 1 is vector t plus update t, which has the
// entries [offsets[t], offsets[t + 1]) and changes the weight of the log-probability by
// logprobs[t].
struct Voters {
  std::span<const std::int64_t> offsets; // updates + 1
  std::span<const std::uint32_t> ids;
  std::span<const double> values;    // as long as ids
  std::span<const double> logprobs;  // updates
  std::span<const double> survivals; // updates + 1: how much the vote of each vector counts

  // Throws std::invalid_argument unless the arrays fit together and all ids are below n_features.
  void check(std::size_t n_features) const;
};

// The place of the highest score; ties go to the higher log-probability, then to the lower place.
std::size_t first_choice(std::span<const double> scores, std::span<const double> logprobs);

// Adds survivals to the votes of the first choice of a list, and of all that tie with it in both.
void vote(std::span<const double> scores, std::span<const double> logprobs, double survivals,
          std::span<double> votes);

// Adds to votes[j] the survivals of all vectors that rank candidate j first in its list. Ties go to
// the higher log-probability; candidates that tie in both all get the vote. scores holds those
// under vector 0 and is changed to those under the last one: every update adds to them, and no
// vector is ever built. Time, per list: the entries of all updates, and updates times candidates.
void add_votes(const Problem &problem, std::size_t n_features, const Voters &voters,
               std::span<double> scores, std::span<double> votes, const base::Poll &poll);

} // namespace runoff::ranking
