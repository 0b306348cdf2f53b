// Sequences of numbers, each held once and known by a number of its own.
#pragma once

#include "runoff/base/hash_index.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::base {

class Spans {
public:
  static constexpr std::uint32_t none = NumberSlot::none;
  using Items = std::span<const std::uint32_t>;

  std::size_t size() const { return ends_.size() - 1; }
  Items operator[](std::uint32_t number) const {
    return {items_.data() + ends_[number], items_.data() + ends_[number + 1]};
  }
  // The number of a sequence; `none` where it is not known.
  std::uint32_t find(Items items) const;
  // The number of a sequence, which becomes known; numbers count up from 0. Throws
  // std::invalid_argument once there are too many.
  std::uint32_t number(Items items);
  // Forgets all; the memory stays.
  void clear();
  std::size_t bytes() const {
    return 8 * ends_.capacity() + 4 * items_.capacity() + 8 * hashes_.capacity() + numbers_.bytes();
  }

private:
  std::size_t place(std::uint64_t hash, Items items) const;

  std::vector<std::uint64_t> ends_{0};
  std::vector<std::uint32_t> items_;
  std::vector<std::uint64_t> hashes_;
  HashIndex<NumberSlot> numbers_{256};
};

} // namespace runoff::base
