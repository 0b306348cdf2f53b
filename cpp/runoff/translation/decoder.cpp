#include "runoff/translation/decoder.hpp"

#include "runoff/base/budget.hpp"
#include "runoff/base/fingerprints.hpp"
#include "runoff/base/hash_index.hpp"
#include "runoff/base/word_trie.hpp"
#include "runoff/search/kbest.hpp"
#include "runoff/translation/coverage.hpp"
#include "runoff/translation/lm_states.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace runoff::translation {

namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr std::int32_t NONE = -1;

// How much less than without a history the words at a block's border may cost, in logarithms of
// probabilities: options that would be pruned even then are not looked at.
constexpr double BORDER_SLACK = 1.0;

// A state of the search after a block.
struct Node {
  Coverage covered;
  std::int32_t begin, end; // interval of the last block
  std::uint32_t after;     // of its option
  std::uint32_t lm;
  std::uint32_t place; // words of a given target so far
  // The cheapest way to it.
  double cost, block_cost;
  std::int32_t back;
  std::uint32_t option;
  double estimate;           // of what is to come
  std::int32_t edges = NONE; // all ways to it, a list

  bool same(const Node &other) const {
    return covered == other.covered && begin == other.begin && end == other.end &&
           after == other.after && lm == other.lm && place == other.place;
  }
  std::uint64_t hash() const {
    return base::Fold{}
        .then(covered.mask)
        .then(std::uint64_t{covered.first} << 32 | lm)
        .then(static_cast<std::uint64_t>(begin) << 48 ^ static_cast<std::uint64_t>(end) << 32 ^
              std::uint64_t{after} << 16 ^ place)
        .a;
  }
};

// The number of a node, and a part of its hash, so that few other nodes are looked at.
struct NodeSlot {
  std::uint32_t number = base::NumberSlot::none, tag = 0;
  bool is_free() const { return number == base::NumberSlot::none; }
};

// A way to a node.
struct Way {
  std::int32_t back;
  std::uint32_t option;
  double cost; // of the block
  std::int32_t next;
};

// A state in a list; of its last block so many words are not covered yet, each of which will add a
// share of the block's cost to the score by which states are compared.
struct Active {
  std::int32_t node;
  std::uint32_t left;
  double score, share;
  bool is_new; // so that a cheaper way to it may still be found

  bool is_open() const { return left > 0; }
};

Orientation orientation(std::int32_t last_begin, std::int32_t last_end, std::int32_t begin,
                        std::int32_t end) {
  return begin == last_end + 1   ? Orientation::monotone
         : end + 1 == last_begin ? Orientation::swap
                                 : Orientation::other;
}

class Search {
public:
  Search(const Models &models, const PhraseOptions &options, const SearchOptions &how, bool graph)
      : models_(models), options_(options), how_(how), graph_(graph), lm_(models, options),
        lists_(options.size() + 1), best_(options.size() + 1, INFINITE),
        cutoffs_(options.size() + 1, INFINITE), checked_(options.size() + 1, 2 * how.histogram),
        budget_(how.budget), slack_(BORDER_SLACK * std::abs(models.weights[feature::BORDER])),
        border_weight_(models.weights[feature::BORDER] * std::numbers::ln10) {}

  Translations run(std::size_t n, bool distinct, const base::Poll &poll) {
    Node start{};
    start.begin = start.end = NONE;
    start.lm = lm_.begin();
    start.after = 0;
    start.back = NONE;
    nodes_.push_back(start);
    const std::size_t size = options_.size();
    lists_[0].push_back(active(0));
    for (std::size_t c = 0; c < size; ++c) {
      poll();
      late_ = budget_.is_spent();
      prune(c);
      for (const auto &active : lists_[c])
        advance(active, c);
      lists_[c] = {};
    }
    prune(size);
    return finish(n, distinct);
  }

private:
  // A node whose last block begins to be covered.
  Active active(std::int32_t number) const {
    const Node &node = nodes_[base::at(number)];
    Active made{number, 0, node.cost + node.estimate, 0, true};
    if (how_.single_beam && node.begin >= 0) {
      made.left = static_cast<std::uint32_t>(node.end - node.begin);
      if (!how_.completion)
        made.share = node.block_cost / static_cast<double>(made.left + 1);
      made.score -= made.share * static_cast<double>(made.left);
    }
    return made;
  }

  // What is covered when only a part of the last block is.
  Coverage covered(const Active &active) const {
    const Node &node = nodes_[base::at(active.node)];
    if (!active.is_open())
      return node.covered;
    return nodes_[base::at(node.back)].covered.with(
        static_cast<std::uint32_t>(node.begin), static_cast<std::uint32_t>(node.end) - active.left);
  }

  void prune(std::size_t c) {
    auto &list = lists_[c];
    double best = INFINITE;
    for (auto &one : list) {
      if (one.is_new)
        one = active(one.node);
      one.is_new = false;
      best = std::min(best, one.score);
    }
    std::erase_if(list, [&](const Active &one) { return one.score > best + how_.cardinality; });
    if (how_.coverage < INFINITE)
      prune_coverage(list);
    const std::size_t most = late_ ? 1 : how_.histogram;
    const auto cheaper = [](const Active &a, const Active &b) {
      return a.score != b.score ? a.score < b.score : a.node < b.node;
    };
    if (list.size() > most) {
      std::ranges::nth_element(list, list.begin() + static_cast<std::ptrdiff_t>(most), cheaper);
      list.resize(most);
    }
    // Those of which no more is asked come first, then the best, so that others are cut off.
    const auto complete = std::ranges::stable_partition(list, &Active::is_open);
    std::ranges::sort(complete, cheaper);
  }

  void prune_coverage(std::vector<Active> &list) const {
    struct Slot {
      Coverage covered{0xffffffff, 0};
      double best = INFINITE;
      bool is_free() const { return covered.first == 0xffffffff; }
    };
    base::HashIndex<Slot> index(std::bit_ceil(2 * list.size() + 1));
    const auto slot = [&](const Coverage &own) -> Slot & {
      return index[index.place(own.hash(), [&](const Slot &one) { return one.covered == own; })];
    };
    const auto is_exempt = [&](const Active &one) { return !how_.compare_open && one.is_open(); };
    for (const auto &one : list) {
      if (is_exempt(one))
        continue;
      const auto own = covered(one);
      auto &found = slot(own);
      found.covered = own;
      found.best = std::min(found.best, one.score);
    }
    std::erase_if(list, [&](const Active &one) {
      return !is_exempt(one) && one.score > slot(covered(one)).best + how_.coverage;
    });
  }

  void advance(const Active &active, std::size_t c) {
    if (active.is_open()) {
      scan(active, c);
      return;
    }
    ++states_;
    match(active.node, c);
  }

  // The scanner: one more word of a block.
  void scan(Active active, std::size_t c) {
    const Node &node = nodes_[base::at(active.node)];
    active.score = --active.left == 0 ? node.cost + node.estimate : active.score + active.share;
    enter(c + 1, active);
  }

  // The matcher: all blocks at intervals that are not covered.
  void match(std::int32_t number, std::size_t c) {
    const Node node = nodes_[base::at(number)]; // a copy: nodes move when there are more
    const Coverage own = node.covered;
    const std::size_t size = options_.size();
    const std::size_t last =
        late_ || how_.skip == 0 ? own.first : std::min(size - 1, own.first + how_.window);
    for (std::size_t begin = own.first; begin <= last; ++begin)
      for (std::size_t end = begin; end < size && end - begin < options_.longest(); ++end) {
        if (own.has(end) || (begin > own.first && end > own.first + how_.window))
          break;
        const auto options = options_.at(begin, end);
        if (options.empty())
          continue;
        const auto made =
            own.with(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
        if (made.holes() > how_.skip)
          continue;
        match(number, node, made, options, c);
      }
  }

  void match(std::int32_t number, const Node &node, const Coverage &made,
             std::span<const Option> options, std::size_t c) {
    const auto begin = static_cast<std::int32_t>(options[0].begin);
    const auto end = static_cast<std::int32_t>(options[0].end);
    const auto length = static_cast<std::size_t>(end - begin + 1);
    const auto turn = base::at(orientation(node.begin, node.end, begin, end));
    const double moved = moved_cost(node, begin, turn);
    const double estimate = how_.completion ? estimated(made) : 0.0;
    const std::size_t list = how_.single_beam ? c + 1 : c + length;
    const double share = how_.single_beam && !how_.completion ? static_cast<double>(length) : 1.0;
    const auto first = static_cast<std::uint32_t>(options.data() - options_.all().data());
    LmStates::Chunk *chunk = nullptr;
    for (std::size_t k = 0; k < options.size(); ++k) {
      const auto &option = options[k];
      const double alone = moved + option.before_cost[turn] + option.cost;
      const double known = node.cost + estimate, limit = limit_of(list);
      const auto index = first + static_cast<std::uint32_t>(k);
      if (k % LmStates::CHUNK == 0)
        chunk = nullptr;
      if (known + (moved + option.cost + option.border - slack_) / share > limit)
        break; // they are sorted by these costs
      if (option.place >= 0 && static_cast<std::uint32_t>(option.place) != node.place)
        continue;
      ++edges_;
      const std::size_t part = k % LmStates::CHUNK;
      if (chunk == nullptr)
        chunk = &lm_.chunk(node.lm, index - static_cast<std::uint32_t>(part));
      const auto [border, lm] = lm_.after((*chunk)[part], node.lm, index);
      const double block = alone - border_weight_ * static_cast<double>(border);
      if (known + block / share > limit)
        continue;
      const std::uint32_t place = options_.target_size() ? node.place + option.words : 0;
      enter(Node{made, begin, end, option.after, lm, place, node.cost + block, block, number, index,
                 estimate},
            list);
    }
  }

  double moved_cost(const Node &node, std::int32_t begin, std::size_t turn) const {
    const auto distance = static_cast<double>(std::abs(begin - node.end - 1));
    const double cost = models_.weights[feature::DISTANCE] * distance;
    return node.begin < 0 ? cost : cost + options_.after(node.after)[turn];
  }

  double limit_of(std::size_t list) const {
    return std::min(best_[list] + how_.cardinality, cutoffs_[list]);
  }

  // What the words that are not covered will cost.
  double estimated(const Coverage &own) const {
    double sum = 0;
    std::size_t begin = own.first;
    while (begin < options_.size()) {
      std::size_t end = begin;
      while (end + 1 < options_.size() && !own.has(end + 1))
        ++end;
      sum += options_.estimate(begin, end);
      for (begin = end + 1; begin < options_.size() && own.has(begin);)
        ++begin;
    }
    return sum;
  }

  // A node that was reached: new, or one more way to an old one.
  void enter(const Node &made, std::size_t list) {
    if (!index_.fits(nodes_.size() + 1))
      index_.grow([&](const NodeSlot &slot) { return nodes_[slot.number].hash(); });
    const std::uint64_t hash = made.hash();
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    auto &slot = index_[index_.place(hash, [&](const NodeSlot &one) {
      return one.tag == tag && nodes_[one.number].same(made);
    })];
    const bool is_new = slot.is_free();
    if (is_new) {
      slot.tag = tag;
      slot.number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(made);
    }
    Node &node = nodes_[slot.number];
    if (graph_) {
      ways_.push_back({made.back, made.option, made.block_cost, node.edges});
      node.edges = static_cast<std::int32_t>(ways_.size()) - 1;
    }
    const auto number = static_cast<std::int32_t>(slot.number);
    if (is_new) {
      enter(list, active(number));
    } else if (made.cost < node.cost) {
      node.cost = made.cost;
      node.block_cost = made.block_cost;
      node.back = made.back;
      node.option = made.option;
      best_[list] = std::min(best_[list], active(number).score);
    }
  }

  void enter(std::size_t list, const Active &active) {
    lists_[list].push_back(active);
    best_[list] = std::min(best_[list], active.score);
    if (lists_[list].size() > checked_[list])
      cut_off(list);
  }

  // Finds the cost above which nothing will be kept of a list.
  void cut_off(std::size_t list) {
    checked_[list] *= 2;
    std::vector<double> scores;
    for (const auto &one : lists_[list])
      scores.push_back(one.score);
    const auto last = scores.begin() + static_cast<std::ptrdiff_t>(how_.histogram) - 1;
    std::ranges::nth_element(scores, last);
    cutoffs_[list] = std::min(cutoffs_[list], *last);
  }

  // The way to the end of the sentence: its language model and orientation.
  struct End {
    double lm, cost;
    std::size_t turn;
  };
  End end_of(const Node &node) const {
    const auto size = static_cast<std::int32_t>(options_.size());
    const auto turn = node.end + 1 == size ? Orientation::monotone : Orientation::other;
    const double lm = lm_.end(node.lm);
    const double cost = -models_.weights[feature::BORDER] * lm;
    return {lm, node.begin < 0 ? cost : cost + options_.after(node.after)[base::at(turn)],
            base::at(turn)};
  }

  Translations finish(std::size_t n, bool distinct) {
    Translations made;
    made.states = states_;
    made.edges = edges_;
    std::vector<std::int32_t> ends;
    for (const auto &active : lists_[options_.size()])
      if (!options_.target_size() || nodes_[base::at(active.node)].place == *options_.target_size())
        ends.push_back(active.node);
    if (ends.empty())
      return made;
    if (graph_)
      made.found = n_best(ends, n, distinct);
    else
      made.found.push_back(best(ends));
    return made;
  }

  Derivation best(const std::vector<std::int32_t> &ends) const {
    const auto total = [&](std::int32_t number) {
      const Node &node = nodes_[base::at(number)];
      return node.cost + end_of(node).cost;
    };
    const auto found = *std::ranges::min_element(ends, {}, total);
    std::vector<std::pair<std::int32_t, std::uint32_t>> path;
    for (std::int32_t at = found; nodes_[base::at(at)].back != NONE; at = nodes_[base::at(at)].back)
      path.emplace_back(at, nodes_[base::at(at)].option);
    std::ranges::reverse(path);
    return derivation(path, found, total(found));
  }

  // The features of a path, block by block: nodes, and the options by which they were reached.
  Derivation derivation(const std::vector<std::pair<std::int32_t, std::uint32_t>> &path,
                        std::int32_t last, double cost) const {
    Derivation made;
    made.cost = cost;
    std::int32_t before = 0;
    for (const auto &[number, index] : path) {
      const Option &option = options_.all()[index];
      const Node &from = nodes_[base::at(before)];
      Step step{option.begin, option.end, option.block, option.words, {}};
      const auto begin = static_cast<std::int32_t>(option.begin);
      const auto turn =
          base::at(orientation(from.begin, from.end, begin, static_cast<std::int32_t>(option.end)));
      std::ranges::copy(option.features, step.features.begin());
      step.features[feature::BORDER] = lm_.border(from.lm, index);
      step.features[feature::INSIDE] = option.inside;
      step.features[feature::DISTANCE] = -std::abs(static_cast<double>(begin - from.end - 1));
      if (option.block >= 0)
        step.features[feature::BEFORE + turn] =
            static_cast<double>(models_.table.orientations(base::at(option.block))[turn]);
      if (from.begin >= 0)
        step.features[feature::AFTER + turn] =
            static_cast<double>(options_.after_scores(from.after)[turn]);
      made.steps.push_back(step);
      const auto words = options_.words(option);
      made.words.insert(made.words.end(), words.begin(), words.end());
      before = number;
    }
    if (!made.steps.empty()) {
      const auto end = end_of(nodes_[base::at(last)]);
      auto &features = made.steps.back().features;
      features[feature::BORDER] += end.lm;
      features[feature::AFTER + end.turn] +=
          static_cast<double>(options_.after_scores(nodes_[base::at(last)].after)[end.turn]);
    }
    return made;
  }

  // The search graph below the ends as a hypergraph whose edges have one tail, or none.
  std::vector<Derivation> n_best(const std::vector<std::int32_t> &ends, std::size_t n,
                                 bool distinct) const {
    std::vector<char> needed(nodes_.size(), 0);
    for (const auto end : ends)
      needed[base::at(end)] = 1;
    for (std::size_t node = nodes_.size(); node-- > 0;) // those before have lower numbers
      if (needed[node])
        for (auto way = nodes_[node].edges; way != NONE; way = ways_[base::at(way)].next)
          needed[base::at(ways_[base::at(way)].back)] = 1;
    search::Hypergraph graph;
    std::vector<std::int32_t> numbers(nodes_.size(), NONE), heads;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (!needed[node])
        continue;
      if (node == 0)
        graph.edges.push_back({0.0, -1, -1, NONE, -1});
      for (auto way = nodes_[node].edges; way != NONE; way = ways_[base::at(way)].next) {
        const Way &own = ways_[base::at(way)];
        graph.edges.push_back({-own.cost, numbers[base::at(own.back)], -1, way, -1});
      }
      numbers[node] = graph.close_node();
      heads.push_back(static_cast<std::int32_t>(node));
    }
    for (const auto end : ends)
      graph.edges.push_back(
          {-end_of(nodes_[base::at(end)]).cost, numbers[base::at(end)], -1, NONE, -1});
    const auto root = graph.close_node();
    return n_best(graph, root, heads, n, distinct);
  }

  std::vector<Derivation> n_best(const search::Hypergraph &graph, std::int32_t root,
                                 const std::vector<std::int32_t> &heads, std::size_t n,
                                 bool distinct) const {
    base::WordTrie texts;
    search::Classes classes;
    if (distinct)
      classes = [&](std::int32_t edge, std::span<const std::uint32_t> tails) {
        std::uint32_t text = tails.empty() ? 0 : tails[0];
        const auto way = graph.edges[base::at(edge)].label;
        if (way != NONE)
          for (const auto word : options_.words(options_.all()[ways_[base::at(way)].option]))
            text = texts.add(text, word);
        return text;
      };
    search::KBest best(graph, root, classes);
    std::vector<Derivation> made;
    std::vector<std::int32_t> edges;
    while (best.size() < n && best.next()) {
      best.edges(best.size() - 1, edges);
      std::vector<std::pair<std::int32_t, std::uint32_t>> path;
      std::int32_t last = heads[base::at(graph.edges[base::at(edges[0])].left)], node = last;
      for (std::size_t i = 1; i < edges.size(); ++i) {
        const auto way = graph.edges[base::at(edges[i])].label;
        if (way == NONE)
          continue;
        path.emplace_back(node, ways_[base::at(way)].option);
        node = ways_[base::at(way)].back;
      }
      std::ranges::reverse(path);
      made.push_back(derivation(path, last, -best.weight(best.size() - 1)));
    }
    return made;
  }

  const Models &models_;
  const PhraseOptions &options_;
  const SearchOptions &how_;
  bool graph_, late_ = false;
  LmStates lm_;
  std::vector<Node> nodes_;
  std::vector<Way> ways_;
  base::HashIndex<NodeSlot> index_{1024};
  std::vector<std::vector<Active>> lists_;
  // Of each list: the lowest score so far, one above which none will be kept, and the size at which
  // that is found again.
  std::vector<double> best_, cutoffs_;
  std::vector<std::size_t> checked_;
  std::size_t states_ = 0, edges_ = 0;
  base::Budget budget_;
  double slack_, border_weight_;
};

} // namespace

Translations translate(const Models &models, const PhraseOptions &options, const SearchOptions &how,
                       std::size_t n, bool distinct, const base::Poll &poll) {
  if (how.window > LARGEST_WINDOW || options.longest() > LONGEST_BLOCK || how.histogram < 1)
    throw std::invalid_argument("the window has at most 40 words, and a block 20");
  return Search(models, options, how, n > 1).run(n, distinct, poll);
}

} // namespace runoff::translation
