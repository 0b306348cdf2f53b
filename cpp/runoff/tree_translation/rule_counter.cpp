#include "runoff/tree_translation/rule_counter.hpp"

#include "runoff/base/fingerprints.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace runoff::tree_translation {

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

std::uint64_t hash(Sequences::View sequence) {
  base::Fold fold;
  for (const auto number : sequence)
    fold = fold.then(std::uint64_t{number});
  return fold.a;
}

std::uint64_t hash(std::uint32_t side, std::uint32_t target) {
  return base::Fold{}.then(std::uint64_t{side} << 32 | target).a;
}

std::uint32_t size_of(const std::vector<std::uint32_t> &all) {
  require(all.size() < NONE, "there are too many rules");
  return static_cast<std::uint32_t>(all.size());
}

} // namespace

std::uint32_t Sequences::add(View sequence) {
  if (!index_.fits(size() + 1))
    index_.grow([&](const base::NumberSlot &slot) { return hash((*this)[slot.number]); });
  auto &slot = index_[index_.place(hash(sequence), [&](const base::NumberSlot &known) {
    return std::ranges::equal((*this)[known.number], sequence);
  })];
  if (slot.is_free()) {
    require(size() < base::NumberSlot::none, "there are too many rules");
    slot.number = static_cast<std::uint32_t>(size());
    text_.insert(text_.end(), sequence.begin(), sequence.end());
    starts_.push_back(text_.size());
  }
  return slot.number;
}

std::vector<std::uint32_t> Sequences::sorted() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare((*this)[a], (*this)[b]);
  });
  return order;
}

void RuleCounter::number_productions(SourceTree &tree, std::uint32_t any_label) {
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (!tree.is_word(node)) {
      tree.production(node, scratch_);
      tree.productions[node] = productions_.add(scratch_);
      if (any_label != NONE && tree.is_tag(node)) {
        scratch_[0] = any_label;
        tree.any_productions[node] = productions_.add(scratch_);
      }
    }
}

void RuleCounter::add(std::span<const std::uint32_t> decisions,
                      std::span<const std::uint32_t> target, std::uint32_t root,
                      std::uint32_t count, std::array<float, 2> lexical) {
  const auto side = sides_.add(decisions), string = targets_.add(target);
  if (!index_.fits(rules_.size() + 1))
    index_.grow([&](const base::NumberSlot &slot) {
      return hash(rules_[slot.number].side, rules_[slot.number].target);
    });
  auto &slot = index_[index_.place(hash(side, string), [&](const base::NumberSlot &known) {
    return rules_[known.number].side == side && rules_[known.number].target == string;
  })];
  if (slot.is_free()) {
    slot.number = static_cast<std::uint32_t>(rules_.size());
    rules_.push_back({side, string, root, 0, lexical});
  }
  auto &rule = rules_[slot.number];
  rule.count += count;
  for (std::size_t k = 0; k < lexical.size(); ++k)
    rule.lexical[k] = std::max(rule.lexical[k], lexical[k]);
}

void RuleCounter::write_productions(CountedRules &made, std::vector<std::uint32_t> &ranks) const {
  ranks.resize(productions_.size());
  made.production_starts.push_back(0);
  std::uint32_t rank = 0;
  for (const auto number : productions_.sorted()) {
    ranks[number] = rank++;
    const auto own = productions_[number];
    made.production_symbols.insert(made.production_symbols.end(), own.begin(), own.end());
    made.production_starts.push_back(size_of(made.production_symbols));
  }
}

// Nodes in the order of their depth, so that the children of each are beside each other; gives the
// node of every left-hand side.
std::vector<std::uint32_t> RuleCounter::write_trie(CountedRules &made,
                                                   std::span<const std::uint32_t> ranks) const {
  Sequences renumbered;
  std::vector<std::uint32_t> own;
  for (std::size_t side = 0; side < sides_.size(); ++side) {
    own.assign(sides_[side].begin(), sides_[side].end());
    for (auto &decision : own)
      decision = decision == LEFT ? LEFT : ranks[decision - 1] + 1;
    renumbered.add(own);
  }
  const auto order = renumbered.sorted();
  std::vector<std::uint32_t> ends(sides_.size());
  struct Range {
    std::size_t begin, end, depth;
  };
  std::vector<Range> nodes{{0, order.size(), 0}};
  made.keys.push_back(LEFT);
  made.parents.push_back(0);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto [begin, end, depth] = nodes[node];
    made.first_children.push_back(size_of(made.keys));
    if (begin < end && renumbered[order[begin]].size() == depth) {
      ends[order[begin]] = static_cast<std::uint32_t>(node); // none is the beginning of another
      continue;
    }
    for (std::size_t first = begin; first < end;) {
      const auto key = renumbered[order[first]][depth];
      std::size_t last = first;
      while (last < end && renumbered[order[last]][depth] == key)
        ++last;
      made.keys.push_back(key);
      made.parents.push_back(static_cast<std::uint32_t>(node));
      nodes.push_back({first, last, depth + 1});
      first = last;
    }
  }
  made.first_children.push_back(size_of(made.keys));
  return ends;
}

CountedRules RuleCounter::sorted() const {
  CountedRules made;
  std::vector<std::uint32_t> ranks;
  write_productions(made, ranks);
  const auto ends = write_trie(made, ranks);
  std::vector<std::uint32_t> target_ranks(targets_.size());
  std::uint32_t rank = 0;
  for (const auto number : targets_.sorted())
    target_ranks[number] = rank++;
  std::vector<std::uint32_t> order(rules_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    const auto &a = rules_[i], &b = rules_[j];
    if (a.side != b.side)
      return ends[a.side] < ends[b.side];
    if (a.count != b.count)
      return a.count > b.count;
    return target_ranks[a.target] < target_ranks[b.target];
  });
  made.target_starts.push_back(0);
  for (const auto number : order) {
    const auto &rule = rules_[number];
    while (made.first_rules.size() <= ends[rule.side])
      made.first_rules.push_back(static_cast<std::uint32_t>(made.counts.size()));
    const auto words = targets_[rule.target];
    made.targets.insert(made.targets.end(), words.begin(), words.end());
    made.target_starts.push_back(size_of(made.targets));
    made.sides.insert(made.sides.end(), {ends[rule.side], target_ranks[rule.target], rule.root});
    made.counts.push_back(rule.count);
    made.lexical.insert(made.lexical.end(), rule.lexical.begin(), rule.lexical.end());
  }
  made.first_rules.resize(made.keys.size() + 1, static_cast<std::uint32_t>(made.counts.size()));
  return made;
}

} // namespace runoff::tree_translation
