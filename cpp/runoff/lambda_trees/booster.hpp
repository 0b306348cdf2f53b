// Boosting of shallow trees by LambdaRank (LambdaMART), each on a part of the lists and columns.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/lambda_trees/grower.hpp"

namespace runoff::lambda_trees {

struct Bagging {
  std::size_t rounds = 100;
  double lists = 0.5, columns = 0.5; // the share of each that a tree sees
  std::size_t top = 10;              // see `Lambdas`
  std::uint64_t seed = 0;
};

// The trees of all rounds. Lists are drawn by their number, so the caller puts them into an order
// that does not depend on a file's.
std::vector<std::vector<Node>> boost(std::span<const std::int64_t> list_offsets,
                                     std::span<const double> qualities, std::span<const Bin> bins,
                                     std::size_t n_columns, const Growth &growth,
                                     const Bagging &bagging, const base::Poll &poll);

} // namespace runoff::lambda_trees
