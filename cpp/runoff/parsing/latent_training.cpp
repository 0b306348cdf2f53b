// Split, EM, merge: Petrov et al. 2006, sections 2.1 to 2.4.

#include "runoff/base/at.hpp"
#include "runoff/parsing/latent_grammar.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace runoff::parsing {
namespace {

// Trees are dealt into so many parts, whatever the threads; what parts count is added up in order.
constexpr std::size_t PARTS = 8;
constexpr std::size_t ENTRIES_PER_BLOCK = 1 << 14;
constexpr double NOISE = 0.01;    // that tells the halves of a split apart
constexpr double LEAST = 0.01;    // entries expected less often in all trees are dropped
constexpr double UNLIKELY = 1e-4; // substates of a node with a smaller share are passed over
constexpr int MOST_CYCLES = 7;    // substates are numbered in a byte

// Uniform between -1 and 1 (SplitMix64, Steele et al. 2014).
class Noise {
public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    auto z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
  }

private:
  std::uint64_t state_;
};

// The entries of one rule, with those that are 0.
struct Block {
  std::uint32_t lefts, rights;
  std::vector<double> values;

  double &at(std::size_t parent, std::size_t left, std::size_t right) {
    return values[(parent * lefts + left) * rights + right];
  }
};

class Trainer {
public:
  Trainer(Label labels, std::span<const LatentTree> trees, const base::Threads &threads);

  void split(Noise &noise);
  void iterate();           // one step of EM
  void merge(double share); // takes back so large a share of the splits
  LatentRules rounded() const;

private:
  using Outside = std::vector<double>;

  // Calls one(part, tree, inside, outside) for every tree; outside values are such that inside
  // times outside adds up to 1 at every node.
  template <typename One> void each_tree(const One &one, std::vector<double> *counts);
  // What surrounds a node, and the entries of its rule.
  struct Above {
    std::size_t first, last;
    const double *shared, *own, *within; // by substate: what surrounds it, smoothed; as it is; and
                                         // what is inside
  };
  void count_words(const Above &above, double *counts) const;
  void outside_of_one(const Above &above, const double *child, double *below, double *counts) const;
  void outside_of_two(const Above &above, const double *left, const double *right, double *below,
                      double *beside, double *counts) const;
  std::vector<double> shares_of_halves() const;
  std::vector<std::pair<double, std::size_t>> losses_of_merging(const std::vector<double> &shares);
  // Calls visit with the first of every pair of halves, the substates 2k and 2k + 1 of a symbol.
  template <typename Visit> void each_pair(const Visit &visit) const {
    for (std::size_t symbol = 0; symbol < grammar_.substates.size(); ++symbol)
      for (std::size_t n = 0; n + 1 < grammar_.substates[symbol]; n += 2)
        visit(states_[symbol] + n);
  }
  void outside(const LatentTree &tree, std::span<const std::int32_t> rules,
               const LatentInside &inside, Outside &values, double *counts) const;
  // Probabilities from counts of entries; entries counted less often than `least` are dropped.
  void normalise(std::span<const double> counts, double least = 0);
  // New entries from the old ones, once the numbers of substates have changed: add(rule, entry,
  // block) puts an entry where it belongs now.
  template <typename Add> void rebuild(const Add &add);
  std::size_t state(Label symbol, std::size_t substate) const {
    return states_[base::at(symbol)] + substate;
  }
  void number_states();

  LatentRules grammar_;
  std::span<const LatentTree> trees_;
  std::vector<std::vector<std::int32_t>> rules_; // of the nodes of each tree
  std::vector<std::size_t> states_;              // first substate of each symbol, among all
  std::vector<double> totals_;                   // expected count of each substate
  const base::Threads &threads_;
};

Trainer::Trainer(Label labels, std::span<const LatentTree> trees, const base::Threads &threads)
    : trees_(trees), rules_(trees.size()), threads_(threads) {
  std::map<LatentRule, double> counts;
  for (const auto &tree : trees)
    for (const auto &node : tree)
      ++counts[rule_of(tree, node)];
  grammar_.labels = labels;
  grammar_.substates.assign(2 * base::at(labels), 1);
  std::vector<double> values;
  for (const auto &[rule, count] : counts) {
    grammar_.rules.push_back(rule);
    grammar_.entries.push_back({0, 0, 0, 0.0F});
    grammar_.offsets.push_back(static_cast<std::uint32_t>(grammar_.entries.size()));
    values.push_back(count);
  }
  for (std::size_t n = 0; n < trees.size(); ++n)
    for (const auto &node : trees[n]) {
      const auto found = std::ranges::lower_bound(grammar_.rules, rule_of(trees[n], node));
      rules_[n].push_back(static_cast<std::int32_t>(found - grammar_.rules.begin()));
    }
  number_states();
  normalise(values);
}

void Trainer::number_states() {
  states_.assign(1, 0);
  for (const auto count : grammar_.substates)
    states_.push_back(states_.back() + count);
}

template <typename Add> void Trainer::rebuild(const Add &add) {
  std::vector<LatentEntry> entries;
  std::vector<std::uint32_t> offsets{0};
  std::vector<double> values;
  Block block;
  for (std::size_t n = 0; n < grammar_.rules.size(); ++n) {
    const auto &rule = grammar_.rules[n];
    std::tie(block.lefts, block.rights) = grammar_.below(rule);
    block.values.assign(grammar_.substates[base::at(rule.parent)] * block.lefts * block.rights,
                        0.0);
    for (const auto &entry : grammar_.of(n))
      add(rule, entry, block);
    for (std::size_t place = 0; place < block.values.size(); ++place)
      if (block.values[place] > 0) {
        entries.push_back(grammar_.entry_at(rule, static_cast<std::uint32_t>(place), 0.0F));
        values.push_back(block.values[place]);
      }
    offsets.push_back(static_cast<std::uint32_t>(entries.size()));
  }
  grammar_.entries = std::move(entries);
  grammar_.offsets = std::move(offsets);
  number_states();
  normalise(values);
}

void Trainer::normalise(std::span<const double> counts, double least) {
  totals_.assign(states_.back(), 0.0);
  for (std::size_t rule = 0; rule < grammar_.rules.size(); ++rule)
    for (auto n = grammar_.offsets[rule]; n < grammar_.offsets[rule + 1]; ++n)
      totals_[state(grammar_.rules[rule].parent, grammar_.entries[n].parent)] += counts[n];
  std::uint32_t kept = 0, first = 0;
  for (std::size_t rule = 0; rule < grammar_.rules.size(); ++rule) {
    const auto last = grammar_.offsets[rule + 1];
    for (auto n = first; n < last; ++n) {
      auto entry = grammar_.entries[n];
      const double total = totals_[state(grammar_.rules[rule].parent, entry.parent)];
      entry.probability = static_cast<float>(counts[n] / total);
      if (counts[n] > least)
        grammar_.entries[kept++] = entry;
    }
    first = last;
    grammar_.offsets[rule + 1] = kept;
  }
  grammar_.entries.resize(kept);
}

template <typename One> void Trainer::each_tree(const One &one, std::vector<double> *counts) {
  const auto size = grammar_.entries.size();
  if (counts)
    counts->assign(PARTS * size, 0.0);
  base::in_blocks(PARTS, 1, threads_, [&](std::size_t begin, std::size_t end) {
    LatentInside inside;
    Outside outer;
    for (auto part = begin; part < end; ++part)
      for (auto n = part * trees_.size() / PARTS; n < (part + 1) * trees_.size() / PARTS; ++n) {
        inside.run(grammar_, trees_[n], rules_[n]);
        outside(trees_[n], rules_[n], inside, outer,
                counts ? counts->data() + part * size : nullptr);
        one(part, trees_[n], inside, outer);
      }
  });
}

void Trainer::outside(const LatentTree &tree, std::span<const std::int32_t> rules,
                      const LatentInside &inside, Outside &values, double *counts) const {
  values.assign(inside.offset(tree.size()), 0.0);
  const auto of = [&](std::int32_t node) { return values.data() + inside.offset(base::at(node)); };
  const auto root = inside.of(tree.size() - 1);
  const double sum = std::accumulate(root.begin(), root.end(), 0.0);
  std::fill_n(of(static_cast<std::int32_t>(tree.size()) - 1), root.size(), 1.0 / sum);
  std::vector<double> shared;
  for (auto n = tree.size(); n-- > 0;) {
    const auto &node = tree[n];
    const auto states = inside.of(n).size();
    const double *const own = of(static_cast<std::int32_t>(n));
    shared.assign(own, own + states);
    share(shared, latent_smoothing(node));
    for (auto &value : shared)
      value /= inside.largest(n);
    const Above above{grammar_.offsets[base::at(rules[n])],
                      grammar_.offsets[base::at(rules[n]) + 1], shared.data(), own,
                      inside.of(n).data()};
    if (node.left < 0)
      count_words(above, counts);
    else if (node.right < 0)
      outside_of_one(above, inside.of(base::at(node.left)).data(), of(node.left), counts);
    else
      outside_of_two(above, inside.of(base::at(node.left)).data(),
                     inside.of(base::at(node.right)).data(), of(node.left), of(node.right), counts);
  }
}

void Trainer::count_words(const Above &above, double *counts) const {
  const LatentEntry *const entries = grammar_.entries.data();
  if (counts)
    for (auto e = above.first; e < above.last; ++e)
      counts[e] += above.shared[entries[e].parent] * entries[e].probability;
}

void Trainer::outside_of_one(const Above &above, const double *child, double *below,
                             double *counts) const {
  const LatentEntry *const entries = grammar_.entries.data();
  for (auto e = above.first; e < above.last; ++e) {
    const double share = above.shared[entries[e].parent] * entries[e].probability;
    below[entries[e].left] += share;
    if (counts)
      counts[e] += share * child[entries[e].left];
  }
}

void Trainer::outside_of_two(const Above &above, const double *left, const double *right,
                             double *below, double *beside, double *counts) const {
  const LatentEntry *const entries = grammar_.entries.data();
  for (auto e = above.first; e < above.last;) {
    const auto parent = entries[e].parent, one = entries[e].left;
    if (above.own[parent] * above.within[parent] < UNLIKELY) {
      while (++e < above.last && entries[e].parent == parent)
        ;
      continue;
    }
    const double with_left = above.shared[parent] * left[one];
    double sum = 0; // over the substates to the right, in a register
    do {
      const double both = entries[e].probability * right[entries[e].right];
      sum += both;
      beside[entries[e].right] += with_left * entries[e].probability;
      if (counts)
        counts[e] += with_left * both;
    } while (++e < above.last && entries[e].parent == parent && entries[e].left == one);
    below[one] += above.shared[parent] * sum;
  }
}

void Trainer::iterate() {
  std::vector<double> counts;
  each_tree([](auto &&...) {}, &counts);
  const auto size = grammar_.entries.size();
  base::in_blocks(size, ENTRIES_PER_BLOCK, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = 1; part < PARTS; ++part)
      for (auto n = begin; n < end; ++n)
        counts[n] += counts[part * size + n];
  });
  normalise(std::span(counts).first(size), LEAST);
}

void Trainer::split(Noise &noise) {
  const auto before = grammar_.substates;
  const auto root = trees_.front().back().symbol; // has one substate
  for (Label symbol = 0; symbol < 2 * grammar_.labels; ++symbol)
    if (auto &count = grammar_.substates[base::at(symbol)]; symbol != root)
      count = static_cast<std::uint8_t>(2 * count);
  const auto halves = [&](Label symbol) -> std::size_t {
    return grammar_.substates[base::at(symbol)] / before[base::at(symbol)];
  };
  rebuild([&](const LatentRule &rule, const LatentEntry &entry, Block &block) {
    const auto parents = halves(rule.parent), lefts = block.lefts > 1 ? halves(rule.left) : 1,
               rights = block.rights > 1 ? halves(rule.right) : 1;
    for (std::size_t p = 0; p < parents; ++p)
      for (std::size_t l = 0; l < lefts; ++l)
        for (std::size_t r = 0; r < rights; ++r)
          block.at(entry.parent * parents + p, entry.left * lefts + l, entry.right * rights + r) =
              entry.probability / static_cast<double>(lefts * rights) * (1 + NOISE * noise());
  });
}

// The share of each substate in its pair of halves.
std::vector<double> Trainer::shares_of_halves() const {
  std::vector<double> shares(states_.back(), 0.5);
  each_pair([&](std::size_t one) {
    if (const double both = totals_[one] + totals_[one + 1]; both > 0) {
      shares[one] = totals_[one] / both;
      shares[one + 1] = totals_[one + 1] / both;
    }
  });
  return shares;
}

// What the logarithm of the trees' probability would lose, for each pair of halves, with the first
// of them.
std::vector<std::pair<double, std::size_t>>
Trainer::losses_of_merging(const std::vector<double> &shares) {
  const auto states = states_.back();
  std::vector<double> losses(PARTS * states, 0.0);
  each_tree(
      [&](std::size_t part, const LatentTree &tree, const LatentInside &inside,
          const Outside &outer) {
        for (std::size_t n = 0; n < tree.size(); ++n) {
          const auto in = inside.of(n);
          const double *const out = outer.data() + inside.offset(n);
          const auto first = state(tree[n].symbol, 0);
          for (std::size_t x = 0; x + 1 < in.size(); x += 2) {
            const double merged = (shares[first + x] * in[x] + shares[first + x + 1] * in[x + 1]) *
                                  (out[x] + out[x + 1]);
            const double rest = 1 - in[x] * out[x] - in[x + 1] * out[x + 1];
            losses[part * states + first + x] -= std::log(std::max(rest + merged, 1e-300));
          }
        }
      },
      nullptr);
  std::vector<std::pair<double, std::size_t>> pairs;
  each_pair([&](std::size_t one) {
    for (std::size_t part = 1; part < PARTS; ++part)
      losses[one] += losses[part * states + one];
    pairs.emplace_back(losses[one], one);
  });
  return pairs;
}

void Trainer::merge(double amount) {
  const auto states = states_.back();
  auto shares = shares_of_halves();
  auto pairs = losses_of_merging(shares);
  std::ranges::sort(pairs);
  std::vector<char> taken_back(states, 0);
  for (std::size_t n = 0; n < static_cast<std::size_t>(amount * static_cast<double>(pairs.size()));
       ++n)
    taken_back[pairs[n].second] = 1;
  std::vector<std::uint8_t> renamed(states, 0);
  for (std::size_t symbol = 0; symbol < grammar_.substates.size(); ++symbol) {
    std::uint8_t next = 0;
    for (auto n = states_[symbol]; n < states_[symbol + 1]; ++n)
      renamed[n] =
          n > states_[symbol] && taken_back[n - 1] ? static_cast<std::uint8_t>(next - 1) : next++;
    grammar_.substates[symbol] = next;
  }
  for (std::size_t n = 0; n < states; ++n)
    if (!taken_back[n] && (n == 0 || !taken_back[n - 1]))
      shares[n] = 1;
  const auto number = [&](Label symbol, std::size_t substate) -> std::size_t {
    return symbol < 0 ? 0 : renamed[state(symbol, substate)];
  };
  rebuild([&](const LatentRule &rule, const LatentEntry &entry, Block &block) {
    const auto right = rule.left < 0 ? -1 : rule.right;
    block.at(number(rule.parent, entry.parent), number(rule.left, entry.left),
             number(right, entry.right)) +=
        shares[state(rule.parent, entry.parent)] * entry.probability;
  });
}

LatentRules Trainer::rounded() const {
  auto result = grammar_;
  for (auto &entry : result.entries)
    entry.probability = latent_probability(latent_code(entry.probability));
  return result;
}

} // namespace

LatentGrammar train_latent_grammar(Label labels, std::span<const LatentTree> trees,
                                   const LatentOptions &options, const base::Threads &threads) {
  if (trees.empty())
    throw std::invalid_argument("a grammar cannot learn from no trees");
  if (options.cycles < 0 || options.cycles > MOST_CYCLES || options.iterations < 1 ||
      !(options.merged >= 0 && options.merged <= 1))
    throw std::invalid_argument("cycles lie between 0 and 7, iterations are at least 1, and the "
                                "share of splits that is taken back lies between 0 and 1");
  Trainer trainer(labels, trees, threads);
  Noise noise(options.seed);
  for (int cycle = 0; cycle < options.cycles; ++cycle) {
    trainer.split(noise);
    for (int n = 0; n < options.iterations; ++n)
      trainer.iterate();
    trainer.merge(options.merged);
    for (int n = 0; n < options.iterations / 4; ++n)
      trainer.iterate();
  }
  return LatentGrammar(trainer.rounded());
}

} // namespace runoff::parsing
