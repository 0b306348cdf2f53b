#include "runoff/backoff.hpp"

namespace runoff {

void Backoff::count(std::span<const Key> contexts, std::uint32_t future) {
  for (const Key context : contexts) {
    auto &pair = pairs_[mixed(context, future)];
    auto &known = contexts_[context];
    ++known.count;
    if (pair.count++ == 0)
      ++known.types;
  }
}

void Backoff::estimate(std::span<const Key> contexts, std::uint32_t future, double base,
                       std::span<const Discount> discounts) {
  double below = base;
  for (std::size_t level = contexts.size(); level-- > 0;) {
    auto &known = *contexts_.find(contexts[level]);
    auto &pair = *pairs_.find(mixed(contexts[level], future));
    const double set_aside =
        discounts[level].constant + discounts[level].per_type * known.types;
    const double total = known.count + set_aside;
    known.backoff = static_cast<float>(set_aside / total);
    below = (pair.count + set_aside * below) / total;
    pair.probability = static_cast<float>(below);
  }
}

} // namespace runoff
