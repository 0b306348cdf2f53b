#include "runoff/parsing/forest.hpp"

#include "runoff/base/memory.hpp"
#include "runoff/parsing/head_contexts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace runoff::parsing {

Allowance::~Allowance() {
  if (turn_.owns_lock())
    base::trim_memory();
}

StateTable::StateTable(const HeadModel &model)
    : model_(model), width_(static_cast<std::size_t>(model.labels().count) + 1), ids_(1 << 14) {}

void StateTable::clear() {
  ids_ = KeyTable<std::int32_t>(1 << 14);
  std::vector<State>().swap(states_);
  std::vector<float>().swap(probabilities_);
  std::vector<std::int32_t>().swap(after_);
}

std::int32_t StateTable::find(const State &s) {
  const Key key = joined(0, packed(s.parent, s.above, s.head, s.previous),
                         packed(2 * s.before + static_cast<int>(s.side)));
  std::int32_t &id = ids_[key]; // from 1
  if (id == 0) {
    states_.push_back(s);
    id = static_cast<std::int32_t>(states_.size());
    probabilities_.resize(states_.size() * width_, 0.0F);
    after_.resize(states_.size() * width_, -1);
  }
  return id - 1;
}

double StateTable::ask_probability(std::int32_t id, Label modifier) {
  return probabilities_[place(id, modifier)] = float(model_.label1(state(id), modifier));
}

std::int32_t StateTable::ask_after(std::int32_t id, Label modifier) {
  const auto found = find(state(id).after(modifier)); // may move after_
  return after_[place(id, modifier)] = found;
}

namespace {

// Nodes of one kind that are being filled in a cell, each known by a number.
class Bin {
public:
  void begin(std::size_t symbols) {
    if (places_.size() < symbols)
      places_.resize(symbols + symbols / 2, -1);
    for (const auto symbol : symbols_)
      places_[static_cast<std::size_t>(symbol)] = -1;
    symbols_.clear();
    nodes_.clear();
    edges_.clear();
  }
  // Whether there is such a node; if not, node() must be called before add().
  bool has(std::int32_t symbol) const {
    return static_cast<std::size_t>(symbol) < places_.size() &&
           places_[static_cast<std::size_t>(symbol)] >= 0;
  }
  void node(std::int32_t symbol, const ForestNode &node) {
    if (static_cast<std::size_t>(symbol) >= places_.size())
      places_.resize(2 * static_cast<std::size_t>(symbol) + 1, -1);
    places_[static_cast<std::size_t>(symbol)] = static_cast<std::int32_t>(nodes_.size());
    symbols_.push_back(symbol);
    nodes_.push_back(node);
  }
  void add(std::int32_t symbol, const ForestEdge &edge) {
    edges_.push_back({places_[static_cast<std::size_t>(symbol)], edge});
  }
  std::size_t edges() const { return edges_.size(); }

  // Moves what is found to the forest: calls done(node number) for each node that `around`, which
  // gives what surrounds a node, does not show to be below the threshold.
  template <typename Around, typename Done>
  void finish(Forest &forest, double threshold, Around &&around, Done &&done) {
    counts_.assign(nodes_.size() + 1, 0);
    for (auto &[place, edge] : edges_) {
      double value = edge.probability;
      for (const auto tail : edge.tails)
        if (tail >= 0)
          value *= forest.nodes[static_cast<std::size_t>(tail)].inside;
      nodes_[static_cast<std::size_t>(place)].inside += value;
      ++counts_[static_cast<std::size_t>(place) + 1];
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      counts_[n + 1] += counts_[n];
    order_.resize(edges_.size());
    auto next = counts_;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      order_[static_cast<std::size_t>(next[static_cast<std::size_t>(edges_[e].first)]++)] =
          static_cast<std::int32_t>(e);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      auto &node = nodes_[n];
      if (node.inside * around(node) < threshold)
        continue;
      node.first_edge = static_cast<std::int32_t>(forest.edges.size());
      for (auto e = counts_[n]; e < counts_[n + 1]; ++e)
        forest.edges.push_back(
            edges_[static_cast<std::size_t>(order_[static_cast<std::size_t>(e)])].second);
      node.last_edge = static_cast<std::int32_t>(forest.edges.size());
      forest.nodes.push_back(node);
      done(static_cast<std::int32_t>(forest.nodes.size()) - 1);
    }
  }

private:
  std::vector<std::int32_t> places_, symbols_;
  std::vector<ForestNode> nodes_;
  std::vector<std::pair<std::int32_t, ForestEdge>> edges_;
  std::vector<std::int32_t> counts_, order_;
};

class Builder {
public:
  Builder(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
          const Sentence &sentence, StateTable &states, double threshold, Allowance &allowance,
          Forest used)
      : model_(model), grammar_(grammar), chart_(chart), partials_(chart), sentence_(sentence),
        states_(states), labels_(model.labels()), threshold_(threshold), allowance_(allowance),
        cells_(static_cast<std::size_t>(chart.size()) * static_cast<std::size_t>(chart.size() + 1) /
               2),
        forest_(std::move(used)) {
    forest_.nodes.clear();
    forest_.edges.clear();
    forest_.root = -1;
    forest_.too_large = false;
  }

  Forest build() {
    const int size = chart_.size();
    for (int width = 1; width <= size; ++width)
      for (int start = 0; start + width <= size; ++start) {
        fill(start, start + width);
        if (!fits()) {
          forest_.too_large = true;
          return std::move(forest_);
        }
      }
    add_root();
    return std::move(forest_);
  }

private:
  struct Cell {
    std::vector<std::int32_t> right, left;
    // Constituents that may be used from outside the cell: tags, then by the label above.
    std::vector<std::int32_t> complete;
    std::vector<std::pair<Label, std::int32_t>> runs; // label above, where it begins
  };

  bool fits() const {
    return allowance_.holds(forest_.edges.size()) && states_.edges() <= allowance_.edges() &&
           !overfull_;
  }

  const ForestNode &node(std::int32_t id) const {
    return forest_.nodes[static_cast<std::size_t>(id)];
  }
  std::int32_t complete_symbol(Label label, Label above) const {
    return label * (labels_.count + 2) + above;
  }
  std::size_t pair_of(const ForestNode &n) const { return grammar_.pair_number(n.label, n.head); }
  auto around(Side side, bool first) const {
    return [this, side, first](const ForestNode &n) {
      return static_cast<double>(partials_.outside(pair_of(n), side, first)) *
             model_.above_share(n.label, n.above);
    };
  }
  auto around_complete() const {
    return
        [this](const ForestNode &n) { return static_cast<double>(chart_.outside(here_, n.label)); };
  }

  void add_root() {
    const auto first = static_cast<std::int32_t>(forest_.edges.size());
    ForestNode root = blank_;
    root.label = labels_.top;
    root.above = labels_.none();
    for (const auto id : cells_[chart_.cell(0, chart_.size())].complete)
      if (may_head(node(id).label, node(id).above, labels_.top) &&
          grammar_.top(node(id).label) > 0) {
        const double p = model_.head1(labels_.top, labels_.none(), node(id).label);
        forest_.edges.push_back({Move::top, {id, -1}, p});
        root.inside += p * node(id).inside;
      }
    root.first_edge = first;
    root.last_edge = static_cast<std::int32_t>(forest_.edges.size());
    if (root.first_edge == root.last_edge)
      return;
    forest_.nodes.push_back(root);
    forest_.root = static_cast<std::int32_t>(forest_.nodes.size()) - 1;
  }

  void fill(int start, int end) {
    here_ = chart_.cell(start, end);
    partials_.open(here_);
    blank_.start = static_cast<std::int16_t>(start);
    blank_.end = static_cast<std::int16_t>(end);
    auto &cell = cells_[here_];
    rights_.begin(states_.size());
    lefts_.begin(states_.size());
    for (int middle = start + 1; middle < end && !overfull_; ++middle) {
      join(start, middle, end);
      // Before its nodes are pruned, a cell may have a quarter of the edges.
      overfull_ = 4 * (rights_.edges() + lefts_.edges()) > allowance_.edges();
    }
    chain_.clear();
    if (end == start + 1)
      add_tags(start);
    // Partial constituents that have modifiers on the right may stop there,
    rights_.finish(forest_, threshold_, around(Side::right, false),
                   [&](std::int32_t id) { cell.right.push_back(id); });
    begun_.begin(states_.size());
    for (const auto id : cell.right)
      stop_right(id, begun_);
    begun_ids_.clear();
    begun_.finish(forest_, 0.0, around(Side::left, true),
                  [&](std::int32_t id) { begun_ids_.push_back(id); });
    lefts_.finish(forest_, threshold_, around(Side::left, false),
                  [&](std::int32_t id) { cell.left.push_back(id); });
    // and those or others on the left; so constituents are made.
    completes_.begin(static_cast<std::size_t>(complete_symbol(labels_.count, 0)));
    for (const auto *ids : {&begun_ids_, &cell.left})
      for (const auto id : *ids)
        stop_left(id);
    completes_.finish(forest_, threshold_, around_complete(),
                      [&](std::int32_t id) { chain_.push_back(id); });
    climb();
    gather(cell);
    if (end - start < chart_.size())
      start_partials(cell);
  }

  // Partial constituents of two neighbouring cells with their modifiers in the other one.
  void join(int start, int middle, int end) {
    const auto a = chart_.cell(start, middle), b = chart_.cell(middle, end);
    const double factor = std::ldexp(1.0, chart_.scale(a) + chart_.scale(b) - chart_.scale(here_));
    for (const auto id : cells_[a].right)
      if (partials_.allows(pair_of(node(id)), Side::right, false))
        join(id, cells_[b], Side::right, factor, rights_);
    for (const auto id : cells_[b].left)
      if (partials_.allows(pair_of(node(id)), Side::left, false))
        join(id, cells_[a], Side::left, factor, lefts_);
  }

  void join(std::int32_t partial_id, const Cell &others, Side side, double factor, Bin &bin) {
    const ForestNode partial = node(partial_id);
    const auto pair = pair_of(partial);
    const auto run = [&](std::int32_t begin, std::int32_t end) {
      for (auto n = begin; n < end; ++n) {
        const auto id = others.complete[static_cast<std::size_t>(n)];
        const Label modifier = node(id).label;
        if (!grammar_.takes(side, pair, modifier))
          continue;
        const auto state = states_.after(partial.state, modifier);
        if (!bin.has(state)) {
          ForestNode made = partial;
          made.previous = states_.state(state).previous;
          made.before = states_.state(state).before;
          made.state = state;
          made.start = blank_.start;
          made.end = blank_.end;
          made.inside = made.outside = 0;
          bin.node(state, made);
        }
        const double p = states_.probability(partial.state, modifier) * factor;
        if (side == Side::right)
          bin.add(state, {Move::right, {partial_id, id}, p});
        else
          bin.add(state, {Move::left, {id, partial_id}, p});
      }
    };
    for (std::size_t r = 0; r < others.runs.size(); ++r)
      if (others.runs[r].first == partial.label || others.runs[r].first == labels_.none())
        run(others.runs[r].second, r + 1 < others.runs.size()
                                       ? others.runs[r + 1].second
                                       : static_cast<std::int32_t>(others.complete.size()));
  }

  void add_tags(int place) {
    const double factor = std::ldexp(1.0, -chart_.scale(here_));
    for (const auto &choice : sentence_.tags[static_cast<std::size_t>(place)])
      if (chart_.allows(here_, choice.tag)) {
        ForestNode made = blank_;
        made.label = choice.tag;
        made.above = labels_.none();
        made.inside = choice.probability * factor;
        made.first_edge = static_cast<std::int32_t>(forest_.edges.size());
        forest_.edges.push_back({Move::leaf, {-1, -1}, made.inside});
        made.last_edge = made.first_edge + 1;
        forest_.nodes.push_back(made);
        chain_.push_back(static_cast<std::int32_t>(forest_.nodes.size()) - 1);
      }
  }

  void stop_right(std::int32_t id, Bin &bin) {
    ForestNode made = node(id);
    const double p = states_.probability(made.state, labels_.stop());
    made.state = first_state(made.label, made.above, made.head, Side::left);
    made.previous = made.before = labels_.none();
    made.inside = made.outside = 0;
    if (!bin.has(made.state))
      bin.node(made.state, made);
    bin.add(made.state, {Move::right_stop, {id, -1}, p});
  }

  void stop_left(std::int32_t id) {
    const auto &partial = node(id);
    if (!chart_.allows(here_, partial.label, partial.above))
      return;
    add_complete(completes_, partial.label, partial.above,
                 {Move::left_stop, {id, -1}, states_.probability(partial.state, labels_.stop())});
  }

  void add_complete(Bin &bin, Label label, Label above, const ForestEdge &edge) {
    const auto symbol = complete_symbol(label, above);
    if (!bin.has(symbol)) {
      ForestNode made = blank_;
      made.label = label;
      made.above = above;
      bin.node(symbol, made);
    }
    bin.add(symbol, edge);
  }

  // Constituents that stand on those of the chain, level by level; all_ collects every level.
  void climb() {
    const auto symbols = static_cast<std::size_t>(complete_symbol(labels_.count, 0));
    all_.begin(symbols);
    for (int level = 0; !chain_.empty(); ++level) {
      completes_.begin(symbols);
      for (const auto id : chain_) {
        const Label label = node(id).label, above = node(id).above;
        add_complete(all_, label, above, {Move::same, {id, -1}, 1.0});
        if (level < MAX_UNARY)
          for (const auto p : grammar_.pairs_of_head(label))
            if (const Label parent = grammar_.pair(p).parent; may_head(label, above, parent))
              add_unaries(id, label, parent);
      }
      chain_.clear();
      completes_.finish(forest_, threshold_, around_complete(),
                        [&](std::int32_t id) { chain_.push_back(id); });
    }
  }

  bool may_head(Label label, Label above, Label parent) const {
    return label < labels_.tags || above == parent;
  }

  void add_unaries(std::int32_t id, Label head, Label parent) {
    if (head == parent || !chart_.allows(here_, parent))
      return;
    for (const auto &one : model_.above(parent))
      if (chart_.allows(here_, parent, one.label) && labels_.may_wrap(parent, one.label, head))
        add_unary(id, head, parent, one.label);
  }

  void add_unary(std::int32_t id, Label head, Label parent, Label above) {
    double p = model_.head1(parent, above, head);
    for (const Side side : SIDES)
      p *= states_.probability(first_state(parent, above, head, side), labels_.stop());
    add_complete(completes_, parent, above, {Move::unary, {id, -1}, p});
  }

  // Of a side that has no modifiers yet.
  std::int32_t first_state(Label parent, Label above, Label head, Side side) {
    return states_.find({parent, above, head, side, labels_.none(), labels_.none()});
  }

  // What can be used from outside: one node for each constituent, whatever its level.
  void gather(Cell &cell) {
    all_.finish(forest_, 0.0, around_complete(),
                [&](std::int32_t id) { cell.complete.push_back(id); });
    std::stable_sort(cell.complete.begin(), cell.complete.end(),
                     [&](std::int32_t x, std::int32_t y) { return node(x).above > node(y).above; });
    for (std::size_t n = 0; n < cell.complete.size(); ++n)
      if (const Label above = node(cell.complete[n]).above;
          n == 0 || above != node(cell.complete[n - 1]).above)
        cell.runs.emplace_back(above, static_cast<std::int32_t>(n));
  }

  // Partial constituents without modifiers.
  void start_partials(Cell &cell) {
    const auto before = cell.right.size();
    rights_.begin(states_.size());
    for (const auto id : cell.complete)
      project(id);
    rights_.finish(forest_, threshold_, around(Side::right, true),
                   [&](std::int32_t id) { cell.right.push_back(id); });
    lefts_.begin(states_.size());
    for (const auto id : begun_ids_) {
      ForestNode made = node(id);
      made.inside = 0;
      lefts_.node(made.state, made);
      lefts_.add(made.state, {Move::same, {id, -1}, 1.0});
    }
    for (auto n = before; n < cell.right.size(); ++n)
      stop_right(cell.right[n], lefts_);
    lefts_.finish(forest_, threshold_, around(Side::left, true), [&](std::int32_t id) {
      if (partials_.allows(pair_of(node(id)), Side::left, true))
        cell.left.push_back(id);
    });
  }

  // A constituent as the head of partial ones.
  void project(std::int32_t id) {
    const Label head = node(id).label, child_above = node(id).above;
    for (const auto p : grammar_.pairs_of_head(head)) {
      const Label parent = grammar_.pair(p).parent;
      if (!may_head(head, child_above, parent) ||
          !(partials_.allows(p, Side::right, true) || partials_.allows(p, Side::left, true)))
        continue;
      for (const auto &one : model_.above(parent))
        if (chart_.holds(here_, parent, one.label))
          project(id, head, parent, one.label);
    }
  }

  void project(std::int32_t id, Label head, Label parent, Label above) {
    const auto state = first_state(parent, above, head, Side::right);
    if (!rights_.has(state)) {
      ForestNode made = blank_;
      made.label = parent;
      made.above = above;
      made.head = head;
      made.previous = made.before = labels_.none();
      made.state = state;
      rights_.node(state, made);
    }
    rights_.add(state, {Move::head, {id, -1}, model_.head1(parent, above, head)});
  }

  const HeadModel &model_;
  const CoarseGrammar &grammar_;
  const CoarseChart &chart_;
  CoarseChart::Partials partials_; // of the cell that is being filled
  const Sentence &sentence_;
  StateTable &states_;
  const Labels &labels_;
  double threshold_;
  Allowance &allowance_;
  std::vector<Cell> cells_;
  Forest forest_;
  std::size_t here_ = 0;
  bool overfull_ = false; // a cell was given up
  ForestNode blank_{};
  Bin rights_, lefts_, begun_, completes_, all_;
  std::vector<std::int32_t> chain_, begun_ids_;
};

} // namespace

Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, StateTable &states, double threshold,
                    Allowance &allowance, Forest used) {
  return Builder(model, grammar, chart, sentence, states, threshold, allowance, std::move(used))
      .build();
}

namespace {

// Outside values from inside ones; `add` joins what is known of a node with one more way to use it.
template <typename Add> void fill_outside(Forest &forest, Add &&add) {
  auto &nodes = forest.nodes;
  const auto inside = [&](std::int32_t id) {
    return id < 0 ? 1.0 : nodes[static_cast<std::size_t>(id)].inside;
  };
  const auto root = static_cast<std::size_t>(forest.root);
  nodes[root].outside = 1.0 / nodes[root].inside;
  for (auto id = root + 1; id-- > 0;) {
    const auto &node = nodes[id];
    if (node.outside == 0)
      continue;
    for (auto e = node.first_edge; e < node.last_edge; ++e) {
      const auto &edge = forest.edges[static_cast<std::size_t>(e)];
      const double up = node.outside * edge.probability;
      const auto [left, right] = edge.tails;
      if (left >= 0)
        add(nodes[static_cast<std::size_t>(left)].outside, up * inside(right));
      if (right >= 0)
        add(nodes[static_cast<std::size_t>(right)].outside, up * inside(left));
    }
  }
}

double value(const Forest &forest, const ForestEdge &edge) {
  double product = edge.probability;
  for (const auto tail : edge.tails)
    if (tail >= 0)
      product *= forest.nodes[static_cast<std::size_t>(tail)].inside;
  return product;
}

} // namespace

void fill_outside(Forest &forest) {
  fill_outside(forest, [](double &known, double more) { known += more; });
}

void fill_best(Forest &forest) {
  for (auto &node : forest.nodes) {
    node.inside = node.outside = 0;
    for (auto e = node.first_edge; e < node.last_edge; ++e)
      node.inside = std::max(node.inside, value(forest, forest.edges[static_cast<std::size_t>(e)]));
  }
  fill_outside(forest, [](double &known, double more) { known = std::max(known, more); });
}

Forest pruned(const Forest &forest, double threshold) {
  const auto &nodes = forest.nodes;
  std::vector<std::int32_t> renumbered(nodes.size(), -1);
  Forest kept;
  // Edges without one of their tails go as well; those that stay have the new numbers.
  const auto keep_edge = [&](const ForestNode &node, ForestEdge edge) {
    double share = node.outside * edge.probability;
    for (auto &tail : edge.tails)
      if (tail >= 0) {
        share *= nodes[static_cast<std::size_t>(tail)].inside;
        tail = renumbered[static_cast<std::size_t>(tail)];
        if (tail < 0)
          return;
      }
    if (!(share < threshold))
      kept.edges.push_back(edge);
  };
  for (std::size_t id = 0; id <= static_cast<std::size_t>(forest.root); ++id) {
    auto node = nodes[id];
    if (node.inside * node.outside < threshold)
      continue;
    const auto first = static_cast<std::int32_t>(kept.edges.size());
    for (auto e = node.first_edge; e < node.last_edge; ++e)
      keep_edge(node, forest.edges[static_cast<std::size_t>(e)]);
    node.first_edge = first;
    node.last_edge = static_cast<std::int32_t>(kept.edges.size());
    if (node.first_edge == node.last_edge)
      continue;
    renumbered[id] = static_cast<std::int32_t>(kept.nodes.size());
    kept.nodes.push_back(node);
  }
  kept.root = renumbered[static_cast<std::size_t>(forest.root)];
  return kept;
}

namespace {

// Every node with nothing but its best edge; of equal ones, the first.
Forest best_edges(const Forest &forest) {
  Forest kept{forest.nodes, {}, forest.root, false};
  for (auto &node : kept.nodes) {
    auto best = node.first_edge;
    for (auto e = node.first_edge; e < node.last_edge; ++e)
      if (value(forest, forest.edges[static_cast<std::size_t>(e)]) >
          value(forest, forest.edges[static_cast<std::size_t>(best)]))
        best = e;
    node.first_edge = static_cast<std::int32_t>(kept.edges.size());
    kept.edges.push_back(forest.edges[static_cast<std::size_t>(best)]);
    node.last_edge = node.first_edge + 1;
  }
  return kept;
}

} // namespace

Forest narrowed(const Forest &forest, std::size_t edges) {
  if (forest.edges.size() <= edges)
    return forest;
  std::vector<double> shares;
  shares.reserve(forest.edges.size());
  for (const auto &node : forest.nodes)
    for (auto e = node.first_edge; e < node.last_edge; ++e)
      shares.push_back(node.outside * value(forest, forest.edges[static_cast<std::size_t>(e)]));
  const auto last = shares.begin() + static_cast<std::ptrdiff_t>(edges);
  std::nth_element(shares.begin(), last, shares.end(), std::greater<>());
  // Products of the same factors in another order differ a little.
  constexpr double ALMOST_ALL = 1 - 1e-9;
  auto kept = pruned(forest, std::min(*last * (1 + 1e-9), ALMOST_ALL));
  return kept.parsed() && kept.edges.size() <= edges ? kept
                                                     : best_edges(pruned(forest, ALMOST_ALL));
}

} // namespace runoff::parsing
