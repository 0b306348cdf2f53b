#include "runoff/forest.hpp"

#include <algorithm>
#include <cmath>

namespace runoff {

namespace {

class Builder {
public:
  Builder(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
          const Sentence &sentence, double threshold)
      : model_(model), grammar_(grammar), chart_(chart), sentence_(sentence), labels_(model.labels()), threshold_(threshold),
        memo_(1 << 12), cells_(std::size_t(chart.size()) * std::size_t(chart.size() + 1) / 2) {}

  Forest build() {
    const int size = chart_.size();
    for (int width = 1; width <= size; ++width)
      for (int start = 0; start + width <= size; ++start)
        fill(start, start + width);
    std::vector<ForestEdge> edges;
    for (const auto node : cells_[chart_.cell(0, size)].complete) {
      const auto &built = forest_.nodes[std::size_t(node)];
      if (built.above == labels_.top)
        edges.push_back({Move::top, {node, -1}, model_.head1(labels_.top, labels_.none(), built.label)});
    }
    if (!edges.empty())
      forest_.root = add({ForestNode::complete, labels_.top, labels_.none(), -1, -1, 0, std::int16_t(size), 0, 0}, edges, 1.0);
    return std::move(forest_);
  }

private:
  struct Cell {
    std::vector<std::int32_t> complete; // usable from outside the cell, sorted by what is above
    std::vector<std::int32_t> right, left;
  };

  struct Pending {
    Key key;
    ForestNode node;
    std::vector<ForestEdge> edges;
  };

  // Nodes of one kind that are being filled, found by what they are.
  struct Bin {
    KeyTable<std::int32_t> places{64};
    std::vector<Pending> nodes;
    void add(Key key, const ForestNode &node, const ForestEdge &edge) {
      auto &place = places[key];
      if (place == 0) {
        nodes.push_back({key, node, {}});
        place = std::int32_t(nodes.size());
      }
      nodes[std::size_t(place) - 1].edges.push_back(edge);
    }
  };

  std::int32_t add(ForestNode node, const std::vector<ForestEdge> &edges, double factor, double around = -1) {
    node.first_edge = std::int32_t(forest_.edges.size());
    node.inside = 0;
    for (const auto &edge : edges) {
      double value = edge.probability * factor;
      for (const auto tail : edge.tails)
        if (tail >= 0)
          value *= forest_.nodes[std::size_t(tail)].inside;
      forest_.edges.push_back(edge);
      forest_.edges.back().probability *= factor;
      node.inside += value;
    }
    if (around >= 0 && node.inside * around < threshold_) {
      forest_.edges.resize(std::size_t(node.first_edge));
      return -1;
    }
    node.last_edge = std::int32_t(forest_.edges.size());
    forest_.nodes.push_back(node);
    return std::int32_t(forest_.nodes.size()) - 1;
  }

  static Key key_of(Label label, Label above, Label head, Label previous) {
    return ((Key(std::uint16_t(label)) << 48) | (Key(std::uint16_t(above)) << 32) |
            (Key(std::uint16_t(head)) << 16) | Key(std::uint16_t(previous))) + 1;
  }

  double label_probability(const ForestNode &node, Side side, Label modifier) {
    const Key key = mixed(mixed(key_of(node.label, node.above, node.head, node.previous), std::uint64_t(side)), std::uint64_t(modifier));
    float &known = memo_[key];
    if (known == 0.0F)
      known = float(model_.label1({node.label, node.above, node.head, side, node.previous, labels_.none()}, modifier));
    return known;
  }

  void fill(int start, int end) {
    const auto here = chart_.cell(start, end);
    auto &cell = cells_[here];
    const ForestNode blank{ForestNode::complete, 0, 0, -1, -1, std::int16_t(start), std::int16_t(end), 0, 0};
    Bin rights, lefts, completes;
    std::vector<double> factors;
    for (int middle = start + 1; middle < end; ++middle) {
      const auto a = chart_.cell(start, middle), b = chart_.cell(middle, end);
      const double factor = std::ldexp(1.0, int(chart_.scale(a) + chart_.scale(b) - chart_.scale(here)));
      for (const auto r : cells_[a].right) {
        const ForestNode partial = forest_.nodes[std::size_t(r)];
        if (!chart_.right(here, std::size_t(grammar_.pair_id(partial.label, partial.head)), false))
          continue;
        join(cells_[b].complete, partial, Side::right, [&](std::int32_t c, double p, const ForestNode &made) {
          rights.add(key_of(made.label, made.above, made.head, made.previous), made, {Move::right, {r, c}, p * factor});
        }, start, end);
      }
      for (const auto l : cells_[b].left) {
        const ForestNode partial = forest_.nodes[std::size_t(l)];
        if (!chart_.left(here, std::size_t(grammar_.pair_id(partial.label, partial.head)), false))
          continue;
        join(cells_[a].complete, partial, Side::left, [&](std::int32_t c, double p, const ForestNode &made) {
          lefts.add(key_of(made.label, made.above, made.head, made.previous), made, {Move::left, {c, l}, p * factor});
        }, start, end);
      }
    }
    std::vector<std::int32_t> chain;
    if (end == start + 1)
      for (const auto &choice : sentence_.tags[std::size_t(start)])
        if (chart_.allows(here, choice.tag)) {
          ForestNode node = blank;
          node.label = choice.tag;
          node.above = labels_.none();
          chain.push_back(add(node, {{Move::leaf, {-1, -1}, choice.probability}}, std::ldexp(1.0, int(-chart_.scale(here)))));
        }
    // Right partials, and left ones that begin where those stop.
    Bin begun; // left partials without modifiers from right partials with some
    const auto around = [&](const ForestNode &node, Side side, bool first) {
      return chart_.outside(here, std::size_t(grammar_.pair_id(node.label, node.head)), side, first);
    };
    for (auto &pending : rights.nodes) {
      const auto id = add(pending.node, pending.edges, 1.0, around(pending.node, Side::right, false));
      if (id < 0)
        continue;
      cell.right.push_back(id);
      ForestNode node = pending.node;
      const double stop = label_probability(node, Side::right, labels_.stop());
      node.kind = ForestNode::left;
      node.previous = labels_.none();
      begun.add(key_of(node.label, node.above, node.head, node.previous), node, {Move::right_stop, {id, -1}, stop});
    }
    const auto finish = [&](std::int32_t id, Bin &bin) {
      ForestNode node = forest_.nodes[std::size_t(id)];
      if (!chart_.allows(here, node.label, node.above))
        return;
      const double stop = label_probability(node, Side::left, labels_.stop());
      node.kind = ForestNode::complete;
      node.head = node.previous = -1;
      bin.add(key_of(node.label, node.above, -1, -1), node, {Move::left_stop, {id, -1}, stop});
    };
    std::vector<std::int32_t> begun_ids;
    for (auto &pending : begun.nodes) {
      const auto id = add(pending.node, pending.edges, 1.0);
      begun_ids.push_back(id);
      finish(id, completes);
    }
    for (auto &pending : lefts.nodes) {
      const auto id = add(pending.node, pending.edges, 1.0, around(pending.node, Side::left, false));
      if (id < 0)
        continue;
      cell.left.push_back(id);
      finish(id, completes);
    }
    for (auto &pending : completes.nodes)
      if (const auto id = add(pending.node, pending.edges, 1.0, chart_.outside(here, pending.node.label)); id >= 0)
        chain.push_back(id);
    // Constituents that stand on those, level by level.
    Bin all;
    for (int level = 0; !chain.empty(); ++level) {
      Bin next;
      for (const auto id : chain) {
        const ForestNode child = forest_.nodes[std::size_t(id)];
        all.add(key_of(child.label, child.above, -1, -1), child, {Move::same, {id, -1}, 1.0});
        if (level == MAX_UNARY)
          continue;
        for (const auto p : grammar_.pairs_of_head(child.label)) {
          const Label parent = grammar_.pair(p).parent;
          if (!chart_.allows(here, parent) || (child.label >= labels_.tags && child.above != parent))
            continue;
          for (const Label above : model_.above(parent)) {
            if (!chart_.allows(here, parent, above))
              continue;
            ForestNode node = blank;
            node.label = parent;
            node.above = above;
            ForestNode partial = node;
            partial.head = child.label;
            partial.previous = labels_.none();
            const double p_unary = model_.head1(parent, above, child.label) *
                                   label_probability(partial, Side::right, labels_.stop()) *
                                   label_probability(partial, Side::left, labels_.stop());
            next.add(key_of(parent, above, -1, -1), node, {Move::unary, {id, -1}, p_unary});
          }
        }
      }
      chain.clear();
      for (auto &pending : next.nodes)
        if (const auto made = add(pending.node, pending.edges, 1.0, chart_.outside(here, pending.node.label)); made >= 0)
          chain.push_back(made);
    }
    for (auto &pending : all.nodes)
      cell.complete.push_back(pending.edges.size() == 1 ? pending.edges[0].tails[0] : add(pending.node, pending.edges, 1.0));
    // Partial constituents that those head.
    if (end - start == chart_.size())
      return;
    Bin rights0;
    Bin lefts0;
    for (std::size_t n = 0; n < begun.nodes.size(); ++n)
      lefts0.add(begun.nodes[n].key, begun.nodes[n].node, {Move::same, {begun_ids[n], -1}, 1.0});
    for (const auto id : cell.complete) {
      const ForestNode child = forest_.nodes[std::size_t(id)];
      for (const auto p : grammar_.pairs_of_head(child.label)) {
        const Label parent = grammar_.pair(p).parent;
        if (child.label >= labels_.tags && child.above != parent)
          continue;
        if (!chart_.right(here, p, true) && !chart_.left(here, p, true))
          continue;
        for (const Label above : model_.above(parent)) {
          if (!chart_.holds(here, parent, above))
            continue;
          ForestNode node = blank;
          node.kind = ForestNode::right;
          node.label = parent;
          node.above = above;
          node.head = child.label;
          node.previous = labels_.none();
          rights0.add(key_of(parent, above, child.label, node.previous), node, {Move::head, {id, -1}, model_.head1(parent, above, child.label)});
        }
      }
    }
    for (auto &pending : rights0.nodes) {
      const auto id = add(pending.node, pending.edges, 1.0, around(pending.node, Side::right, true));
      if (id < 0)
        continue;
      cell.right.push_back(id);
      ForestNode node = pending.node;
      const double stop = label_probability(node, Side::right, labels_.stop());
      node.kind = ForestNode::left;
      lefts0.add(key_of(node.label, node.above, node.head, node.previous), node, {Move::right_stop, {id, -1}, stop});
    }
    for (auto &pending : lefts0.nodes)
      if (chart_.left(here, std::size_t(grammar_.pair_id(pending.node.label, pending.node.head)), true))
        if (const auto id = add(pending.node, pending.edges, 1.0, around(pending.node, Side::left, true)); id >= 0)
          cell.left.push_back(id);
  }

  template <typename Emit>
  void join(const std::vector<std::int32_t> &completes, const ForestNode &partial, Side side, Emit &&emit, int start, int end) {
    for (const auto c : completes) {
      const auto &child = forest_.nodes[std::size_t(c)];
      if (child.label >= labels_.tags && child.above != partial.label)
        continue;
      const auto allowed = model_.modifiers(side, partial.label, partial.head);
      if (!std::binary_search(allowed.begin(), allowed.end(), child.label))
        continue;
      ForestNode made = partial;
      made.kind = side == Side::right ? ForestNode::right : ForestNode::left;
      made.previous = child.label;
      made.start = std::int16_t(start);
      made.end = std::int16_t(end);
      emit(c, label_probability(partial, side, child.label), made);
    }
  }

  const HeadModel &model_;
  const CoarseGrammar &grammar_;
  const CoarseChart &chart_;
  const Sentence &sentence_;
  const Labels &labels_;
  double threshold_;
  KeyTable<float> memo_;
  std::vector<Cell> cells_;
  Forest forest_;
};

} // namespace

Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, double threshold) {
  return Builder(model, grammar, chart, sentence, threshold).build();
}

void prune_forest(Forest &forest, double threshold) {
  auto &nodes = forest.nodes;
  nodes[std::size_t(forest.root)].outside = 1.0 / nodes[std::size_t(forest.root)].inside;
  for (auto id = std::size_t(forest.root) + 1; id-- > 0;) {
    const auto &node = nodes[id];
    if (node.outside == 0)
      continue;
    for (auto e = node.first_edge; e < node.last_edge; ++e) {
      const auto &edge = forest.edges[std::size_t(e)];
      const double up = node.outside * edge.probability;
      if (edge.tails[0] >= 0) {
        const double other = edge.tails[1] >= 0 ? nodes[std::size_t(edge.tails[1])].inside : 1.0;
        nodes[std::size_t(edge.tails[0])].outside += up * other;
      }
      if (edge.tails[1] >= 0)
        nodes[std::size_t(edge.tails[1])].outside += up * nodes[std::size_t(edge.tails[0])].inside;
    }
  }
  std::vector<std::int32_t> renumbered(nodes.size(), -1);
  Forest kept;
  for (std::size_t id = 0; id <= std::size_t(forest.root); ++id) {
    auto node = nodes[id];
    if (node.inside * node.outside < threshold)
      continue;
    const auto first = kept.edges.size();
    for (auto e = node.first_edge; e < node.last_edge; ++e) {
      auto edge = forest.edges[std::size_t(e)];
      double share = node.outside * edge.probability;
      bool whole = true;
      for (auto &tail : edge.tails)
        if (tail >= 0) {
          share *= nodes[std::size_t(tail)].inside;
          tail = renumbered[std::size_t(tail)];
          whole = whole && tail >= 0;
        }
      if (whole && share >= threshold)
        kept.edges.push_back(edge);
    }
    if (kept.edges.size() == first)
      continue;
    node.first_edge = std::int32_t(first);
    node.last_edge = std::int32_t(kept.edges.size());
    renumbered[id] = std::int32_t(kept.nodes.size());
    kept.nodes.push_back(node);
  }
  kept.root = renumbered[std::size_t(forest.root)];
  forest = std::move(kept);
}

} // namespace runoff
