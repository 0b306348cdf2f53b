#include "runoff/words/class_counter.hpp"
#include "runoff/words/igtree_levels.hpp"

#include <numeric>

namespace runoff::words {
namespace {

constexpr std::size_t radix_from = 1 << 12; // shorter ranges are sorted by comparing
constexpr unsigned radix_bits = 11;

// Places of classes in the order that settles ties: frequent ones first, then those seen first.
std::vector<std::uint32_t> class_ranks(const Windows &windows, std::size_t n_symbols,
                                       const base::Poll &poll) {
  ClassCounter counter(n_symbols);
  count_classes(windows, poll, counter);
  auto &order = counter.seen();
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return counter.count(a) > counter.count(b);
  });
  std::vector<std::uint32_t> ranks(n_symbols);
  for (std::size_t i = 0; i < order.size(); ++i)
    ranks[order[i]] = static_cast<std::uint32_t>(i);
  return ranks;
}

class Grower {
public:
  Grower(const Windows &windows, std::span<const std::uint32_t> order, std::size_t n_symbols,
         const IGTreeOptions &options, const base::Poll &poll)
      : windows_(windows), order_(order), options_(options), poll_(poll), counter_(n_symbols),
        ranks_(class_ranks(windows, n_symbols, poll)), levels_(order.size() + 1),
        siblings_(order.size() + 1) {
    while (n_symbols >> bits_ != 0)
      ++bits_;
  }

  IGTreeNodes run() {
    count_classes(windows_, poll_, counter_);
    const bool ends = describe(windows_.size(), 0, siblings_[0]) || order_.empty();
    if (!ends)
      take_shard();
    branch(0, keys_.size(), 0);
    levels_[0].append(siblings_[0]);
    keys_ = {};
    base::trim_memory(); // blocks lie scattered, so nothing larger fits there
    return levels_.joined();
  }

private:
  static std::uint32_t place(std::uint64_t key) { return static_cast<std::uint32_t>(key); }
  static std::uint32_t value(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

  // Examples below the root, which are those of the shard.
  void take_shard() {
    const auto inside = [&](std::uint32_t at) {
      const std::size_t tested = windows_.value(at, order_[0]);
      return tested >= options_.first && tested < options_.last;
    };
    std::size_t size = 0;
    for_places(windows_, poll_, [&](std::uint32_t at) { size += inside(at); });
    keys_.reserve(size);
    for_places(windows_, poll_, [&](std::uint32_t at) {
      if (inside(at))
        keys_.push_back(at);
    });
  }

  // Adds the node of a range of examples to its siblings, and all that is below it to the levels.
  void grow(std::size_t begin, std::size_t end, std::size_t depth, std::uint32_t tested) {
    count_polled(end - begin);
    for (std::size_t i = begin; i < end; ++i)
      counter_.add(windows_.cells[place(keys_[i])]);
    const bool ends = describe(end - begin, tested, siblings_[depth]) || depth == order_.size();
    branch(begin, ends ? begin : end, depth);
  }

  // Adds what is below the last node of a depth, and how many children that has.
  void branch(std::size_t begin, std::size_t end, std::size_t depth) {
    auto &own = siblings_[depth];
    if (begin == end) {
      own.children.push_back(0);
      return;
    }
    const auto cls = own.classes[own.classes.size() - own.sizes.back()];
    sort(begin, end, order_[depth]);
    auto &below = siblings_[depth + 1];
    for (std::size_t i = begin; i < end;) {
      const auto shared = value(keys_[i]);
      std::size_t j = i + 1;
      while (j < end && value(keys_[j]) == shared)
        ++j;
      grow_child(i, j, depth + 1, shared, cls);
      i = j;
    }
    own.children.push_back(static_cast<std::uint32_t>(below.values.size()));
    levels_[depth + 1].append(below);
    below.clear();
  }

  void grow_child(std::size_t begin, std::size_t end, std::size_t depth, std::uint32_t tested,
                  std::uint32_t above) {
    auto &level = siblings_[depth];
    if (options_.prune && end - begin == 1 && windows_.cells[place(keys_[begin])] == above)
      return;
    grow(begin, end, depth, tested);
    const auto own = level.classes[level.classes.size() - level.sizes.back()];
    if (options_.prune && level.children.back() == 0 && own == above)
      level.drop();
  }

  // Writes what a node knows of the examples that were counted, and says whether they are of one
  // class.
  bool describe(std::size_t total, std::uint32_t tested, Siblings &level) {
    auto &seen = counter_.seen();
    const auto kept = std::min(seen.size(), options_.top);
    std::partial_sort(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(kept), seen.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                        const auto x = counter_.count(a), y = counter_.count(b);
                        return x != y ? x > y : ranks_[a] < ranks_[b];
                      });
    for (std::size_t i = 0; i < kept; ++i) {
      level.classes.push_back(seen[i]);
      level.counts.push_back(counter_.count(seen[i]));
    }
    level.values.push_back(tested);
    level.totals.push_back(static_cast<std::uint32_t>(total));
    level.kinds.push_back(static_cast<std::uint32_t>(seen.size()));
    level.sizes.push_back(static_cast<std::uint32_t>(kept));
    const bool one_class = seen.size() < 2;
    counter_.clear();
    return one_class;
  }

  // Puts a range in order of a feature's values.
  void sort(std::size_t begin, std::size_t end, std::size_t feature) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = place(keys_[i]);
      keys_[i] = std::uint64_t{windows_.value(at, feature)} << 32 | at;
    }
    if (end - begin < radix_from) {
      std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                keys_.begin() + static_cast<std::ptrdiff_t>(end));
      return;
    }
    std::vector<std::uint64_t> spare(end - begin);
    for (unsigned shift = 0; shift < bits_; shift += radix_bits) {
      poll_();
      sort_by_digit(std::span(keys_).subspan(begin, end - begin), spare, 32 + shift);
    }
  }

  static void sort_by_digit(std::span<std::uint64_t> keys, std::span<std::uint64_t> spare,
                            unsigned shift) {
    constexpr std::size_t digits = std::size_t{1} << radix_bits;
    std::vector<std::size_t> at(digits + 1);
    for (const auto key : keys)
      ++at[(key >> shift) % digits + 1];
    std::partial_sum(at.begin(), at.end(), at.begin());
    for (const auto key : keys)
      spare[at[(key >> shift) % digits]++] = key;
    std::copy(spare.begin(), spare.end(), keys.begin());
  }

  void count_polled(std::size_t examples) {
    since_poll_ += examples;
    if (since_poll_ >= examples_per_poll) {
      poll_();
      since_poll_ = 0;
    }
  }

  const Windows &windows_;
  std::span<const std::uint32_t> order_;
  IGTreeOptions options_;
  const base::Poll &poll_;
  ClassCounter counter_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint64_t> keys_; // the value of a feature and the place of an example
  Levels levels_;
  std::vector<Siblings> siblings_; // by depth
  unsigned bits_ = 0;              // of a value
  std::size_t since_poll_ = 0;
};

} // namespace

IGTreeNodes grow_igtree(const Windows &windows, std::span<const std::uint32_t> order,
                        std::size_t n_symbols, const IGTreeOptions &options,
                        const base::Poll &poll) {
  if (windows.places.empty())
    throw std::invalid_argument("a tree needs at least one example");
  for (const auto feature : order)
    if (feature >= windows.shifts.size())
      throw std::invalid_argument("order names a feature that is not there");
  return Grower(windows, order, n_symbols, options, poll).run();
}

} // namespace runoff::words
