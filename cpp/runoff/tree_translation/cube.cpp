#include "runoff/tree_translation/cube.hpp"

#include <algorithm>
#include <numbers>

namespace runoff::tree_translation {

using base::at;

namespace {

using Border = std::array<std::uint32_t, ngrams::MAX_ORDER - 1>;

// What the language model knows of a string.
struct Text {
  Border border{}; // its first words, as the language model has them
  std::uint32_t size = 0;
  bool full = false; // whether there are as many as a history has: then the state is its own
  ngrams::State state{};

  friend bool operator==(const Text &a, const Text &b) {
    return a.size == b.size && a.full == b.full &&
           std::equal(a.border.begin(), a.border.begin() + a.size, b.border.begin()) &&
           a.state == b.state;
  }
  std::uint64_t hash() const {
    std::uint64_t hash = state.hash() + size;
    for (std::size_t i = 0; i < size; ++i) {
      hash = (hash ^ border[i]) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

struct Item {
  Text text;
  double certain;  // score of its best derivation without the border
  double estimate; // the same with the border's words, as if nothing came before them
  std::int32_t node = -1;
};

// An edge with an item for each tail, and what comes out.
struct Candidate {
  Item item;
  std::uint32_t edge;
  std::vector<std::uint32_t> ranks;
  double weight; // of the edge between items
};

struct LaterFirst {
  bool operator()(const Candidate &a, const Candidate &b) const {
    if (a.item.estimate != b.item.estimate)
      return a.item.estimate < b.item.estimate;
    return a.edge != b.edge ? a.edge > b.edge : a.ranks > b.ranks;
  }
};

class Cubes {
public:
  Cubes(const Models &models, const Derivations &derivations, std::size_t pops,
        base::Budget &budget, const base::Poll &poll)
      : models_(models), derivations_(derivations), pops_(pops), budget_(budget), poll_(poll),
        history_(models.lm.order() - 1), items_(at(derivations.graph.nodes())) {}

  search::Hypergraph run() && {
    for (std::int32_t vertex = 0; vertex < derivations_.graph.nodes(); ++vertex) {
      poll_();
      fill(vertex);
    }
    for (const auto &item : items_.back())
      graph_.add_edge(whole(item.text), std::array{item.node}, -1);
    graph_.close_node();
    return std::move(graph_);
  }

private:
  double scored(const ngrams::State &state, std::uint32_t word, ngrams::State &next) const {
    return models_.weights[feature::LANGUAGE_MODEL] * std::numbers::ln10 *
           static_cast<double>(models_.lm.score(state, word, next));
  }

  // What a border and the end of the sentence weigh after its beginning.
  double whole(const Text &text) const {
    auto state = models_.lm.begin();
    double sum = 0;
    for (std::size_t i = 0; i < text.size; ++i)
      sum += scored(state, text.border[i], state);
    return sum + scored(text.full ? text.state : state, ngrams::END, state);
  }

  Candidate candidate(std::int32_t vertex, std::uint32_t edge_number,
                      std::vector<std::uint32_t> ranks) const {
    const auto &edge = derivations_.graph.incoming(vertex)[edge_number];
    const auto &application = derivations_.applications[at(edge.label)];
    Item made{{}, edge.weight, 0};
    double below = 0, border = 0;
    const auto word = [&](std::uint32_t own) {
      const double score = scored(made.text.state, own, made.text.state);
      if (made.text.full) {
        made.certain += score;
      } else {
        border += score;
        made.text.border[made.text.size++] = own;
        made.text.full = made.text.size == history_;
      }
    };
    made.text.full = history_ == 0;
    for (const auto token : derivations_.tokens(application)) {
      if (token < VARIABLE) {
        word(token >= COPIED ? ngrams::UNKNOWN : models_.lm_words[token]);
        continue;
      }
      const std::size_t tail = token - VARIABLE;
      const Item &part = items_[at(derivations_.graph.tail(edge, tail))][ranks[tail]];
      for (std::size_t i = 0; i < part.text.size; ++i)
        word(part.text.border[i]);
      if (part.text.full)
        made.text.state = part.text.state;
      made.certain += part.certain;
      below += part.certain;
    }
    made.estimate = made.certain + border;
    return {made, edge_number, std::move(ranks), made.certain - below};
  }

  void fill(std::int32_t vertex) {
    const auto edges = derivations_.graph.incoming(vertex);
    std::vector<Candidate> queue;
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      queue.push_back(
          candidate(vertex, e, std::vector<std::uint32_t>(derivations_.graph.tails(edges[e]), 0)));
    std::ranges::make_heap(queue, LaterFirst{});
    std::vector<Item> &own = items_[at(vertex)];
    std::vector<std::vector<Candidate>> ways; // to each item
    base::HashIndex<base::NumberSlot> known;
    const std::size_t pops = budget_.is_spent() ? 1 : pops_;
    for (std::size_t taken = 0; !queue.empty() && taken < pops; ++taken) {
      std::ranges::pop_heap(queue, LaterFirst{});
      Candidate best = std::move(queue.back());
      queue.pop_back();
      follow(vertex, best, queue);
      if (!known.fits(own.size() + 1))
        known.grow([&](const base::NumberSlot &slot) { return own[slot.number].text.hash(); });
      auto &slot = known[known.place(best.item.text.hash(), [&](const base::NumberSlot &one) {
        return own[one.number].text == best.item.text;
      })];
      if (slot.is_free()) {
        slot.number = static_cast<std::uint32_t>(own.size());
        own.push_back(best.item);
        ways.emplace_back();
      } else if (own[slot.number].certain < best.item.certain) {
        own[slot.number].certain = best.item.certain;
        own[slot.number].estimate = best.item.estimate;
      }
      ways[slot.number].push_back(std::move(best));
    }
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i].node = close(vertex, ways[i]);
    std::ranges::stable_sort(own, std::ranges::greater{}, &Item::estimate);
  }

  // Combinations are reached once each: from the one with one less at its last rank above 0.
  void follow(std::int32_t vertex, const Candidate &last, std::vector<Candidate> &queue) const {
    const auto &edge = derivations_.graph.incoming(vertex)[last.edge];
    for (std::size_t tail = last.ranks.size(); tail-- > 0;) {
      if (last.ranks[tail] + 1 < items_[at(derivations_.graph.tail(edge, tail))].size()) {
        auto ranks = last.ranks;
        ++ranks[tail];
        queue.push_back(candidate(vertex, last.edge, std::move(ranks)));
        std::ranges::push_heap(queue, LaterFirst{});
      }
      if (last.ranks[tail] > 0)
        return;
    }
  }

  std::int32_t close(std::int32_t vertex, std::span<const Candidate> ways) {
    std::vector<std::int32_t> tails;
    for (const auto &way : ways) {
      const auto &edge = derivations_.graph.incoming(vertex)[way.edge];
      tails.clear();
      for (std::size_t tail = 0; tail < way.ranks.size(); ++tail)
        tails.push_back(items_[at(derivations_.graph.tail(edge, tail))][way.ranks[tail]].node);
      graph_.add_edge(way.weight, tails, edge.label);
    }
    return graph_.close_node();
  }

  const Models &models_;
  const Derivations &derivations_;
  std::size_t pops_;
  base::Budget &budget_;
  const base::Poll &poll_;
  std::size_t history_;
  std::vector<std::vector<Item>> items_; // of each vertex, the best first
  search::Hypergraph graph_;
};

} // namespace

search::Hypergraph cube_pruned(const Models &models, const Derivations &derivations,
                               std::size_t pops, base::Budget &budget, const base::Poll &poll) {
  return Cubes(models, derivations, pops, budget, poll).run();
}

} // namespace runoff::tree_translation
