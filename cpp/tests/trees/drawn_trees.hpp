// Trees for tests, with memory of their own.
#pragma once

#include "runoff/trees/trees.hpp"

#include <cstdint>
#include <random>
#include <vector>

struct DrawnTrees {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> labels;
  std::vector<std::uint16_t> depths;

  void add(const std::vector<std::uint32_t> &own_labels,
           const std::vector<std::uint16_t> &own_depths) {
    labels.insert(labels.end(), own_labels.begin(), own_labels.end());
    depths.insert(depths.end(), own_depths.begin(), own_depths.end());
    offsets.push_back(static_cast<std::int64_t>(labels.size()));
  }

  // A random tree of at most so many nodes, with labels below so many.
  void draw(std::mt19937 &random, std::size_t most, std::size_t kinds) {
    std::vector<std::uint32_t> own_labels;
    std::vector<std::uint16_t> own_depths;
    for (std::size_t size = 1 + random() % most; own_labels.size() < size;) {
      own_labels.push_back(static_cast<std::uint32_t>(random() % kinds));
      own_depths.push_back(
          own_depths.empty()
              ? std::uint16_t{0}
              : static_cast<std::uint16_t>(1 + random() % (std::size_t{own_depths.back()} + 1)));
    }
    add(own_labels, own_depths);
  }

  runoff::trees::Trees trees() const { return {offsets, labels, depths}; }
};
