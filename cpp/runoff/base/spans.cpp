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

std::size_t Spans::place(std::uint64_t hash, Items items) const {
  return numbers_.place(hash, [&](NumberSlot slot) {
    return hashes_[slot.number] == hash && std::ranges::equal((*this)[slot.number], items);
  });
}

std::uint32_t Spans::find(Items items) const {
  return numbers_[place(hash_of(items), items)].number;
}

std::uint32_t Spans::number(Items items) {
  const auto hash = hash_of(items);
  auto &slot = numbers_[place(hash, items)];
  if (!slot.is_free())
    return slot.number;
  if (size() + 1 >= none)
    throw std::invalid_argument("too many subtrees for 32-bit numbers");
  const auto added = slot.number = static_cast<std::uint32_t>(size());
  items_.insert(items_.end(), items.begin(), items.end());
  ends_.push_back(items_.size());
  hashes_.push_back(hash);
  if (!numbers_.fits(size()))
    numbers_.grow([this](NumberSlot known) { return hashes_[known.number]; });
  return added;
}

void Spans::clear() {
  ends_.resize(1);
  items_.clear();
  hashes_.clear();
  numbers_.clear();
}

} // namespace runoff::base
