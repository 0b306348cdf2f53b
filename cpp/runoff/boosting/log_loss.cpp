#include "runoff/boosting/log_loss.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::boosting {

double log_loss(std::span<const double> exponents, std::vector<double> &weights) {
  const double most = std::max(0.0, *std::ranges::max_element(exponents));
  weights.resize(exponents.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < exponents.size(); ++i)
    sum += weights[i] = std::exp(exponents[i] - most);
  const double one = std::exp(-most); // the best candidate's
  for (double &weight : weights)
    weight /= one + sum;
  return most > 0.0 ? most + std::log(one + sum) : std::log1p(sum);
}

} // namespace runoff::boosting
