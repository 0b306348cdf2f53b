#include "runoff/sequence/hmm.hpp"

#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::sequence {

namespace {

constexpr std::size_t sentences_per_block = 16;

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

} // namespace

Hmm::Hmm(std::size_t n_classes, std::size_t order, std::span<const std::uint32_t> kinds,
         std::size_t n_kinds, const BackoffCounts &counts)
    : symbols_{static_cast<std::uint32_t>(kinds.size()), static_cast<std::uint32_t>(n_classes)},
      order_(order), backoff_(counts), kinds_(kinds.begin(), kinds.end()) {
  require(n_classes > 0 && 2 * n_classes < 1 << 16, "there must be from 1 to 32767 classes");
  require(order > 0 && order <= 8, "the order must be from 1 to 8");
  require(counts.n_roots == n_classes + 1 && counts.n_symbols == symbols_.count(),
          "there must be a root for each class and one for classes, and a number for all symbols");
  require(std::ranges::all_of(kinds, [&](auto kind) { return kind < n_kinds; }),
          "a token has a kind that is not there");
  kinds_.push_back(static_cast<std::uint32_t>(n_kinds));
  fill_bases(n_kinds + 1, counts);
  fill_changes();
  for (std::uint32_t own = 0; own < n_classes; ++own)
    for (std::size_t from = 0; from <= n_classes; ++from) {
      auto node = own;
      if (backoff_.lengthen(node, symbols_.begin()))
        backoff_.lengthen(node, symbols_.name_class(from));
      entries_.push_back(node);
    }
}

// P(kind | class) spread over its tokens, interpolated with what is the same for all tokens.
void Hmm::fill_bases(std::size_t n_kinds, const BackoffCounts &counts) {
  const std::size_t n_classes = symbols_.n_classes;
  std::vector<double> sizes(n_kinds), seen(n_classes * n_kinds);
  for (const auto kind : kinds_)
    sizes[kind] += 1.0;
  for (std::size_t i = 0; i < counts.event_nodes.size(); ++i) {
    const auto node = counts.event_nodes[i], symbol = counts.event_symbols[i];
    if (node < n_classes && symbol < kinds_.size())
      seen[node * n_kinds + kinds_[symbol]] += counts.event_counts[i];
  }
  bases_.resize(n_classes * n_kinds);
  for (std::size_t one = 0; one < n_classes; ++one) {
    const std::span own(seen.data() + one * n_kinds, n_kinds);
    double total = 0.0, different = 1.0; // one more, so that no token is impossible
    for (const double count : own) {
      total += count;
      different += count > 0.0 ? 1.0 : 0.0;
    }
    for (std::size_t kind = 0; kind < n_kinds; ++kind)
      bases_[one * n_kinds + kind] = (own[kind] / std::max(sizes[kind], 1.0) +
                                      different / static_cast<double>(kinds_.size())) /
                                     (total + different);
  }
}

double Hmm::token(std::size_t name_class, std::uint32_t node, std::uint32_t symbol) const {
  const std::size_t n_kinds = bases_.size() / symbols_.n_classes;
  return std::log(
      backoff_.probability(node, symbol, bases_[name_class * n_kinds + kinds_[symbol]]));
}

// What depends on a history alone: the log-probabilities of ends and of classes behind it.
void Hmm::fill_changes() {
  const std::size_t nodes = backoff_.nodes(), n_classes = symbols_.n_classes;
  const auto changes = static_cast<std::uint32_t>(n_classes);
  const auto outside = backoff_.child(changes, symbols_.name_class(0));
  std::vector<std::uint32_t> roots(nodes);
  std::vector<bool> after_none(nodes);
  ends_.resize(nodes);
  rows_.assign(nodes, Backoff::none);
  std::vector<double> row(n_classes + 1);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const auto parent = backoff_.parent(node);
    roots[node] = parent == Backoff::none ? node : roots[parent];
    after_none[node] = node == outside || (parent != Backoff::none && after_none[parent]);
    if (roots[node] != changes) {
      ends_[node] = token(roots[node], node, symbols_.end());
      continue;
    }
    for (std::size_t to = 0; to <= n_classes; ++to)
      row[to] = backoff_.probability(node, symbols_.name_class(to),
                                     1.0 / static_cast<double>(n_classes + 1));
    const double possible = after_none[node] ? 1.0 - row[0] : 1.0; // class 0 never follows itself
    rows_[node] = static_cast<std::uint32_t>(changes_.size() / row.size());
    for (const double probability : row)
      changes_.push_back(std::log(probability / possible));
  }
}

// The ways through a sentence as a hypergraph whose edges have one tail. After each token there are
// nodes for stretches of every class, by how many tokens they have, counted up to the order; and
// one for each class that was left there.
class HmmLattice {
public:
  explicit HmmLattice(const Hmm &hmm) : hmm_(hmm), n_(hmm.symbols_.n_classes), order_(hmm.order_) {}

  TagLists n_best(std::span<const std::uint32_t> tokens, std::size_t n) {
    if (tokens.empty())
      return {{1}, {0.0}, {}};
    build(tokens);
    search::KBest best(graph_, graph_.nodes() - 1);
    const double log_sum = search::inside(graph_).back();
    TagLists found;
    while (best.size() < n && best.next()) {
      const std::size_t place = best.size() - 1;
      found.logprobs.push_back(std::min(best.weight(place) - log_sum, 0.0));
      best.edges(place, edges_);
      for (auto edge = edges_.rbegin(); edge != edges_.rend(); ++edge)
        if (const auto tag = graph_.edges[base::at(*edge)].label; tag != no_tag)
          found.tags.push_back(static_cast<Tag>(tag));
    }
    found.counts = {static_cast<std::int64_t>(best.size())};
    return found;
  }

private:
  static constexpr std::int32_t no_tag = -1;

  void build(std::span<const std::uint32_t> tokens) {
    graph_.first.assign(1, 0);
    graph_.edges.clear();
    add(-1, 0.0, no_tag);
    graph_.close_node();
    changes_.assign(n_ + 1, change(n_, {}));
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      add_states(tokens[at], at == 0);
      add_exits(tokens.first(at + 1));
    }
    const auto exits = last_nodes(n_);
    for (std::size_t from = 0; from < n_; ++from)
      add(exits + number(from), changes_[from][n_], no_tag);
    graph_.close_node();
  }

  // Nodes of stretches that have one more token; size `order` stands for all longer ones too.
  void add_states(std::uint32_t token, bool at_start) {
    const auto before = last_nodes(n_ * (order_ + 1));
    const auto exits = last_nodes(n_);
    for (std::size_t own = 0; own < n_; ++own)
      for (std::size_t size = 1; size <= order_; ++size) {
        if (size == 1 && at_start)
          enter(0, n_, own, token);
        for (std::size_t from = 0; size == 1 && !at_start && from < n_; ++from)
          if (from > 0 || own > 0)
            enter(exits + number(from), from, own, token);
        if (size > 1 && !at_start)
          follow(before, own, size - 1, token);
        if (size == order_ && !at_start)
          follow(before, own, size, token);
        graph_.close_node();
      }
  }

  void enter(std::int32_t tail, std::size_t from, std::size_t own, std::uint32_t token) {
    const auto history = hmm_.entries_[own * (n_ + 1) + from];
    add(tail, changes_[from][own] + hmm_.token(own, history, token),
        number(own == 0 ? 0 : 2 * own - 1));
  }

  void follow(std::int32_t before, std::size_t own, std::size_t size, std::uint32_t token) {
    const std::size_t state = own * order_ + size - 1;
    add(before + number(state), hmm_.token(own, histories_[state], token), number(2 * own));
  }

  // Nodes of classes that end with the last token. Keeps the histories of what may follow.
  void add_exits(std::span<const std::uint32_t> tokens) {
    const auto before = last_nodes(n_ * order_);
    histories_.resize(n_ * order_);
    for (std::size_t own = 0; own < n_; ++own) {
      auto node = static_cast<std::uint32_t>(own);
      bool seen = true;
      for (std::size_t size = 1; size <= std::min(order_, tokens.size()); ++size) {
        const std::size_t state = own * order_ + size - 1;
        seen = seen && hmm_.backoff_.lengthen(node, tokens[tokens.size() - size]);
        histories_[state] = node;
        if (seen && size < order_)
          hmm_.backoff_.lengthen(histories_[state], hmm_.symbols_.begin());
        add(before + number(state), hmm_.ends_[histories_[state]], no_tag);
      }
      graph_.close_node();
      changes_[own] = change(own, tokens);
    }
  }

  // Log-probabilities of the classes behind one that ends with the last token.
  const double *change(std::size_t from, std::span<const std::uint32_t> tokens) const {
    auto node = static_cast<std::uint32_t>(n_);
    bool seen = hmm_.backoff_.lengthen(node, hmm_.symbols_.name_class(from));
    for (std::size_t size = 1; seen && size <= std::min(order_, tokens.size()); ++size)
      seen = hmm_.backoff_.lengthen(node, tokens[tokens.size() - size]);
    return hmm_.changes_.data() + hmm_.rows_[node] * (n_ + 1);
  }

  void add(std::int32_t tail, double weight, std::int32_t tag) {
    graph_.edges.push_back({weight, tail, -1, tag});
  }
  // The first of so many nodes that came last.
  std::int32_t last_nodes(std::size_t count) const { return graph_.nodes() - number(count); }
  static std::int32_t number(std::size_t given) { return static_cast<std::int32_t>(given); }

  const Hmm &hmm_;
  const std::size_t n_, order_;
  std::vector<std::uint32_t> histories_; // [class][size]: of what follows the last token
  std::vector<const double *> changes_;  // [class]: of what comes behind it, if it ends there
  search::Hypergraph graph_;
  std::vector<std::int32_t> edges_;
};

TagLists Hmm::n_best(std::span<const std::uint32_t> tokens, std::span<const std::int64_t> offsets,
                     std::size_t n, const base::Threads &threads) const {
  base::check_offsets(offsets, tokens.size(), "offsets");
  require(std::ranges::all_of(tokens, [&](auto one) { return one < symbols_.n_tokens; }),
          "a token is not one of the model's");
  const std::size_t sentences = offsets.size() - 1;
  std::vector<TagLists> found(sentences);
  base::in_blocks(sentences, sentences_per_block, threads,
                  [&](std::size_t first, std::size_t last) {
                    HmmLattice lattice(*this);
                    for (std::size_t i = first; i < last; ++i) {
                      const auto begin = base::at(offsets[i]), end = base::at(offsets[i + 1]);
                      found[i] = lattice.n_best(tokens.subspan(begin, end - begin), n);
                    }
                  });
  return joined(found);
}

} // namespace runoff::sequence
