// IGTree: a trie over symbolic features in the order of their information gain (Daelemans, Van den
// Bosch & Weijters 1997; Van den Bosch 2006, section 2.3).
//
// Examples are windows over an array of cells, so that a text is never copied: example e has its
// class in cells[places[e]] and the value of feature i in cells[places[e] + shifts[i]]. A table is
// the same thing, with a class and its features a row.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace runoff::words {

struct Windows {
  std::span<const std::uint32_t> cells;
  std::span<const std::uint32_t> places; // of the examples
  std::span<const std::int32_t> shifts;  // of the features

  std::size_t size() const { return places.size(); }
  std::uint32_t value(std::uint32_t place, std::size_t feature) const {
    return cells[static_cast<std::size_t>(place + std::int64_t{shifts[feature]})];
  }

  // Throws std::invalid_argument unless every window lies inside the cells. Time is linear in the
  // number of examples.
  void check() const;
};

// Throws unless all cells are below n_symbols.
void check_symbols(const Windows &windows, std::size_t n_symbols);

// H(C) - sum over v of P(v) H(C|v) in bits, of every feature. Time is linear in examples times
// features; each thread takes eight bytes an example.
std::vector<double> information_gain(const Windows &windows, std::size_t n_symbols,
                                     const base::Threads &threads = {});

// The nodes of a tree, level by level; node 0 is the root. Children of node i are the nodes
// [children[i], children[i + 1]), rising by value. Its most frequent classes are the entries
// [entries[i], entries[i + 1]), the most frequent first.
struct IGTreeNodes {
  std::vector<std::uint32_t> values;   // of the feature that is tested on the way to the node
  std::vector<std::uint32_t> children; // nodes + 1
  std::vector<std::uint32_t> totals;   // examples
  std::vector<std::uint32_t> kinds;    // different classes of these
  std::vector<std::uint32_t> entries;  // nodes + 1
  std::vector<std::uint32_t> classes, counts;
};

struct IGTreeOptions {
  std::size_t top = 1; // classes that a node keeps, at most
  bool prune = true;   // leave out ends that say what the node above them says
  // Below the root only values of the first feature in [first, last) are gone into; the root knows
  // all examples. Trees of ranges that follow each other are the whole tree, cut into shards.
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
};

// Grows the tree whose level d tests the feature order[d]. A node whose examples are of one class
// ends. Of classes that are equally frequent the one that is more frequent overall comes first,
// then the one that was seen first. Memory is 16 bytes an example of the shard, and 8 once there
// are nodes.
IGTreeNodes grow_igtree(const Windows &windows, std::span<const std::uint32_t> order,
                        std::size_t n_symbols, const IGTreeOptions &options,
                        const base::Poll &poll);

// A tree in the caller's memory. What it holds is checked on the way, so that a broken file throws
// and opening one reads nothing.
class IGTree {
public:
  struct Arrays {
    std::span<const std::uint32_t> values, children, totals, kinds, entries, classes, counts;
  };

  // Throws unless the sizes of the arrays fit together.
  IGTree(const Arrays &arrays, std::span<const std::uint32_t> order);

  std::size_t levels() const { return order_.size(); }

  // The node where matching fails, of every example.
  void match(const Windows &windows, std::span<std::uint32_t> nodes,
             const base::Threads &threads) const;

  // The first class of nodes.
  void first_classes(std::span<const std::uint32_t> nodes, std::span<std::uint32_t> classes) const;

  struct Lists {
    std::vector<std::int64_t> offsets; // examples + 1
    std::vector<std::uint32_t> classes;
    std::vector<double> probabilities;
  };

  // At most n classes of every example, the most probable first. A node's classes lose `discount`
  // occurrences each to the distribution of the node above: p(c) = max(count - discount, 0) / total
  // + discount kinds / total p'(c). Equal classes keep the order in which they are met from the
  // matching node upwards. What nodes have not kept is given to nobody.
  Lists n_best(const Windows &windows, std::size_t n, double discount,
               const base::Threads &threads) const;

private:
  struct Range {
    std::size_t begin, end;
  };

  std::size_t path(const Windows &windows, std::size_t example,
                   std::span<std::uint32_t> nodes) const;
  Range children_of(std::size_t node) const;
  Range entries_of(std::size_t node) const;

  Arrays tree_;
  std::vector<std::uint32_t> order_;
};

} // namespace runoff::words
