#include "runoff/decision_trees/active_leaves.hpp"
#include "runoff/decision_trees/booster.hpp"
#include "runoff/decision_trees/leaf_value.hpp"
#include "runoff/decision_trees/sampling.hpp"
#include "tests/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using namespace runoff::decision_trees;
using runoff::base::Threads;

// Four examples over the atoms a and b: {a b} and {a} are yes, {b} and {} are no, and {b} counts
// three times as much as each of the others.
struct Example {
  std::vector<std::int64_t> offsets{0, 2, 3, 4, 4};
  std::vector<Atom> atoms{0, 1, 0, 1};
  std::vector<std::uint64_t> pointers{0, 1, 2, 3};
  std::vector<std::int8_t> y{1, 1, -1, -1};
  std::vector<float> bias{1, 1, 3, 1};
  SparseRows rows{offsets, atoms};

  Booster booster() const { return {rows, {pointers, y, bias}, {}, {2, 100, 0}}; }
};

bool close(double a, double b) { return std::abs(a - b) < 1e-9; }

void the_first_lambda_and_split_by_hand() {
  // Weights are half of the biases. Root: W+ 1, W- 2, D = -1. With a: D = 1, without: -2; the
  // larger side is 2. With b: 0.5 - 1.5 = -1, without: 0.5 - 0.5 = 0: the sides do not differ in
  // sign, so b never gains.
  const Example example;
  auto booster = example.booster();
  CHECK(booster.first_lambda({}) == 2.0);
  CHECK(!booster.grow(2.0, {})); // at that lambda itself there is nothing to gain
  CHECK(booster.ensemble().trees() == 0);
  CHECK(booster.grow(1.5, {}));
  const auto tree = booster.ensemble().tree(0);
  // G(a) + G(not a) = 0 + 0.5 exceeds G(root) = 0. Neither side has examples of both signs.
  CHECK(tree.size() == 3 && tree[0].atom == 0 && tree[0].yes == 2);
  // Without a: 4 / (1 + exp(-theta)) = 1.5, so theta = -log(4 / 1.5 - 1); with a: 1 < 1.5, so 0.
  CHECK(close(tree[1].value, -std::log(4 / 1.5 - 1)));
  CHECK(tree[2].value == 0.0);
  CHECK(booster.h()[0] == 0.0 && booster.h()[2] == tree[1].value);
  CHECK(!booster.grow(1.5, {})); // converged: W- of that leaf is 1.5 now
  CHECK(booster.first_lambda({}) > 1.5 - 1e-9 && booster.first_lambda({}) < 1.5 + 1e-9);
}

void gains_by_hand() {
  CHECK(gain(5, 3) == 2 && gain(-5, 3) == 2 && gain(3, 3) == 0 && gain(-2, 3) == 0);
  CHECK((Split{0, 4, -7}.largest_lambda() == 7));
}

void a_split_must_gain_what_is_asked() {
  // The split above gains 2 - lambda; 0.5 lambda is asked, so lambda must lie below 4 / 3.
  const Example example;
  Booster booster(example.rows, {example.pointers, example.y, example.bias}, {}, {2, 100, 0, 0.5});
  CHECK(!booster.grow(1.34, {}));
  CHECK(booster.grow(1.33, {}));
}

void a_leaf_of_both_signs_by_hand() {
  // 3 yes against 1 no of bias 1, lambda 0.5: 3 p(-theta) - p(theta) = 0.5 with p the logistic
  // function; t = exp(theta) solves 3 / (1 + t) - t / (1 + t) = 0.5, so t = 2.5 / 1.5.
  const double scale = 0x1p49;
  const std::vector<double> odds(4, 1.0);
  const std::vector<std::int8_t> y{1, 1, 1, -1};
  const std::vector<float> bias(4, 1.0F);
  const auto units = [&](double lambda) { return static_cast<std::int64_t>(lambda * scale); };
  const LeafExamples leaf{odds, y, bias, scale};
  CHECK(close(leaf_value(leaf, units(0.5), {}), std::log(2.5 / 1.5)));
  CHECK(leaf_value(leaf, units(1.0), {}) == 0.0); // |W+ - W-| = 1
  CHECK(leaf_value(leaf, units(0.999999), {}) > 0.0);
  const std::vector<std::int8_t> turned{-1, -1, -1, 1};
  CHECK(leaf_value({odds, turned, bias, scale}, units(0.5), {}) ==
        -leaf_value(leaf, units(0.5), {}));
  CHECK(leaf_value(leaf, 1, {}) < std::log(3.0) + 1e-9); // where the loss alone is lowest
}

void ties_go_to_the_lowest_atom() {
  // b and c say the same, a says nothing.
  const std::vector<std::int64_t> offsets{0, 3, 4, 6, 6};
  const std::vector<Atom> atoms{0, 1, 2, 0, 1, 2};
  const std::vector<std::uint64_t> pointers{0, 1, 2, 3};
  const std::vector<std::int8_t> y{1, -1, 1, -1};
  const std::vector<float> bias(4, 1.0F);
  const SparseRows rows(offsets, atoms);
  Booster booster(rows, {pointers, y, bias}, {}, {3, 100, 0});
  CHECK(booster.first_lambda({}) == 1.0 && booster.grow(0.5, {}));
  CHECK(booster.ensemble().tree(0)[0].atom == 1);
}

// Atom k of the pointer p is there if p has a remainder below 3 by k + 5: nothing is stored.
struct Remainders final : AtomSource {
  static constexpr Atom n_atoms = 40;
  bool test(std::uint64_t pointer, Atom atom) const override { return pointer % (atom + 5) < 3; }
  void extract(std::uint64_t pointer, std::vector<Atom> &atoms) const override {
    atoms.clear();
    for (Atom atom = 0; atom < n_atoms; ++atom)
      if (test(pointer, atom))
        atoms.push_back(atom);
  }
};

// The bytes of the trees and scores of a path over examples that know nothing but a number.
struct Trained {
  std::vector<std::uint32_t> nodes;
  std::vector<double> values, h;
  double lost;

  Trained(const AtomSource &source, std::size_t sample, std::uint64_t seed, int threads) {
    constexpr std::size_t n = 700;
    std::vector<std::uint64_t> pointers;
    std::vector<std::int8_t> y;
    std::vector<float> bias;
    for (std::uint64_t i = 0; i < n; ++i) {
      pointers.push_back(i);
      y.push_back(i % 7 < 3 && i % 11 > 2 ? 1 : -1);
      bias.push_back(static_cast<float>(1 + i % 4));
    }
    Booster booster(source, {pointers, y, bias}, {}, {Remainders::n_atoms, sample, seed});
    double lambda = booster.first_lambda({threads});
    for (int step = 0; step < 12; ++step) {
      lambda *= 0.8;
      while (booster.grow(lambda, {threads}))
        ;
    }
    for (const auto &node : booster.ensemble().nodes()) {
      nodes.push_back(node.atom);
      nodes.push_back(node.yes);
      values.push_back(node.value);
    }
    h.assign(booster.h().begin(), booster.h().end());
    for (std::size_t i = 0; i < n; ++i)
      CHECK(booster.ensemble().score(source, i) == h[i]);
    lost = booster.lost();
  }

  bool operator==(const Trained &) const = default;
};

void both_forms_on_any_threads_give_the_same_bytes() {
  const Remainders source;
  std::vector<std::int64_t> offsets{0};
  std::vector<Atom> atoms, row;
  for (std::uint64_t i = 0; i < 700; ++i) {
    source.extract(i, row);
    atoms.insert(atoms.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(atoms.size()));
  }
  const SparseRows matrix(offsets, atoms);
  for (const std::size_t sample : {50U, 200U, 1000U}) {
    const Trained one(source, sample, 3, 1);
    CHECK(one.values.size() > 10);
    CHECK((one.lost > 0) == (sample < 700));
    CHECK(one == Trained(source, sample, 3, 3));
    CHECK(one == Trained(matrix, sample, 3, 1));
    CHECK(one == Trained(matrix, sample, 3, 2));
  }
  CHECK(!(Trained(source, 50, 3, 1) == Trained(source, 50, 4, 1)));
}

void an_interrupt_leaves_a_whole_state() {
  struct Interrupt {};
  const Remainders source;
  std::vector<std::uint64_t> pointers;
  std::vector<std::int8_t> y;
  for (std::uint64_t i = 0; i < 300; ++i) {
    pointers.push_back(i);
    y.push_back(i % 7 < 3 ? 1 : -1);
  }
  const std::vector<float> bias(300, 1.0F);
  const BoosterOptions options{Remainders::n_atoms, 100, 0};
  const Examples examples{pointers, y, bias};
  Booster whole(source, examples, {}, options);
  const double lambda = 0.3 * whole.first_lambda({});
  CHECK(whole.grow(lambda, {}));
  Booster again(source, examples, {}, options);
  int interrupts = 0;
  for (int after = 0; after < 1000 && again.ensemble().trees() == 0; ++after) {
    int left = after;
    try {
      again.grow(lambda, {1, [&] {
                            if (left-- == 0)
                              throw Interrupt();
                          }});
    } catch (const Interrupt &) {
      ++interrupts;
    }
  }
  CHECK(interrupts > 3);
  CHECK(std::ranges::equal(whole.h(), again.h()));
}

void samples_are_named_by_their_numbers() {
  std::vector<std::int64_t> weights(1000);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<std::int64_t>(i % 10 == 0 ? 0 : i);
  const auto one = priority_sample(weights, 30, {1, 2}, {});
  const auto three = priority_sample(weights, 30, {1, 2}, {3});
  CHECK(one.examples.size() == 30 && one.examples == three.examples);
  CHECK(std::ranges::is_sorted(one.examples));
  CHECK(one.examples != priority_sample(weights, 30, {1, 3}, {}).examples);
  CHECK(one.examples != priority_sample(weights, 30, {2, 2}, {}).examples);
  for (const auto example : one.examples)
    CHECK(weights[example] > 0);
  const auto all = priority_sample(weights, 900, {1, 2}, {});
  CHECK(all.examples.size() == 900 && all.lost == 0.0);
  CHECK(all.weights[0] == weights[1]);
}

void broken_trees_are_refused() {
  const Tree good{{1, 2, 0.0}, {0, 0, 0.5}, {0, 0, -0.5}};
  const auto made = [](Tree nodes, std::size_t n_atoms = 2) {
    const auto size = static_cast<std::int64_t>(nodes.size());
    return Ensemble({0, size}, std::move(nodes), n_atoms);
  };
  CHECK(made(good).trees() == 1);
  const auto changed = [&](std::size_t at, Node node) {
    auto tree = good;
    tree[at] = node;
    return tree;
  };
  const auto refused = [&](Tree tree, const char *message) {
    CHECK_THROWS(made(std::move(tree)), std::invalid_argument, message);
  };
  refused(changed(0, {2, 2, 0.0}), "a node tests an atom that is not there");
  refused(changed(0, {1, 1, 0.0}), "a child lies outside its subtree");
  refused(changed(0, {1, 3, 0.0}), "a child lies outside its subtree");
  refused(changed(0, {1, 2, 1.0}), "a node that is split has a value");
  refused(changed(1, {0, 2, 0.0}), "a child lies outside its subtree");
  refused(changed(2, {0, 1, 0.0}), "a child lies outside its subtree");
  refused(changed(1, {1, 0, 0.0}), "a leaf tests an atom");
  refused(changed(0, {0, 0, 0.0}), "the nodes of a tree are not in preorder");
  refused({}, "a tree has no nodes");
  CHECK_THROWS(Ensemble({0, 5}, Tree(good), 2), std::invalid_argument,
               "trees must rise from 0 to the number of entries");
}

void bad_examples_are_refused() {
  const Example example;
  const auto made = [&](std::vector<std::int8_t> y, std::vector<float> bias) {
    Booster(example.rows, {example.pointers, y, bias}, {}, {2, 100, 0});
  };
  CHECK_THROWS(made({1, 1, 1}, {1, 1, 1, 1}), std::invalid_argument, "columns differ in length");
  CHECK_THROWS(made({1, 1, 0, 1}, {1, 1, 1, 1}), std::invalid_argument, "y must be 1 or -1");
  CHECK_THROWS(made({1, 1, 1, 1}, {1, -1, 1, 1}), std::invalid_argument,
               "bias must be finite and not negative");
  Booster small(example.rows, {example.pointers, example.y, example.bias}, {}, {1, 100, 0});
  CHECK_THROWS(small.first_lambda({}), std::invalid_argument,
               "the atoms of an example must rise and lie below n_atoms");
  auto booster = example.booster();
  CHECK_THROWS(booster.grow(0.0, {}), std::invalid_argument, "lambda must be positive");
}

// A tree of more leaves than a word has bits, all of them reached.
void long_chains_are_scored_by_words() {
  constexpr std::uint32_t length = 200;
  Tree chain;
  for (std::uint32_t k = 0; k < length; ++k)
    chain.push_back({k, 2 * length - k, 0.0});
  chain.push_back({0, 0, -1.0});
  for (std::uint32_t k = length; k > 0; --k)
    chain.push_back({0, 0, static_cast<double>(k)});
  std::vector<Node> nodes(chain);
  nodes.insert(nodes.end(), chain.begin(), chain.end());
  const auto size = static_cast<std::int64_t>(chain.size());
  const Ensemble ensemble({0, size, 2 * size}, std::move(nodes), length);
  const ActiveLeaves leaves({&ensemble, 1});
  ActiveLeaves::Room room;
  const auto score = [&](std::span<const Atom> atoms) {
    leaves.reach(atoms, room);
    return leaves.score(0, room);
  };
  CHECK(score({}) == -2.0);
  for (Atom atom = 0; atom < length; ++atom) {
    const std::vector<Atom> atoms{atom, length - 1, 1000};
    CHECK(score(atoms) == 2.0 * (atom + 1));
  }
}

} // namespace

int main() {
  gains_by_hand();
  the_first_lambda_and_split_by_hand();
  a_split_must_gain_what_is_asked();
  a_leaf_of_both_signs_by_hand();
  ties_go_to_the_lowest_atom();
  both_forms_on_any_threads_give_the_same_bytes();
  an_interrupt_leaves_a_whole_state();
  samples_are_named_by_their_numbers();
  broken_trees_are_refused();
  bad_examples_are_refused();
  long_chains_are_scored_by_words();
  return check::result();
}
