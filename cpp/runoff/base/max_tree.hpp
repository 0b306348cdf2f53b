// The largest of many keys that change a few at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::base {

// A tournament with sixteen players a match. Keys are not kept but asked for: key(place); and,
// because that may be cheaper, key.is_below(place, other), which may say no where it is hard to
// tell. key.prefetch(place) hints that a key will be asked for. A change costs one comparison where
// the place neither wins nor has won its first match, and O(log n) at most. Ties go to the lower
// name.
class MaxTree {
public:
  static constexpr std::size_t fan_out = 16;

  // names: what breaks ties, one for each place; kept by the caller.
  explicit MaxTree(std::span<const std::uint32_t> names) : names_(names) {
    for (std::size_t size = names.size(); size > 0; size = size == 1 ? 0 : levels_.back().size())
      levels_.emplace_back((size + fan_out - 1) / fan_out);
  }

  bool empty() const { return levels_.empty(); }
  // The place with the largest key, and that key.
  std::size_t top() const { return levels_.back().front().place; }
  double top_key() const { return levels_.back().front().key; }

  // All keys may have changed.
  template <typename Key> void build(const Key &key) {
    for (std::size_t level = 0; level < levels_.size(); ++level)
      for (std::size_t node = 0; node < levels_[level].size(); ++node)
        levels_[level][node] = match(level, node, key);
  }

  // The keys of these places may have changed.
  template <typename Key> void change(std::span<const std::uint32_t> places, const Key &key) {
    constexpr std::size_t ahead = 8; // matches that are fetched in advance
    for (std::size_t at = 0; at < places.size(); ++at) {
      if (at + ahead < places.size()) {
        __builtin_prefetch(&levels_.front()[places[at + ahead] / fan_out], 1);
        key.prefetch(places[at + ahead]);
      }
      change(places[at], key);
    }
  }

private:
  struct Winner {
    double key;
    std::uint32_t place;
  };

  bool beats(const Winner &one, const Winner &other) const {
    return one.key > other.key || (one.key == other.key && names_[one.place] < names_[other.place]);
  }

  template <typename Key> void change(std::uint32_t place, const Key &key) {
    std::size_t node = place;
    const Winner &first = levels_.front()[place / fan_out];
    if (first.place != place && key.is_below(place, first.key))
      return;
    Winner mine{key(place), place};
    std::uint32_t before = place; // who stood here until now
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      node /= fan_out;
      Winner &winner = levels_[level][node];
      const Winner was = winner;
      if (was.place == before) {
        if (mine.place == before && mine.key >= was.key)
          winner = mine;
        else
          winner = mine = match(level, node, key);
      } else if (beats(mine, was)) {
        winner = mine;
      } else {
        return;
      }
      before = was.place;
    }
  }

  template <typename Key> Winner match(std::size_t level, std::size_t node, const Key &key) const {
    const std::size_t players = level == 0 ? names_.size() : levels_[level - 1].size();
    const std::size_t first = node * fan_out;
    const std::size_t last = first + fan_out < players ? first + fan_out : players;
    const auto player = [&](std::size_t at) {
      return level == 0 ? Winner{key(at), static_cast<std::uint32_t>(at)} : levels_[level - 1][at];
    };
    Winner winner = player(first);
    for (std::size_t at = first + 1; at < last; ++at)
      if (const Winner other = player(at); beats(other, winner))
        winner = other;
    return winner;
  }

  std::span<const std::uint32_t> names_;
  std::vector<std::vector<Winner>> levels_;
};

} // namespace runoff::base
