#include "runoff/words/igtree.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

namespace {

// Two features: 1 3 is of class 5, 1 4 and 2 3 of class 6.
struct Example {
  std::vector<std::uint32_t> cells{5, 1, 3, 6, 1, 4, 6, 2, 3};
  std::vector<std::uint32_t> places{0, 3, 6}, order{0, 1};
  std::vector<std::int32_t> shifts{1, 2};

  runoff::words::Windows windows() const { return {cells, places, shifts}; }
  runoff::words::IGTreeNodes grown(bool prune) const {
    return runoff::words::grow_igtree(windows(), order, 7, {2, prune}, [] {});
  }
};

runoff::words::IGTree::Arrays arrays_of(const runoff::words::IGTreeNodes &nodes) {
  return {nodes.values,  nodes.children, nodes.totals, nodes.kinds,
          nodes.entries, nodes.classes,  nodes.counts};
}

void gain_is_what_a_feature_tells() {
  const Example example;
  const auto gains = runoff::words::information_gain(example.windows(), 7);
  const double whole = std::log2(3.0) - 2.0 / 3; // of one and two of three
  CHECK(std::abs(gains[0] - (whole - 2.0 / 3)) < 1e-12);
  CHECK(std::abs(gains[1] - (whole - 2.0 / 3)) < 1e-12);
}

void ends_that_say_nothing_new_are_left_out() {
  const Example example;
  const auto pruned = example.grown(true);
  CHECK((pruned.values == std::vector<std::uint32_t>{0, 1, 3}));
  CHECK((pruned.children == std::vector<std::uint32_t>{1, 2, 3, 3}));
  CHECK((pruned.classes == std::vector<std::uint32_t>{6, 5, 6, 5, 5}));
  CHECK((pruned.counts == std::vector<std::uint32_t>{2, 1, 1, 1, 1}));
  const auto whole = example.grown(false);
  CHECK((whole.values == std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

void a_shard_has_the_whole_root() {
  const Example example;
  const auto shard =
      runoff::words::grow_igtree(example.windows(), example.order, 7, {2, false, 2, 7}, [] {});
  CHECK((shard.values == std::vector<std::uint32_t>{0, 2}));
  CHECK((shard.totals == std::vector<std::uint32_t>{3, 1}));
  CHECK((shard.children == std::vector<std::uint32_t>{1, 2, 2}));
}

void an_interrupt_reaches_the_caller() {
  const Example example;
  const runoff::base::Threads threads{2, [] { throw std::runtime_error("stop"); }};
  CHECK_THROWS(runoff::words::information_gain(example.windows(), 7, threads), std::runtime_error,
               "stop");
}

void matching_backs_off() {
  const Example example;
  const auto nodes = example.grown(true);
  const runoff::words::IGTree tree(arrays_of(nodes), example.order);
  const std::vector<std::uint32_t> cells{0, 1, 3, 0, 1, 9, 0, 9, 3};
  std::vector<std::uint32_t> found(3), classes(3);
  tree.match({cells, example.places, example.shifts}, found, {2});
  CHECK((found == std::vector<std::uint32_t>{2, 1, 0}));
  tree.first_classes(found, classes);
  CHECK((classes == std::vector<std::uint32_t>{5, 6, 6}));
  const auto lists = tree.n_best({cells, example.places, example.shifts}, 1, 0.0, {});
  CHECK((lists.classes == std::vector<std::uint32_t>{5, 6, 6}));
  CHECK((lists.offsets == std::vector<std::int64_t>{0, 1, 2, 3}));
  CHECK((lists.probabilities == std::vector<double>{1.0, 0.5, 2.0 / 3}));
}

void broken_trees_throw() {
  const Example example;
  auto nodes = example.grown(true);
  nodes.children[1] = 900;
  const runoff::words::IGTree tree(arrays_of(nodes), example.order);
  std::vector<std::uint32_t> found(3);
  CHECK_THROWS(tree.match(example.windows(), found, {}), std::invalid_argument,
               "the tree is broken");
  nodes.totals.pop_back();
  CHECK_THROWS(runoff::words::IGTree(arrays_of(nodes), example.order), std::invalid_argument,
               "the tree is broken");
}

void windows_lie_inside() {
  Example example;
  example.windows().check();
  CHECK_THROWS(runoff::words::check_symbols(example.windows(), 6), std::invalid_argument,
               "symbol 6 is not below 6");
  example.shifts[1] = 3;
  CHECK_THROWS(example.windows().check(), std::invalid_argument,
               "a window does not lie inside the cells");
  example.shifts[1] = -1;
  CHECK_THROWS(example.windows().check(), std::invalid_argument,
               "a window does not lie inside the cells");
}

} // namespace

int main() {
  gain_is_what_a_feature_tells();
  ends_that_say_nothing_new_are_left_out();
  a_shard_has_the_whole_root();
  an_interrupt_reaches_the_caller();
  matching_backs_off();
  broken_trees_throw();
  windows_lie_inside();
  return check::result();
}
