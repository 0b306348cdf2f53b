// Sequences of numbers, each held once and known by a number of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::base {

class Spans {
public:
  static constexpr std::uint32_t none = 0xffffffff;
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
    return 8 * ends_.capacity() + 4 * (items_.capacity() + slots_.capacity()) +
           8 * hashes_.capacity();
  }

private:
  // Where the sequence stands among the slots, or where it would.
  std::size_t slot(std::uint64_t hash, Items items) const;
  void grow();

  std::vector<std::uint64_t> ends_{0};
  std::vector<std::uint32_t> items_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(256, none); // at most half full
};

} // namespace runoff::base
