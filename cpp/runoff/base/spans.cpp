#include "runoff/base/spans.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::base {
namespace {

std::uint64_t hash_of(Spans::Items items) {
  std::uint64_t hash = items.size();
  for (const auto item : items) {
    hash = (hash ^ item) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace

std::size_t Spans::slot(std::uint64_t hash, Items items) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const auto known = slots_[at];
    if (known == none || (hashes_[known] == hash && std::ranges::equal((*this)[known], items)))
      return at;
  }
}

std::uint32_t Spans::find(Items items) const { return slots_[slot(hash_of(items), items)]; }

std::uint32_t Spans::number(Items items) {
  const auto hash = hash_of(items);
  auto &place = slots_[slot(hash, items)];
  if (place != none)
    return place;
  if (size() + 1 >= none)
    throw std::invalid_argument("too many subtrees for 32-bit numbers");
  const auto added = place = static_cast<std::uint32_t>(size());
  items_.insert(items_.end(), items.begin(), items.end());
  ends_.push_back(items_.size());
  hashes_.push_back(hash);
  if (2 * size() > slots_.size())
    grow();
  return added;
}

void Spans::clear() {
  ends_.resize(1);
  items_.clear();
  hashes_.clear();
  std::ranges::fill(slots_, none);
}

void Spans::grow() {
  slots_.assign(2 * slots_.size(), none);
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t at = hashes_[number] & (slots_.size() - 1);
    while (slots_[at] != none)
      at = (at + 1) & (slots_.size() - 1);
    slots_[at] = number;
  }
}

} // namespace runoff::base
