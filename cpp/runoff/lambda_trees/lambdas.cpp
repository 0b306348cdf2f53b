#include "runoff/lambda_trees/lambdas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff::lambda_trees {

void Lambdas::add(std::span<const double> qualities, std::span<const double> scores,
                  std::span<Slope> slopes) {
  const auto n = qualities.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, std::greater{}, [&](std::size_t k) { return scores[k]; });
  const auto discount = [](std::size_t rank) {
    return 1 / std::log2(2 + static_cast<double>(rank));
  };
  for (std::size_t high = 0; high < std::min(top_, n); ++high)
    for (std::size_t low = high + 1; low < n; ++low) {
      auto better = order_[high], worse = order_[low];
      if (qualities[better] == qualities[worse])
        continue;
      if (qualities[better] < qualities[worse])
        std::swap(better, worse);
      const double weight =
          (qualities[better] - qualities[worse]) * (discount(high) - discount(low));
      const double wrong = 1 / (1 + std::exp(scores[better] - scores[worse]));
      slopes[better].first -= weight * wrong;
      slopes[worse].first += weight * wrong;
      slopes[better].second += weight * wrong * (1 - wrong);
      slopes[worse].second += weight * wrong * (1 - wrong);
    }
}

} // namespace runoff::lambda_trees
