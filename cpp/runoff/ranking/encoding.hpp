// Features as extractors name them become those of a feature space.
#pragma once

#include "runoff/ranking/problem.hpp"

#include <vector>

namespace runoff::ranking {

// What becomes of source s: the features ids[offsets[s]] to ids[offsets[s + 1]], each if the value
// reaches its cut point, from above or below 0; a feature whose cut is nan keeps the value.
struct Encodings {
  std::span<const std::int64_t> offsets; // sources + 1
  std::span<const std::int64_t> ids;
  std::span<const double> cuts;

  // Throws std::invalid_argument unless the arrays fit together and all ids are below n_features.
  void check(std::size_t n_features) const;
};

// Features of candidates, laid end to end.
struct Entries {
  std::vector<std::int64_t> counts; // of each candidate
  std::vector<std::uint32_t> ids;   // rising in each candidate
  std::vector<double> values;
};

// The features of lists in a space. The feature i that was found is the source places[i], or -1.
// Binary features that all candidates of a list have are left out there. Linear in the entries, but
// for sorting the features of each list; places, which may be far more, are looked at where they
// are needed, and std::invalid_argument is thrown if one is no source.
Entries encode_features(
    const Problem &found, std::span<const std::int64_t> places, const Encodings &encodings,
    std::size_t n_features, const base::Poll &poll = [] {});

} // namespace runoff::ranking
