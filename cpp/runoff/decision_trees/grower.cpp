#include "runoff/decision_trees/grower.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <limits>
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
  Growth(const CachedRows &rows, std::span<const std::int64_t> weights, std::int64_t lambda,
         std::int64_t least)
      : rows_(rows), weights_(weights), lambda_(lambda), least_(least), places_(rows.size(), none) {
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (weights[row] != 0) {
        places_[row] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(row);
      }
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
          split && gain(split->with, lambda_) + gain(split->without, lambda_) >
                       gain(node.sum(), lambda_) + least_)
        divide(std::move(node), split->atom);
      else
        close(std::move(node));
    }
    return in_preorder();
  }

private:
  // Leaves a node for later, unless it is a leaf already.
  void keep(Open &&node) {
    if (node.may_be_split(lambda_))
      open_.push_back(std::move(node));
    else
      close(std::move(node));
  }

  void close(Open &&node) {
    ends_.push_back({node.node, node.begin, node.end});
    node.sums.clear();
    spare_.push_back(std::move(node.sums));
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
    Open large{yes_is_small ? no : yes,          yes_is_small ? node.begin : middle,
               yes_is_small ? middle : node.end, node.plus - small.plus,
               node.minus - small.minus,         std::move(node.sums)};
    const auto rows = std::span(order_).subspan(small.begin, small.end - small.begin);
    if (small.may_be_split(lambda_)) {
      if (!spare_.empty()) {
        small.sums = std::move(spare_.back());
        spare_.pop_back();
      }
      small.sums.add_some(rows_, weights_, rows);
    }
    if (large.may_be_split(lambda_))
      large.sums.subtract(rows_, weights_, rows);
    // The smaller one is grown first, so that few sums are held at a time.
    keep(std::move(large));
    keep(std::move(small));
  }

  // Puts the rows of a node that have an atom after those that have not; where they begin.
  std::size_t partition(const Open &node, Atom atom) {
    auto middle = static_cast<std::uint32_t>(node.end);
    for (const auto row : rows_.column(atom)) {
      const auto place = places_[row];
      if (place < node.begin || place >= node.end)
        continue;
      const auto other = order_[--middle];
      std::swap(order_[place], order_[middle]);
      std::swap(places_[row], places_[other]);
    }
    return middle;
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
  const std::int64_t lambda_, least_;
  std::vector<std::uint32_t> order_;  // rows with a weight, those of a node side by side
  std::vector<std::uint32_t> places_; // rows: where they are in the order, or none
  std::vector<Link> links_;
  std::vector<Open> open_;
  std::vector<End> ends_;       // leaves
  std::vector<AtomSums> spare_; // empty sums that have memory
};

} // namespace

std::int64_t Split::largest_lambda() const { return std::max(std::abs(with), std::abs(without)); }

std::int64_t gain(std::int64_t sum, std::int64_t lambda) {
  return std::max<std::int64_t>(0, std::abs(sum) - lambda);
}

void AtomSums::add_all(const CachedRows &rows, std::span<const std::int64_t> weights,
                       const base::Threads &threads) {
  sums_.assign(rows.n_atoms(), 0);
  base::in_blocks(sums_.size(), atoms_per_block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t atom = begin; atom < end; ++atom)
      for (const auto row : rows.column(atom))
        sums_[atom] += weights[row];
  });
  blocks_.assign((sums_.size() + per_block - 1) / per_block, {});
}

void AtomSums::add_some(const CachedRows &rows, std::span<const std::int64_t> weights,
                        std::span<const std::uint32_t> some) {
  sums_.resize(rows.n_atoms());
  std::size_t entries = 0;
  for (const auto row : some)
    entries += rows.row(row).size();
  const bool has_list = entries <= sums_.size() / few;
  for (const auto row : some)
    for (const auto atom : rows.row(row)) {
      if (has_list && sums_[atom] == 0)
        touched_.push_back(atom); // again, where others have cancelled out
      sums_[atom] += weights[row];
    }
  if (!has_list)
    blocks_.assign((sums_.size() + per_block - 1) / per_block, {});
}

void AtomSums::subtract(const CachedRows &rows, std::span<const std::int64_t> weights,
                        std::span<const std::uint32_t> some) {
  if (blocks_.empty()) {
    for (const auto row : some)
      for (const auto atom : rows.row(row))
        sums_[atom] -= weights[row];
    return;
  }
  for (const auto row : some)
    for (const auto atom : rows.row(row)) {
      auto &block = blocks_[atom / per_block];
      const auto before = sums_[atom], after = before - weights[row];
      sums_[atom] = after;
      block.is_stale |=
          (before == block.low && after > before) || (before == block.high && after < before);
      block.low = std::min(block.low, after);
      block.high = std::max(block.high, after);
    }
}

void AtomSums::clear() {
  if (blocks_.empty())
    for (const auto atom : touched_)
      sums_[atom] = 0;
  else
    std::fill(sums_.begin(), sums_.end(), 0);
  blocks_.clear();
  touched_.clear();
}

void AtomSums::refresh(std::size_t block) {
  const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(block * per_block);
  const auto end =
      sums_.begin() + static_cast<std::ptrdiff_t>(std::min((block + 1) * per_block, sums_.size()));
  const auto [low, high] = std::minmax_element(begin, end);
  blocks_[block] = {*low, *high, false};
}

Atom AtomSums::first_with(std::int64_t low, std::int64_t high) const {
  Atom first = none;
  const auto look = [&](Atom atom) {
    if (sums_[atom] == low || sums_[atom] == high)
      first = std::min(first, atom);
  };
  for (const auto atom : touched_)
    look(atom);
  for (std::size_t block = 0; block < blocks_.size() && first == none; ++block)
    if (blocks_[block].low <= low || blocks_[block].high >= high)
      for (auto atom = block * per_block; atom < std::min((block + 1) * per_block, sums_.size());
           ++atom)
        look(static_cast<Atom>(atom));
  return first;
}

std::optional<Split> AtomSums::best(std::int64_t sum) {
  std::int64_t low = 0, high = 0;
  for (const auto atom : touched_) {
    low = std::min(low, sums_[atom]);
    high = std::max(high, sums_[atom]);
  }
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    if (blocks_[block].is_stale)
      refresh(block);
    low = std::min(low, blocks_[block].low);
    high = std::max(high, blocks_[block].high);
  }
  const auto apart = std::max(sum - 2 * low, 2 * high - sum); // |Da - Db|
  if (apart <= std::abs(sum))
    return std::nullopt; // no atom has sides of different signs
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  const auto first =
      first_with(sum - 2 * low == apart ? low : -never, 2 * high - sum == apart ? high : never);
  return Split{first, sums_[first], sum - sums_[first]};
}

Grower::Grower(const CachedRows &rows, std::vector<std::int64_t> weights,
               const base::Threads &threads)
    : rows_(rows), weights_(std::move(weights)) {
  sums_.add_all(rows, weights_, threads);
  root_ = sums_.best(std::reduce(weights_.begin(), weights_.end()));
}

Grown Grower::grow(std::int64_t lambda, std::int64_t least, const base::Poll &poll) const {
  return Growth(rows_, weights_, lambda, least).grow(sums_, poll);
}

} // namespace runoff::decision_trees
