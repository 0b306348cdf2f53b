#include "runoff/parsing/forest_builder.hpp"

#include "runoff/parsing/forest_bin.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::parsing {
namespace {

class Builder {
public:
  Builder(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
          const Sentence &sentence, StateTable &states, double threshold, Allowance &allowance,
          Forest used)
      : model_(model), grammar_(grammar), chart_(chart), partials_(chart), sentence_(sentence),
        states_(states), labels_(model.labels()), threshold_(threshold), allowance_(allowance),
        cells_(chart.cells()), forest_(std::move(used)) {
    forest_.nodes.clear();
    forest_.edges.clear();
    forest_.root = -1;
    forest_.too_large = false;
  }

  Forest build() {
    const int size = chart_.size();
    for (int width = 1; width <= size; ++width)
      for (int start = 0; start + width <= size; ++start) {
        allowance_.work(base::at(width));
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
  // What a join asks of a partial constituent before anything else.
  struct Partial {
    std::int32_t id;
    std::uint32_t pair;
    Label label;
    double weight; // its inside value, with the share of the label above
  };
  // Constituents with the same label above.
  struct Run {
    Label above;
    std::size_t begin, end;
    double largest; // inside value
  };
  struct Cell {
    std::vector<Partial> right, left;
    // Constituents that may be used from outside the cell: tags, then by the label above.
    std::vector<std::int32_t> complete;
    std::vector<double> inside; // of each of them
    std::vector<Run> runs;
  };

  bool fits() const {
    return allowance_.holds(forest_.edges.size()) && states_.edges() <= allowance_.edges() &&
           !overfull_;
  }

  const ForestNode &node(std::int32_t id) const { return forest_.node(id); }
  std::int32_t complete_symbol(Label label, Label above) const {
    return label * (labels_.count + 2) + above;
  }
  std::size_t pair_of(const ForestNode &n) const { return grammar_.pair_number(n.label, n.head); }
  Partial partial(std::int32_t id) const {
    const auto &n = node(id);
    return {id, static_cast<std::uint32_t>(pair_of(n)), n.label,
            n.inside * model_.above_share(n.label, n.above)};
  }
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
    const auto first = forest_.edges.size();
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
    if (forest_.edges.size() > first)
      forest_.root = forest_.add(root, first);
  }

  void fill(int start, int end) {
    here_ = chart_.cell(start, end);
    partials_.open(here_);
    blank_.start = static_cast<std::int16_t>(start);
    blank_.end = static_cast<std::int16_t>(end);
    auto &cell = cells_[here_];
    rights_.begin(states_.size(), threshold_);
    lefts_.begin(states_.size(), threshold_);
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
                   [&](std::int32_t id) { cell.right.push_back(partial(id)); });
    begun_.begin(states_.size());
    for (const auto &one : cell.right)
      stop_right(one.id, begun_);
    begun_ids_.clear();
    begun_.finish(forest_, 0.0, around(Side::left, true),
                  [&](std::int32_t id) { begun_ids_.push_back(id); });
    lefts_.finish(forest_, threshold_, around(Side::left, false),
                  [&](std::int32_t id) { cell.left.push_back(partial(id)); });
    // and those or others on the left; so constituents are made.
    completes_.begin(base::at(complete_symbol(labels_.count, 0)));
    for (const auto id : begun_ids_)
      stop_left(id);
    for (const auto &one : cell.left)
      stop_left(one.id);
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
    for (const auto &one : cells_[a].right)
      join(one, cells_[b], Side::right, factor, rights_);
    for (const auto &one : cells_[b].left)
      join(one, cells_[a], Side::left, factor, lefts_);
  }

  // Most of what could be joined is too unlikely, and is passed over before it is looked at.
  void join(const Partial &one, const Cell &others, Side side, double factor, ForestBin &bin) {
    if (!partials_.allows(one.pair, side, false))
      return;
    const double share = one.weight * factor * partials_.outside(one.pair, side, false);
    for (const auto &run : others.runs)
      if ((run.above == one.label || run.above == labels_.none()) && bin.worth(share * run.largest))
        join(one, others, run, side, factor, share, bin);
  }

  void join(const Partial &one, const Cell &others, const Run &run, Side side, double factor,
            double share, ForestBin &bin) {
    const ForestNode partial = node(one.id);
    for (auto n = run.begin; n < run.end; ++n) {
      if (!bin.worth(share * others.inside[n]))
        continue;
      const auto id = others.complete[n];
      const Label modifier = node(id).label;
      const int slot = grammar_.slot(side, one.pair, modifier);
      if (slot == 0)
        continue;
      const double p = states_.probability(partial.state, modifier, slot) * factor;
      if (!bin.worth_adding(share * others.inside[n] * p / factor))
        continue;
      const auto state = states_.after(partial.state, modifier, slot);
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
      if (side == Side::right)
        bin.add(state, {Move::right, {one.id, id}, p});
      else
        bin.add(state, {Move::left, {id, one.id}, p});
    }
  }

  void add_tags(int place) {
    const double factor = std::ldexp(1.0, -chart_.scale(here_));
    for (const auto &choice : sentence_.tags[base::at(place)])
      if (chart_.allows(here_, choice.tag)) {
        ForestNode made = blank_;
        made.label = choice.tag;
        made.above = labels_.none();
        made.inside = choice.probability * factor;
        forest_.edges.push_back({Move::leaf, {-1, -1}, made.inside});
        chain_.push_back(forest_.add(made, forest_.edges.size() - 1));
      }
  }

  void stop_right(std::int32_t id, ForestBin &bin) {
    ForestNode made = node(id);
    const double p = states_.stop(made.state);
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
                 {Move::left_stop, {id, -1}, states_.stop(partial.state)});
  }

  void add_complete(ForestBin &bin, Label label, Label above, const ForestEdge &edge) {
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
    const auto symbols = base::at(complete_symbol(labels_.count, 0));
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
      p *= states_.stop(first_state(parent, above, head, side));
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
    for (std::size_t n = 0; n < cell.complete.size(); ++n) {
      const auto &one = node(cell.complete[n]);
      if (n == 0 || one.above != cell.runs.back().above)
        cell.runs.push_back({one.above, n, n, 0});
      auto &run = cell.runs.back();
      run.end = n + 1;
      run.largest = std::max(run.largest, one.inside);
      cell.inside.push_back(one.inside);
    }
  }

  // Partial constituents without modifiers.
  void start_partials(Cell &cell) {
    const auto before = cell.right.size();
    rights_.begin(states_.size());
    for (const auto id : cell.complete)
      project(id);
    rights_.finish(forest_, threshold_, around(Side::right, true),
                   [&](std::int32_t id) { cell.right.push_back(partial(id)); });
    lefts_.begin(states_.size());
    for (const auto id : begun_ids_) {
      ForestNode made = node(id);
      made.inside = 0;
      lefts_.node(made.state, made);
      lefts_.add(made.state, {Move::same, {id, -1}, 1.0});
    }
    for (auto n = before; n < cell.right.size(); ++n)
      stop_right(cell.right[n].id, lefts_);
    lefts_.finish(forest_, threshold_, around(Side::left, true), [&](std::int32_t id) {
      if (partials_.allows(pair_of(node(id)), Side::left, true))
        cell.left.push_back(partial(id));
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
  ForestBin rights_, lefts_, begun_, completes_, all_;
  std::vector<std::int32_t> chain_, begun_ids_;
};

} // namespace

Forest build_forest(const HeadModel &model, const CoarseGrammar &grammar, const CoarseChart &chart,
                    const Sentence &sentence, StateTable &states, double threshold,
                    Allowance &allowance, Forest used) {
  return Builder(model, grammar, chart, sentence, states, threshold, allowance, std::move(used))
      .build();
}

} // namespace runoff::parsing
