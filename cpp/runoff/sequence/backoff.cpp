#include "runoff/sequence/backoff.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace runoff::sequence {

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

std::uint64_t key_of(std::uint32_t node, std::uint32_t symbol) {
  return std::uint64_t{node} << 32 | symbol;
}

std::uint64_t hash(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15; // 2^64 over the golden ratio: spreads neighbours
  return key ^ key >> 32;
}

} // namespace

Backoff::Table::Table(std::size_t entries) : slots_(std::bit_ceil(2 * entries + 2)) {}

void Backoff::Table::insert(std::uint32_t node, std::uint32_t symbol, std::uint32_t value) {
  const auto key = key_of(node, symbol);
  auto &slot = slots_[slots_.place(hash(key), [&](const Slot &one) { return one.key == key; })];
  require(slot.is_free(), "a history, or a symbol behind one, comes twice");
  slot = {key, value};
}

std::uint32_t Backoff::Table::find(std::uint32_t node, std::uint32_t symbol) const {
  const auto key = key_of(node, symbol);
  return slots_[slots_.place(hash(key), [&](const Slot &one) { return one.key == key; })].value;
}

Backoff::Backoff(const BackoffCounts &counts)
    : children_(counts.parents.size()), events_(counts.event_nodes.size()),
      root_counts_(counts.n_roots * counts.n_symbols), n_roots_(counts.n_roots),
      n_symbols_(counts.n_symbols), nodes_(counts.n_roots, Node{none}) {
  require(counts.nodes() < none, "there are too many histories");
  require(counts.symbols.size() == counts.parents.size() &&
              counts.event_symbols.size() == counts.event_nodes.size() &&
              counts.event_counts.size() == counts.event_nodes.size(),
          "histories and what is behind them must have one entry each in their arrays");
  std::vector<std::size_t> lengths(counts.n_roots, 0);
  for (std::size_t i = 0; i < counts.parents.size(); ++i) {
    require(counts.parents[i] < nodes_.size(), "a history comes before the one it extends");
    require(counts.symbols[i] < counts.n_symbols, "a history has a symbol that is not there");
    children_.insert(counts.parents[i], counts.symbols[i],
                     static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({counts.parents[i]});
    lengths.push_back(lengths[counts.parents[i]] + 1);
    require(lengths.back() <= longest, "a history is too long");
  }
  for (std::size_t i = 0; i < counts.event_nodes.size(); ++i) {
    const auto node = counts.event_nodes[i], count = counts.event_counts[i];
    require(node < nodes_.size(), "a count is of a history that is not there");
    require(counts.event_symbols[i] < counts.n_symbols, "a count is of a symbol that is not there");
    require(count > 0 && count < none, "a count must be at least 1");
    events_.insert(node, counts.event_symbols[i], count);
    if (node < counts.n_roots)
      root_counts_[node * n_symbols_ + counts.event_symbols[i]] = count;
    nodes_[node].total += count;
    nodes_[node].different += 1.0;
  }
  for (auto &node : nodes_)
    node.share = 1.0 / std::max(node.total + node.different, 1.0);
}

double Backoff::probability(std::uint32_t node, std::uint32_t symbol, double base) const {
  std::array<std::uint32_t, longest + 1> chain;
  std::array<double, longest + 1> weights; // w, times what longer histories leave of it
  std::size_t length = 0;
  double left = 1.0, longer = 0.0;
  for (; node != none; node = nodes_[node].parent, ++length) {
    const Node &own = nodes_[node];
    chain[length] = node;
    weights[length] = left * std::max(own.total - longer, 0.0) * own.share;
    left -= weights[length];
    longer = std::max(longer, own.total);
  }
  double found = left * base;
  for (std::size_t i = length; i-- > 0;) { // what is unseen behind a history is so behind longer
    const auto count = chain[i] < n_roots_ ? root_counts_[chain[i] * n_symbols_ + symbol]
                                           : events_.find(chain[i], symbol);
    if (count == 0 || count == none)
      break;
    found += weights[i] * count / nodes_[chain[i]].total;
  }
  return found;
}

} // namespace runoff::sequence
