// An index of entries by their hashes: open addressing with linear probing.
//
// What a slot holds is the caller's: a key with its value, or the number of an entry whose key is
// kept elsewhere. A slot has a default value that is free, and says so by is_free().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace runoff::base {

// A slot for entries that are numbered in the order in which they come.
struct NumberSlot {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t number = none;

  bool is_free() const { return number == none; }
};

// How full an index may be.
struct HalfFull {
  static bool fits(std::size_t entries, std::size_t slots) { return 2 * entries <= slots; }
};
struct ThreeQuartersFull {
  static bool fits(std::size_t entries, std::size_t slots) { return 4 * entries <= 3 * slots; }
};

// There is always a free slot, if the caller asks fits() before an entry is added. Nothing is ever
// taken out. A search takes constant time if the low bits of hashes are spread well.
template <typename Slot, typename Growth = HalfFull> class HashIndex {
public:
  // So many slots, a power of two.
  explicit HashIndex(std::size_t slots = 16) : slots_(slots) {}

  // Where the slot is for which same(slot) holds, or the free one where it would be; same() is
  // asked of none that is free.
  template <typename Same> std::size_t place(std::uint64_t hash, const Same &same) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (!slots_[at].is_free() && !same(slots_[at]))
      at = (at + 1) & mask;
    return at;
  }

  Slot &operator[](std::size_t place) { return slots_[place]; }
  const Slot &operator[](std::size_t place) const { return slots_[place]; }
  // The slot where a search begins: to be fetched ahead of it.
  const Slot &first(std::uint64_t hash) const { return slots_[hash & (slots_.size() - 1)]; }

  std::size_t size() const { return slots_.size(); } // slots, free or not
  std::size_t bytes() const { return sizeof(Slot) * slots_.capacity(); }
  // Whether so many entries may be in it.
  bool fits(std::size_t entries) const { return Growth::fits(entries, slots_.size()); }

  // Twice as many slots. hash_of(slot) is the hash that an entry was placed by; moved(from, to) is
  // called for every entry, so that what is kept beside the slots can move along.
  template <typename HashOf, typename Moved> void grow(const HashOf &hash_of, const Moved &moved) {
    HashIndex larger(2 * slots_.size());
    for (std::size_t from = 0; from < slots_.size(); ++from)
      if (!slots_[from].is_free()) {
        const auto to = larger.place(hash_of(slots_[from]), [](const Slot &) { return false; });
        larger.slots_[to] = slots_[from];
        moved(from, to);
      }
    *this = std::move(larger);
  }
  template <typename HashOf> void grow(const HashOf &hash_of) {
    grow(hash_of, [](std::size_t, std::size_t) {});
  }

  // Forgets all; the memory stays.
  void clear() { std::ranges::fill(slots_, Slot{}); }

private:
  std::vector<Slot> slots_;
};

} // namespace runoff::base
