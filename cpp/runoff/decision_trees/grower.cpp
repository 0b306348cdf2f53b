#include "runoff/decision_trees/grower.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace runoff::decision_trees {
namespace {

constexpr std::size_t atoms_per_block = 1 << 12;
constexpr std::size_t few = 8; // as a list, touched atoms pay up to this part of all atoms

// A node whose subtree is still to be grown.
struct Open {
  std::uint32_t node;
  std::size_t begin, end; // its rows, places in the order of rows
  std::int64_t plus, minus;
  AtomSums sums;

  std::int64_t sum() const { return plus - minus; }
  // Of no split can the larger side exceed all weight of one sign, nor be there another side where
  // all examples have the same sign.
  bool may_be_split(std::int64_t lambda) const {
    return std::min(plus, minus) > 0 && std::max(plus, minus) > lambda;
  }
};

struct Link {
  Atom atom = 0;
  std::uint32_t no = 0, yes = 0;

  bool is_leaf() const { return yes == 0; }
};

// One tree while it grows.
class Growth {
public:
  Growth(const CachedRows &rows, std::span<const std::int64_t> weights, std::int64_t lambda)
      : rows_(rows), weights_(weights), lambda_(lambda), order_(rows.size()),
        has_atom_(rows.size(), 0) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  Grown grow(AtomSums root, const base::Poll &poll) {
    links_.emplace_back();
    auto all = weighed(0, 0, order_.size());
    all.sums = std::move(root);
    keep(std::move(all));
    while (!open_.empty()) {
      poll();
      auto node = std::move(open_.back());
      open_.pop_back();
      if (const auto split = node.sums.best(node.sum());
          split &&
          gain(split->with, lambda_) + gain(split->without, lambda_) > gain(node.sum(), lambda_))
        divide(std::move(node), split->atom);
      else
        ends_.push_back({node.node, node.begin, node.end});
    }
    return in_preorder();
  }

private:
  // Leaves a node for later, unless it is a leaf already.
  void keep(Open &&node) {
    if (node.may_be_split(lambda_))
      open_.push_back(std::move(node));
    else
      ends_.push_back({node.node, node.begin, node.end});
  }

  Open weighed(std::uint32_t node, std::size_t begin, std::size_t end) const {
    Open made{node, begin, end, 0, 0, {}};
    for (auto at = begin; at < end; ++at) {
      const auto weight = weights_[order_[at]];
      (weight > 0 ? made.plus : made.minus) += weight > 0 ? weight : -weight;
    }
    return made;
  }

  void divide(Open node, Atom atom) {
    const auto middle = partition(node, atom);
    const auto no = static_cast<std::uint32_t>(links_.size()), yes = no + 1;
    links_.resize(links_.size() + 2);
    links_[node.node] = {atom, no, yes};
    const bool yes_is_small = node.end - middle < middle - node.begin;
    auto small = yes_is_small ? weighed(yes, middle, node.end) : weighed(no, node.begin, middle);
    auto large = yes_is_small ? weighed(no, node.begin, middle) : weighed(yes, middle, node.end);
    const auto rows = std::span(order_).subspan(small.begin, small.end - small.begin);
    if (small.may_be_split(lambda_))
      small.sums.add_some(rows_, weights_, rows);
    if (large.may_be_split(lambda_)) {
      node.sums.subtract(rows_, weights_, rows, small.sums);
      large.sums = std::move(node.sums);
    }
    // The smaller one is grown first, so that few sums are held at a time.
    keep(std::move(large));
    keep(std::move(small));
  }

  // Puts the rows of a node that have an atom after those that have not; where they begin.
  std::size_t partition(const Open &node, Atom atom) {
    for (const auto row : rows_.column(atom))
      has_atom_[row] = 1;
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(node.begin);
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(node.end);
    const auto middle = std::partition(first, last, [&](auto row) { return !has_atom_[row]; });
    for (const auto row : rows_.column(atom))
      has_atom_[row] = 0;
    return static_cast<std::size_t>(middle - order_.begin());
  }

  Grown in_preorder() const {
    Grown grown{{}, std::vector<std::uint32_t>(rows_.size())};
    std::vector<std::uint32_t> places(links_.size());
    struct Visit {
      std::uint32_t node, parent;
      bool is_yes;
    };
    std::vector<Visit> stack{{0, 0, false}};
    while (!stack.empty()) {
      const auto [node, parent, is_yes] = stack.back();
      stack.pop_back();
      places[node] = static_cast<std::uint32_t>(grown.tree.size());
      if (is_yes)
        grown.tree[places[parent]].yes = places[node];
      grown.tree.push_back({links_[node].atom, 0, 0.0});
      if (!links_[node].is_leaf()) {
        stack.push_back({links_[node].yes, node, true});
        stack.push_back({links_[node].no, node, false});
      }
    }
    for (const auto &[node, begin, end] : ends_)
      for (auto at = begin; at < end; ++at)
        grown.leaf[order_[at]] = places[node];
    return grown;
  }

  struct End {
    std::uint32_t node;
    std::size_t begin, end;
  };

  const CachedRows &rows_;
  const std::span<const std::int64_t> weights_;
  const std::int64_t lambda_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> has_atom_; // rows
  std::vector<Link> links_;
  std::vector<Open> open_;
  std::vector<End> ends_; // leaves
};

} // namespace

std::int64_t Split::largest_lambda() const { return std::max(std::abs(with), std::abs(without)); }

std::int64_t gain(std::int64_t sum, std::int64_t lambda) {
  return std::max<std::int64_t>(0, std::abs(sum) - lambda);
}

void AtomSums::add_all(const CachedRows &rows, std::span<const std::int64_t> weights,
                       const base::Threads &threads) {
  sums_.assign(rows.n_atoms(), 0);
  all_touched_ = true;
  base::in_blocks(sums_.size(), atoms_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t atom = begin; atom < end; ++atom)
      for (const auto row : rows.column(atom))
        sums_[atom] += weights[row];
  });
}

void AtomSums::add_some(const CachedRows &rows, std::span<const std::int64_t> weights,
                        std::span<const std::uint32_t> some) {
  sums_.assign(rows.n_atoms(), 0);
  std::size_t entries = 0;
  for (const auto row : some)
    entries += rows.row(row).size();
  all_touched_ = entries > sums_.size() / few;
  for (const auto row : some)
    for (const auto atom : rows.row(row)) {
      if (!all_touched_ && sums_[atom] == 0)
        touched_.push_back(atom); // again, where others have cancelled out
      sums_[atom] += weights[row];
    }
}

void AtomSums::subtract(const CachedRows &rows, std::span<const std::int64_t> weights,
                        std::span<const std::uint32_t> some, const AtomSums &theirs) {
  if (theirs.all_touched_)
    for (std::size_t atom = 0; atom < sums_.size(); ++atom)
      sums_[atom] -= theirs.sums_[atom];
  else
    for (const auto row : some)
      for (const auto atom : rows.row(row))
        sums_[atom] -= weights[row];
}

template <typename Visit> void AtomSums::each(Visit &&visit) const {
  if (all_touched_)
    for (std::size_t atom = 0; atom < sums_.size(); ++atom)
      visit(static_cast<Atom>(atom));
  else
    for (const auto atom : touched_)
      visit(atom);
}

std::optional<Split> AtomSums::best(std::int64_t sum) const {
  std::int64_t low = 0, high = 0;
  each([&](Atom atom) {
    low = std::min(low, sums_[atom]);
    high = std::max(high, sums_[atom]);
  });
  const auto apart = std::max(sum - 2 * low, 2 * high - sum); // |Da - Db|
  if (apart <= std::abs(sum))
    return std::nullopt; // no atom has sides of different signs
  Atom first = none;
  each([&](Atom atom) {
    if (std::abs(sum - 2 * sums_[atom]) == apart)
      first = std::min(first, atom);
  });
  return Split{first, sums_[first], sum - sums_[first]};
}

Grower::Grower(const CachedRows &rows, std::vector<std::int64_t> weights,
               const base::Threads &threads)
    : rows_(rows), weights_(std::move(weights)) {
  sums_.add_all(rows, weights_, threads);
  root_ = sums_.best(std::reduce(weights_.begin(), weights_.end()));
}

Grown Grower::grow(std::int64_t lambda, const base::Poll &poll) {
  return Growth(rows_, weights_, lambda).grow(sums_, poll);
}

} // namespace runoff::decision_trees
