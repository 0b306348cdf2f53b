#include "runoff/base/hash_index.hpp"

#include "tests/check.hpp"

#include <set>

using runoff::base::HashIndex;
using runoff::base::NumberSlot;
using runoff::base::ThreeQuartersFull;

namespace {

// Numbers keys in the order in which they come, by a hash that is given.
template <typename Growth, typename Hash> class Numbers {
public:
  Numbers(std::size_t slots, Hash hash) : index(slots), hash_(hash) {}

  std::uint32_t add(std::uint64_t key) {
    const auto at = place(key);
    if (!index[at].is_free())
      return index[at].number;
    if (!index.fits(keys_.size() + 1))
      index.grow([this](NumberSlot slot) { return hash_(keys_[slot.number]); });
    const auto number = static_cast<std::uint32_t>(keys_.size());
    index[place(key)].number = number;
    keys_.push_back(key);
    return number;
  }
  std::uint32_t find(std::uint64_t key) const { return index[place(key)].number; }

  HashIndex<NumberSlot, Growth> index;

private:
  std::size_t place(std::uint64_t key) const {
    return index.place(hash_(key), [&](NumberSlot slot) { return keys_[slot.number] == key; });
  }

  Hash hash_;
  std::vector<std::uint64_t> keys_;
};

template <typename Growth, typename Hash> void numbers_count_up(Hash hash) {
  Numbers<Growth, Hash> numbers(2, hash);
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t key = 0; key < 300; ++key)
      CHECK(numbers.add(7 * key) == key);
  CHECK(numbers.find(1) == NumberSlot::none);
  CHECK(Growth::fits(300, numbers.index.size()) && !Growth::fits(300, numbers.index.size() / 2));
}

void entries_are_found_whatever_the_hash() {
  const auto identity = [](std::uint64_t key) { return key; };
  const auto all_alike = [](std::uint64_t) { return ~std::uint64_t{0}; }; // begins at the last slot
  const auto high_bits = [](std::uint64_t key) { return key << 60; };
  numbers_count_up<runoff::base::HalfFull>(identity);
  numbers_count_up<runoff::base::HalfFull>(all_alike);
  numbers_count_up<ThreeQuartersFull>(identity);
  numbers_count_up<ThreeQuartersFull>(high_bits);
}

void an_index_is_never_fuller_than_it_may_be() {
  const HashIndex<NumberSlot> half(16);
  CHECK(half.fits(8) && !half.fits(9));
  const HashIndex<NumberSlot, ThreeQuartersFull> more(16);
  CHECK(more.fits(12) && !more.fits(13));
}

void what_is_beside_the_slots_moves_along() {
  HashIndex<NumberSlot> index(4);
  std::vector<std::uint32_t> beside(4);
  const auto all = [](NumberSlot) { return false; };
  for (const std::uint32_t number : {3U, 7U}) { // the same slot of four, but not of eight
    const auto at = index.place(number, all);
    index[at].number = beside[at] = number;
  }
  std::vector<std::uint32_t> moved(8);
  std::set<std::size_t> places;
  index.grow([](NumberSlot slot) { return slot.number; },
             [&](std::size_t from, std::size_t to) {
               moved[to] = beside[from];
               places.insert(to);
             });
  CHECK(index.size() == 8 && (places == std::set<std::size_t>{3, 7}));
  CHECK(moved[3] == 3 && moved[7] == 7 && index[3].number == 3 && index[7].number == 7);
}

void what_is_forgotten_is_not_found() {
  HashIndex<NumberSlot> index(8);
  index[5].number = 1;
  CHECK(!index.first(5).is_free() && !index.first(13).is_free() && index.first(6).is_free());
  index.clear();
  CHECK(index.first(5).is_free() && index.size() == 8);
}

} // namespace

int main() {
  entries_are_found_whatever_the_hash();
  an_index_is_never_fuller_than_it_may_be();
  what_is_beside_the_slots_moves_along();
  what_is_forgotten_is_not_found();
  return check::result();
}
