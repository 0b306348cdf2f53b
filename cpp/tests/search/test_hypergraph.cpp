#include "runoff/search/kbest.hpp"

#include "tests/check.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <stdexcept>

using runoff::search::Hypergraph;
using runoff::search::KBest;
using runoff::search::NO_WEIGHT;
using Numbers = std::vector<std::int32_t>;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

// Adds a node with the given incoming edges.
std::int32_t node(Hypergraph &graph, std::initializer_list<runoff::search::Edge> edges) {
  graph.edges.insert(graph.edges.end(), edges);
  return graph.close_node();
}

// Two words of two tags each, joined in two ways.
Hypergraph example() {
  Hypergraph graph;
  const auto one = node(graph, {{-1}, {-2}});
  const auto two = node(graph, {{-4}, {-3}});
  node(graph, {{-1, one, two, 7}, {0, one}});
  graph.check();
  return graph;
}

Numbers edges(const KBest &best, std::size_t place) {
  Numbers out{99};
  best.edges(place, out);
  return out;
}

void derivations_come_in_order() {
  const auto graph = example();
  KBest best(graph, 2);
  const std::vector<double> weights{-1, -2, -5, -6, -6, -7};
  const std::vector<Numbers> expected{{5, 0}, {5, 1}, {4, 0, 3}, {4, 0, 2}, {4, 1, 3}, {4, 1, 2}};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(best.next() && best.size() == i + 1);
    CHECK(best.weight(i) == weights[i] && edges(best, i) == expected[i]);
  }
  CHECK(!best.next() && !best.next() && best.size() == 6);
  CHECK(best.step(2, 3).edge == 4 && best.step(2, 3).left == 0 && best.step(2, 3).right == 1);
}

void values_inside_and_outside() {
  const auto graph = example();
  CHECK((runoff::search::viterbi_inside(graph) == std::vector<double>{-1, -3, -1}));
  const auto inside = runoff::search::inside(graph);
  const double one = std::log(std::exp(-1) + std::exp(-2));
  const double two = std::log(std::exp(-4) + std::exp(-3));
  CHECK(near(inside[0], one) && near(inside[1], two));
  CHECK(near(inside[2], std::log(std::exp(one) + std::exp(one + two - 1))));
  CHECK((runoff::search::viterbi_outside(graph, runoff::search::viterbi_inside(graph), 2) ==
         std::vector<double>{0, -2, 0}));
  const auto outside = runoff::search::outside(graph, inside, 2);
  CHECK(near(outside[0], std::log(1 + std::exp(two - 1))) && near(outside[1], one - 1));
  CHECK(outside[2] == 0);
  CHECK((runoff::search::viterbi_outside(graph, runoff::search::viterbi_inside(graph), 1) ==
         std::vector<double>{NO_WEIGHT, 0, NO_WEIGHT}));
}

void edges_without_weight_are_not_there() {
  Hypergraph graph;
  const auto none = node(graph, {});
  const auto leaf = node(graph, {{NO_WEIGHT}, {-1}});
  const auto top = node(graph, {{0, none}, {0, leaf, none}, {-2, leaf, leaf}});
  KBest best(graph, top), nothing(graph, none);
  CHECK(best.next() && best.weight(0) == -4 && (edges(best, 0) == Numbers{4, 1, 1}));
  CHECK(!best.next() && best.size() == 1);
  CHECK(!nothing.next() && nothing.size() == 0);
  CHECK(runoff::search::inside(graph)[0] == NO_WEIGHT &&
        near(runoff::search::inside(graph)[2], -4));
}

// Every node joins its predecessor to itself: 2, 4, 16, 256 derivations, all of one weight.
void ties_have_an_order_and_none_comes_twice() {
  Hypergraph graph;
  auto last = node(graph, {{0}, {0}});
  for (int i = 0; i < 3; ++i)
    last = node(graph, {{0, last, last}});
  KBest best(graph, last);
  std::set<Numbers> seen;
  while (best.next())
    CHECK(seen.insert(edges(best, best.size() - 1)).second);
  CHECK(best.size() == 256);
  CHECK((edges(best, 1) == Numbers{4, 3, 2, 0, 0, 2, 0, 0, 3, 2, 0, 0, 2, 0, 1}));
}

void depth_has_no_limit() {
  Hypergraph graph;
  auto last = node(graph, {{-1}, {-2}});
  for (int i = 0; i < 300'000; ++i)
    last = node(graph, {{0, last}});
  KBest best(graph, last);
  CHECK(best.next() && best.next() && !best.next());
  CHECK(best.weight(0) == -1 && best.weight(1) == -2);
  CHECK(edges(best, 1).size() == 300'001 && edges(best, 1).back() == 1);
}

// Three leaves of two derivations each, and one edge that joins them, the second twice.
Hypergraph joining_four() {
  Hypergraph graph;
  node(graph, {{-1}, {-2}});
  node(graph, {{-1}, {-4}});
  node(graph, {{0}, {-8}});
  graph.add_edge(-0.5, Numbers{0, 1, 2, 1}, 5);
  graph.close_node();
  graph.check();
  return graph;
}

void an_edge_has_any_number_of_tails() {
  const auto graph = joining_four();
  CHECK(graph.tails(graph.edges[6]) == 4 && graph.edges[6].label == 5);
  CHECK(graph.tail(graph.edges[6], 2) == 2 && graph.tail(graph.edges[6], 3) == 1);
  CHECK(runoff::search::viterbi_inside(graph)[3] == -3.5);
  const auto around =
      runoff::search::viterbi_outside(graph, runoff::search::viterbi_inside(graph), 3);
  CHECK((around == std::vector<double>{-2.5, -2.5, -3.5, 0}));
  KBest best(graph, 3);
  std::set<Numbers> seen;
  while (best.next()) {
    const auto place = best.size() - 1;
    CHECK(seen.insert(edges(best, place)).second);
    CHECK(place == 0 || best.weight(place) <= best.weight(place - 1));
  }
  CHECK(best.size() == 16 && (edges(best, 0) == Numbers{6, 0, 2, 4, 2}));
  CHECK((edges(best, 2) == Numbers{6, 0, 2, 4, 3})); // of equal ones, by the ranks from the left
  CHECK((edges(best, 3) == Numbers{6, 0, 3, 4, 2}));
  CHECK(best.rank(best.step(3, 2), 3) == 1 && best.rank(best.step(3, 3), 1) == 1);
}

void only_the_best_of_a_class_is_given() {
  const auto graph = joining_four();
  int asked = 0;
  // How many leaves are the second of their node.
  KBest best(graph, 3, [&](std::int32_t edge, std::span<const std::uint32_t> tails) {
    ++asked;
    return std::accumulate(tails.begin(), tails.end(), edge < 6 ? std::uint32_t(edge % 2) : 0U);
  });
  const std::vector<double> weights{-3.5, -4.5, -7.5, -10.5, -18.5};
  for (const double weight : weights)
    CHECK(best.next() && best.weight(best.size() - 1) == weight);
  CHECK(!best.next() && best.size() == 5 && asked == 6 + 16);
}

// All of 2^300000 derivations are alike.
void a_class_of_all_ends_at_once() {
  Hypergraph graph;
  auto last = node(graph, {{-1}, {-2}});
  for (int i = 0; i < 300'000; ++i)
    last = node(graph, {{0, last}, {-1, last}});
  KBest best(graph, last, [](std::int32_t, std::span<const std::uint32_t>) { return 7U; });
  CHECK(best.next() && best.weight(0) == -1 && !best.next() && best.size() == 1);
}

void more_tails_than_there_are_is_refused() {
  const char *all = "an edge with more than two tails has them all";
  for (const auto place : {7, 1 << 30}) {
    auto graph = joining_four();
    graph.edges[6].more = place;
    CHECK_THROWS(graph.check(), std::invalid_argument, all);
  }
  for (const auto count : {0, -1, 3, 1 << 30}) {
    auto graph = joining_four();
    graph.more[0] = count;
    CHECK_THROWS(graph.check(), std::invalid_argument, all);
  }
  auto graph = joining_four();
  graph.more[1] = 3;
  CHECK_THROWS(graph.check(), std::invalid_argument,
               "tails must be nodes that come before the head, or -1");
}

void broken_graphs_are_refused() {
  using Invalid = std::invalid_argument;
  const auto with = [](runoff::search::Edge edge) {
    Hypergraph graph;
    node(graph, {edge});
    graph.check();
  };
  const char *tails = "tails must be nodes that come before the head, or -1";
  CHECK_THROWS(with({0, 0}), Invalid, tails);
  CHECK_THROWS(with({0, -2}), Invalid, tails);
  CHECK_THROWS(with({NAN}), Invalid, "weights must be numbers below +inf");
  CHECK_THROWS(with({INFINITY}), Invalid, "weights must be numbers below +inf");
  Hypergraph graph = example();
  graph.edges[4] = {0, -1, 0};
  CHECK_THROWS(graph.check(), Invalid, "an edge with one tail has it on the left");
  for (const Numbers &first : {Numbers{}, Numbers{0, 4, 2, 6}, Numbers{1, 6}, Numbers{0, 5}}) {
    graph.first = first;
    CHECK_THROWS(graph.check(), Invalid, "first must rise from 0 to the number of edges");
  }
  const auto sound = example();
  CHECK_THROWS(KBest(sound, 3), Invalid, "the root is not a node");
  CHECK_THROWS(KBest(sound, -1), Invalid, "the root is not a node");
  CHECK_THROWS(runoff::search::outside(sound, std::vector<double>(3), 3), Invalid,
               "the root is not a node");
  CHECK_THROWS(runoff::search::outside(sound, std::vector<double>(2), 2), Invalid,
               "inside must have one entry per node");
}

} // namespace

int main() {
  derivations_come_in_order();
  values_inside_and_outside();
  edges_without_weight_are_not_there();
  ties_have_an_order_and_none_comes_twice();
  depth_has_no_limit();
  an_edge_has_any_number_of_tails();
  only_the_best_of_a_class_is_given();
  a_class_of_all_ends_at_once();
  more_tails_than_there_are_is_refused();
  broken_graphs_are_refused();
  return check::result();
}
