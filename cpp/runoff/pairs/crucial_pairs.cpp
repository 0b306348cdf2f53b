#include "runoff/pairs/crucial_pairs.hpp"

#include "runoff/base/offsets.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::pairs {
namespace {

std::uint64_t mixed(std::uint64_t z) { // splitmix64
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

} // namespace

void PairSource::check() const {
  base::check_offsets(list_offsets, qualities.size(), "list_offsets");
  if (logprobs.size() != qualities.size() || kept.size() != qualities.size())
    throw std::invalid_argument("qualities, logprobs and kept must have one entry per candidate");
  if (list_numbers.size() + 1 != list_offsets.size())
    throw std::invalid_argument("list_numbers must have one entry per list");
  if (qualities.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("there are more than 4,294,967,295 candidates");
}

CrucialPairs::CrucialPairs(const PairSource &source, PairLimits limits, PairSubset subset)
    : limits_(limits), subset_(subset) {
  source.check();
  list_offsets_.assign(source.list_offsets.begin(), source.list_offsets.end());
  for (const auto number : source.list_numbers) {
    const auto random = mixed(subset.seed + static_cast<std::uint64_t>(number));
    shift_.push_back(static_cast<std::uint32_t>((random + subset.number) % subset.of));
  }
  member_offsets_.push_back(0);
  for (std::size_t list = 0; list < lists(); ++list)
    add_list(source, list);
}

void CrucialPairs::add_list(const PairSource &source, std::size_t list) {
  const std::size_t first = members_.size();
  for (auto j = list_offsets_[list]; j < list_offsets_[list + 1]; ++j)
    if (source.kept[static_cast<std::size_t>(j)])
      members_.push_back(static_cast<std::uint32_t>(j));
  const auto own = members_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto quality = [&source](std::uint32_t member) { return source.qualities[member]; };
  std::stable_sort(own, members_.end(), [&](auto a, auto b) { return quality(a) > quality(b); });
  std::uint32_t begin = 0, end = 0; // neither falls from one member to the next
  const auto size = static_cast<std::uint32_t>(members_.size() - first);
  for (std::uint32_t worse = 0; worse < size; ++worse) {
    const auto gap = [&](std::uint32_t other) { return quality(own[other]) - quality(own[worse]); };
    while (begin < worse && gap(begin) > limits_.largest)
      ++begin;
    while (end < worse && gap(end) > limits_.closest)
      ++end;
    better_.push_back({std::min(begin, end), end});
    logprobs_.push_back(source.logprobs[own[worse]]);
  }
  member_offsets_.push_back(static_cast<std::int64_t>(members_.size()));
}

} // namespace runoff::pairs
