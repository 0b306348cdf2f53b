#include "runoff/translation/symmetrisation.hpp"

#include "runoff/base/at.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::translation {

using base::at;

namespace {

// The links of a sentence pair while they grow.
class Grid {
public:
  Grid(std::span<const std::int32_t> forward, std::span<const std::int32_t> backward)
      : forward_(forward), backward_(backward), cells_(forward.size() * backward.size()),
        sources_(backward.size()), targets_(forward.size()) {}

  bool is_forward(std::size_t i, std::size_t j) const { return forward_[j] == static_cast<int>(i); }
  bool is_backward(std::size_t i, std::size_t j) const {
    return backward_[i] == static_cast<int>(j);
  }
  bool has(std::size_t i, std::size_t j) const { return cells_[i * forward_.size() + j] != 0; }
  bool source_free(std::size_t i) const { return sources_[i] == 0; }
  bool target_free(std::size_t j) const { return targets_[j] == 0; }

  void add(std::size_t i, std::size_t j) {
    cells_[i * forward_.size() + j] = 1;
    sources_[i] = targets_[j] = 1;
  }

  // Adds what a rule says of the links of one direction, or both, in the order of their places.
  template <typename Rule> bool add_if(const Rule &rule) {
    bool added = false;
    for (std::size_t i = 0; i < backward_.size(); ++i)
      for (std::size_t j = 0; j < forward_.size(); ++j)
        if (!has(i, j) && rule(i, j)) {
          add(i, j);
          added = true;
        }
    return added;
  }

  bool has_neighbour(std::size_t i, std::size_t j) const {
    for (std::size_t a = i == 0 ? 0 : i - 1; a < std::min(i + 2, backward_.size()); ++a)
      for (std::size_t b = j == 0 ? 0 : j - 1; b < std::min(j + 2, forward_.size()); ++b)
        if ((a != i || b != j) && has(a, b))
          return true;
    return false;
  }

  std::vector<Link> links() const {
    std::vector<Link> found;
    for (std::size_t i = 0; i < backward_.size(); ++i)
      for (std::size_t j = 0; j < forward_.size(); ++j)
        if (has(i, j))
          found.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
    return found;
  }

private:
  std::span<const std::int32_t> forward_, backward_;
  std::vector<std::uint8_t> cells_, sources_, targets_;
};

void check_places(std::span<const std::int32_t> places, std::size_t size) {
  for (const std::int32_t place : places)
    if (place < -1 || (place >= 0 && at(place) >= size))
      throw std::invalid_argument("a link lies outside its sentence");
}

} // namespace

std::vector<Link> symmetrise(std::span<const std::int32_t> forward,
                             std::span<const std::int32_t> backward, Symmetrisation how) {
  check_places(forward, backward.size());
  check_places(backward, forward.size());
  Grid grid(forward, backward);
  if (how == Symmetrisation::union_) {
    grid.add_if([&](auto i, auto j) { return grid.is_forward(i, j) || grid.is_backward(i, j); });
    return grid.links();
  }
  grid.add_if([&](auto i, auto j) { return grid.is_forward(i, j) && grid.is_backward(i, j); });
  if (how == Symmetrisation::intersection)
    return grid.links();
  while (grid.add_if([&](auto i, auto j) {
    return (grid.is_forward(i, j) || grid.is_backward(i, j)) &&
           (grid.source_free(i) || grid.target_free(j)) && grid.has_neighbour(i, j);
  })) {
  }
  const auto both_free = [&](auto i, auto j) { return grid.source_free(i) && grid.target_free(j); };
  grid.add_if([&](auto i, auto j) { return grid.is_forward(i, j) && both_free(i, j); });
  grid.add_if([&](auto i, auto j) { return grid.is_backward(i, j) && both_free(i, j); });
  return grid.links();
}

} // namespace runoff::translation
