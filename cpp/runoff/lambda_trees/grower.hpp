// Grows shallow regression trees on slopes, with the histograms of binned columns.
#pragma once

#include "runoff/lambda_trees/lambdas.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::lambda_trees {

using Bin = std::uint8_t;
constexpr std::size_t most_bins = 256;

struct Growth {
  std::size_t leaves = 8;
  std::size_t least_rows = 20; // in a leaf
  double l2 = 1;               // added to second derivatives
  double rate = 0.1;           // values are multiplied by it
};

// A node of a tree that grows: see `Trees`; cuts are bins, the last of the lower side.
struct Node {
  std::uint32_t column = 0, above = 0;
  Bin cut = 0;
  double value = 0;
};

// One tree after the other over the same columns. A node's histogram has, of each bin of each
// column, the sums of its rows; the larger child's is the difference of its parent's and the
// smaller child's.
class Grower {
public:
  // `bins` has the columns one after the other, each with a number per row.
  Grower(std::span<const Bin> bins, std::size_t rows, const Growth &growth);

  // A tree on some rows and columns, in preorder.
  std::vector<Node> grow(std::vector<std::uint32_t> rows, std::span<const std::uint32_t> columns,
                         std::span<const Slope> slopes);

  // Adds the value of the leaf that each row reaches.
  void add_scores(std::span<const Node> tree, std::span<double> scores) const;

private:
  struct Sums {
    double first = 0, second = 0;
    std::size_t rows = 0;
  };
  struct Split {
    double gain = 0;
    std::size_t place = 0; // of the column among those of the tree
    Bin cut = 0;
  };
  struct Leaf {
    std::size_t begin, end; // of its rows
    Sums sums;
    std::vector<Sums> histogram;
    Split split;
    std::size_t low = 0, high = 0; // its children, once it is split
  };

  void count(Leaf &leaf, std::span<const Slope> slopes);
  void find_split(Leaf &leaf) const;
  void split(std::size_t number, std::span<const Slope> slopes);
  void write(std::size_t number, std::vector<Node> &tree) const;
  double loss_saved(const Sums &sums) const {
    return sums.first * sums.first / (sums.second + growth_.l2);
  }

  std::span<const Bin> bins_;
  std::size_t n_rows_;
  Growth growth_;
  std::vector<std::uint32_t> rows_, scratch_;
  std::span<const std::uint32_t> columns_;
  std::vector<Leaf> leaves_;
};

} // namespace runoff::lambda_trees
