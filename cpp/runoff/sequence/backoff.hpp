// Probabilities of symbols behind a history, interpolated with those behind shorter histories, with
// the weights of Nymble (Bikel, Miller, Schwartz & Weischedel 1997, section 3.3).
#pragma once

#include "runoff/base/hash_index.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::sequence {

// Histories as a trie, and what was counted behind them. The first n_roots nodes are empty
// histories; node n_roots + i is that of parents[i] with one more symbol, symbols[i], before it.
// Event i is `count` occurrences of a symbol behind a node. The memory belongs to the caller.
struct BackoffCounts {
  std::size_t n_roots, n_symbols;
  std::span<const std::uint32_t> parents, symbols;
  std::span<const std::uint32_t> event_nodes, event_symbols, event_counts;

  std::size_t nodes() const { return n_roots + parents.size(); }
};

class Backoff {
public:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t longest = 15; // symbols of a history

  // Copies what it is given; time is linear. Throws std::invalid_argument unless parents come
  // before their children, symbols are known, counts are positive and nothing comes twice.
  explicit Backoff(const BackoffCounts &counts);

  std::size_t nodes() const { return nodes_.size(); }
  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; } // of roots, `none`

  // The node of a history with one more symbol before it; `none` if it was never seen.
  std::uint32_t child(std::uint32_t node, std::uint32_t symbol) const {
    return children_.find(node, symbol);
  }

  // Goes to the node of one more symbol, if it was seen.
  bool lengthen(std::uint32_t &node, std::uint32_t symbol) const {
    const auto longer = child(node, symbol);
    node = longer == none ? node : longer;
    return longer != none;
  }

  // P(symbol | history of the node): w c / n + (1 - w) p, where c of the n symbols behind the
  // history are this one, and p is that of the history one symbol shorter, in the end `base`.
  //   w = (1 - n' / n) / (1 + u / n),
  // where u different symbols were seen, and n' is the n of the longer history that this one
  // stands in for, 0 for the node itself. So a history that says no more than the one before it has
  // no weight. Time is linear in the length of the history, or of the longest part of it behind
  // which the symbol was seen.
  double probability(std::uint32_t node, std::uint32_t symbol, double base) const;

private:
  // Numbers by node and symbol.
  class Table {
  public:
    explicit Table(std::size_t entries);
    void insert(std::uint32_t node, std::uint32_t symbol, std::uint32_t value);
    std::uint32_t find(std::uint32_t node, std::uint32_t symbol) const;

  private:
    struct Slot {
      std::uint64_t key = 0;
      std::uint32_t value = none;
      bool is_free() const { return value == none; }
    };
    base::HashIndex<Slot> slots_;
  };

  Table children_, events_;
  std::vector<std::uint32_t> root_counts_; // [root][symbol]: events that are asked for most
  std::size_t n_roots_, n_symbols_;
  struct Node {
    std::uint32_t parent;
    double total = 0.0, different = 0.0, share = 0.0; // n, u, and 1 / (n + u)
  };
  std::vector<Node> nodes_;
};

} // namespace runoff::sequence
