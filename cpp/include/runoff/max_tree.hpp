// The largest of many keys that change a few at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff {

// A tournament with sixteen players a match. Changing a key costs one comparison where it neither
// wins nor stops winning its first match, and O(log n) at most. Ties go to the lower name.
class MaxTree {
public:
  static constexpr std::size_t fan_out = 16;

  // names: what breaks ties, one for each key; kept by the caller. All keys are 0 at first.
  explicit MaxTree(std::span<const std::uint32_t> names) : names_(names), keys_(names.size(), 0.0) {
    for (std::size_t size = keys_.size(); size > 1; size = levels_.back().size())
      levels_.emplace_back((size + fan_out - 1) / fan_out);
    build();
  }

  double key(std::size_t place) const { return keys_[place]; }
  bool empty() const { return keys_.empty(); }

  // The place of the largest key.
  std::size_t top() const { return levels_.empty() ? 0 : levels_.back().front(); }

  // Sets all keys: key(place) is asked for each.
  template <typename Key> void assign(Key key) {
    for (std::size_t place = 0; place < keys_.size(); ++place)
      keys_[place] = key(place);
    build();
  }

  void change(std::size_t place, double key) {
    const double before = keys_[place];
    keys_[place] = key;
    std::size_t node = place;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      node /= fan_out;
      auto &winner = levels_[level][node];
      if (winner != place) {
        if (!beats(place, winner))
          return;
        winner = static_cast<std::uint32_t>(place);
      } else if (key < before) {
        winner = match(level, node);
      }
    }
  }

private:
  bool beats(std::size_t one, std::size_t other) const {
    return keys_[one] > keys_[other] || (keys_[one] == keys_[other] && names_[one] < names_[other]);
  }

  std::uint32_t match(std::size_t level, std::size_t node) const {
    const std::size_t players = level == 0 ? keys_.size() : levels_[level - 1].size();
    const std::size_t first = node * fan_out;
    const std::size_t last = first + fan_out < players ? first + fan_out : players;
    const auto player = [&](std::size_t at) {
      return level == 0 ? static_cast<std::uint32_t>(at) : levels_[level - 1][at];
    };
    std::uint32_t winner = player(first);
    for (std::size_t at = first + 1; at < last; ++at)
      if (beats(player(at), winner))
        winner = player(at);
    return winner;
  }

  void build() {
    for (std::size_t level = 0; level < levels_.size(); ++level)
      for (std::size_t node = 0; node < levels_[level].size(); ++node)
        levels_[level][node] = match(level, node);
  }

  std::span<const std::uint32_t> names_;
  std::vector<double> keys_;
  std::vector<std::vector<std::uint32_t>> levels_; // the winner of each match
};

} // namespace runoff
