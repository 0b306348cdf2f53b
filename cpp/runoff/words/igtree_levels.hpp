// The nodes of a tree while it grows, level by level.
#pragma once

#include "runoff/base/memory.hpp"
#include "runoff/words/igtree.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace runoff::words {

using Array = std::vector<std::uint32_t>;

// An array that grows in blocks, so that nothing is copied and no memory is left over.
class Pile {
public:
  void append(std::span<const std::uint32_t> more) {
    while (!more.empty()) {
      if (blocks_.empty() || blocks_.back().size() == block)
        blocks_.emplace_back().reserve(block);
      const auto some = more.first(std::min(more.size(), block - blocks_.back().size()));
      blocks_.back().insert(blocks_.back().end(), some.begin(), some.end());
      more = more.subspan(some.size());
      size_ += some.size();
    }
  }
  std::size_t size() const { return size_; }
  // Adds everything to an array, and gives the memory back.
  void move_to(Array &all) {
    for (auto &one : blocks_) {
      all.insert(all.end(), one.begin(), one.end());
      one = {};
    }
    *this = {};
  }

private:
  static constexpr std::size_t block = 1 << 16;
  std::vector<Array> blocks_;
  std::size_t size_ = 0;
};

// What is known of nodes; `children` and `sizes` are how many children and entries each has.
template <typename Column> struct Columns {
  Column values, children, totals, kinds, sizes, classes, counts;
};

// Nodes that are being collected.
struct Siblings : Columns<Array> {
  void clear() {
    for (auto *array : {&values, &children, &totals, &kinds, &sizes, &classes, &counts})
      array->clear();
  }
  // Takes back the last node.
  void drop() {
    const auto entries = sizes.back();
    classes.resize(classes.size() - entries);
    counts.resize(counts.size() - entries);
    for (auto *array : {&values, &children, &totals, &kinds, &sizes})
      array->pop_back();
  }
};

// All nodes of a level.
struct Level : Columns<Pile> {
  void append(const Siblings &nodes) {
    values.append(nodes.values);
    children.append(nodes.children);
    totals.append(nodes.totals);
    kinds.append(nodes.kinds);
    sizes.append(nodes.sizes);
    classes.append(nodes.classes);
    counts.append(nodes.counts);
  }
};

// All levels of a tree.
class Levels {
public:
  explicit Levels(std::size_t levels) : levels_(levels) {}

  Level &operator[](std::size_t depth) { return levels_[depth]; }

  // The nodes of all levels end to end; the levels give their memory back.
  IGTreeNodes joined() {
    IGTreeNodes nodes;
    nodes.values = joined(&Level::values);
    nodes.children = offsets(joined(&Level::children), 1);
    nodes.totals = joined(&Level::totals);
    nodes.kinds = joined(&Level::kinds);
    nodes.entries = offsets(joined(&Level::sizes), 0);
    nodes.classes = joined(&Level::classes);
    nodes.counts = joined(&Level::counts);
    return nodes;
  }

private:
  // One array of all levels end to end; those of the levels are given back.
  Array joined(Pile Level::*array) {
    std::size_t size = 0;
    for (const auto &level : levels_)
      size += (level.*array).size();
    if (size >= std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("the tree has more nodes than 32 bits can count");
    Array all;
    all.reserve(size + 1);
    for (auto &level : levels_)
      (level.*array).move_to(all);
    base::trim_memory();
    return all;
  }

  // Where each node's share begins, from how much each has; the last entry is the end.
  static Array offsets(Array sizes, std::uint32_t begin) {
    for (auto &size : sizes)
      size = std::exchange(begin, begin + size);
    sizes.push_back(begin);
    return sizes;
  }

  std::vector<Level> levels_;
};

} // namespace runoff::words
