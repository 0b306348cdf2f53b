#include "runoff/kernels/kernel_ranking.hpp"
#include "tests/check.hpp"
#include "tests/trees/drawn_trees.hpp"

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using runoff::kernels::Kernel;
using runoff::kernels::SupportGraph;

double kernel_of(const DrawnTrees &forest, std::size_t a, std::size_t b, const Kernel &kernel) {
  SupportGraph graph(kernel, 3);
  graph.add(std::array{SupportGraph::Part{forest.trees()[a], 1.0}});
  runoff::kernels::Comparison comparison(kernel, 3);
  comparison.add(forest.trees()[b], graph.productions());
  comparison.compare(graph);
  return comparison.kernel(0);
}

void test_hand_worked() {
  DrawnTrees forest; // (0 (1 0) (2 1)), and the same with another first word
  forest.add({0, 1, 0, 2, 1}, {0, 1, 2, 1, 2});
  forest.add({0, 1, 2, 2, 1}, {0, 1, 2, 1, 2});
  const Kernel whole{Kernel::Kind::tree, 1.0}, half{Kernel::Kind::tree, 0.5};
  CHECK(kernel_of(forest, 0, 0, whole) == 6.0);
  CHECK(kernel_of(forest, 0, 1, half) == 1.25);
  CHECK(runoff::kernels::self_kernel(forest.trees()[0], whole, 3) == 6.0);
  // as taggings: tags 1 2 with words 0 1, and with words 2 1
  const Kernel tagging{Kernel::Kind::tagging, 0.5};
  CHECK(kernel_of(forest, 0, 1, tagging) == 1.0 * (1 + 0.5 * 1.5) + 1.5);
  const Kernel plain{Kernel::Kind::plain_tagging, 0.5};
  CHECK(kernel_of(forest, 0, 1, plain) == 1.0 * (1 + 0.5 * 2.0) + 2.0);
}

// Adds a tagging: below its root tags, each with a word and a shape.
void add_tagging(DrawnTrees &forest, const std::vector<std::uint32_t> &tags) {
  forest.labels.push_back(0);
  forest.depths.push_back(0);
  for (const auto tag : tags) {
    forest.labels.insert(forest.labels.end(), {tag, 2, 1});
    forest.depths.insert(forest.depths.end(), {1, 2, 2});
  }
  forest.offsets.push_back(static_cast<std::int64_t>(forest.labels.size()));
}

void test_values_of_a_long_sequence_are_dropped() {
  using runoff::kernels::Comparison;
  std::mt19937 random(1);
  DrawnTrees forest;
  std::vector<std::uint32_t> tags(2000);
  for (auto &tag : tags)
    tag = random() % 2;
  add_tagging(forest, {tags.begin(), tags.begin() + 50}); // is compared with the others
  for (std::size_t i = 0; i < 20; ++i) {
    add_tagging(forest, tags);
    tags[random() % tags.size()] ^= 1; // candidates differ in a few places
  }
  for (const auto kind : {Kernel::Kind::tagging, Kernel::Kind::tree}) {
    const Kernel kernel{kind, 0.5};
    SupportGraph graph(kernel, 3);
    graph.add(std::array{SupportGraph::Part{forest.trees()[0], 1.0}});
    Comparison dropped(kernel, 3), kept(kernel, 3);
    for (std::size_t i = 1; i <= 20; ++i) {
      dropped.add(forest.trees()[i], graph.productions());
      kept.add(forest.trees()[i], graph.productions());
    }
    dropped.compare(graph);
    kept.compare(graph, Comparison::Values::kept);
    for (std::size_t i = 0; i < 20; ++i)
      CHECK(dropped.kernel(i) == kept.kernel(i));
    if (kind == Kernel::Kind::tagging) {
      CHECK(kept.held() > 2000 * 20);
      CHECK(dropped.held() < 50 * 2 * 21);
    }
    dropped.compare(graph); // again: nothing is left over from the last time
    CHECK(dropped.kernel(3) == kept.kernel(3));
  }
}

void test_what_trees_share_leaves_no_nodes() {
  DrawnTrees forest;
  forest.add({0, 1, 0, 2, 1}, {0, 1, 2, 1, 2});
  SupportGraph graph({Kernel::Kind::tree, 0.5}, 3);
  const auto tree = forest.trees()[0];
  CHECK(
      graph.add(std::array{SupportGraph::Part{tree, 1.0}, SupportGraph::Part{tree, -1.0}}).empty());
  CHECK(graph.nodes() == 0);
  CHECK(graph.add(std::array{SupportGraph::Part{tree, 1.0}}).size() == 3);
  CHECK(graph.nodes() == 3 && graph.bytes() > 0);
}

void test_a_model_equals_its_sum() {
  std::mt19937 random(7);
  for (const auto kind : {Kernel::Kind::tree, Kernel::Kind::tagging, Kernel::Kind::plain_tagging}) {
    DrawnTrees forest;
    for (int i = 0; i < 12; ++i)
      forest.draw(random, 30, 4); // 3 is unknown
    const Kernel kernel{kind, 0.4};
    const std::vector<double> logprobs(12, 0.0);
    const std::array<std::int64_t, 3> lists{0, 5, 12};
    const runoff::kernels::TreeLists all{lists, forest.trees(), 3, logprobs, {}};
    const std::array<std::uint32_t, 3> better{0, 4, 2},
        worse{1, 4, runoff::kernels::KernelModel::none};
    const std::array<double, 3> weights{0.5, 2.0, -1.0};
    const runoff::kernels::KernelModel model(all, kernel, {better, worse, weights}, [] {});
    std::vector<double> scores(12), products(36);
    model.scores(all, scores, [] {});
    model.products(all, products, [] {});
    for (std::size_t j = 0; j < 12; ++j) {
      const double first = kernel_of(forest, 0, j, kernel) - kernel_of(forest, 1, j, kernel);
      const double third = kernel_of(forest, 2, j, kernel);
      CHECK(std::abs(scores[j] - 0.5 * first + third) < 1e-9 * (1 + std::abs(third)));
      CHECK(std::abs(products[3 * j] - first) < 1e-9 * (1 + std::abs(first)));
      CHECK(products[3 * j + 1] == 0.0);
    }
  }
}

void test_refusals() {
  DrawnTrees forest;
  forest.add({0, 1}, {0, 1});
  const std::array<std::int64_t, 2> lists{0, 1};
  const std::array<double, 1> logprobs{0.0}, weights{1.0};
  const runoff::kernels::TreeLists all{lists, forest.trees(), 3, logprobs, {}};
  const std::array<std::uint32_t, 1> tree{0}, absent{1};
  using runoff::kernels::KernelModel;
  const Kernel kernel;
  CHECK_THROWS(KernelModel(all, kernel, {tree, absent, weights}, [] {}), std::invalid_argument,
               "an update has a tree that is not there");
  CHECK_THROWS(KernelModel(all, kernel, {tree, {}, weights}, [] {}), std::invalid_argument,
               "the updates differ in length");
  CHECK_THROWS(SupportGraph({Kernel::Kind::tree, 1.5}, 3), std::invalid_argument,
               "lam must be above 0 and at most 1");
  CHECK_THROWS(SupportGraph({}, std::size_t{1} << 31), std::invalid_argument,
               "too many labels for a kernel");
  const KernelModel model(all, kernel, {tree, tree, weights}, [] {});
  std::vector<double> votes(1);
  const std::array<std::int64_t, 2> starts{0, 1};
  CHECK_THROWS(model.votes(all, {starts, weights, weights}, votes, [] {}), std::invalid_argument,
               "the voters differ in length");
  DrawnTrees deep; // 2^2000 fragments
  for (std::uint16_t i = 0; i < 2000; ++i) {
    deep.labels.push_back(i % 2);
    deep.depths.push_back(i);
    deep.labels.push_back(2);
    deep.depths.push_back(static_cast<std::uint16_t>(i + 1));
  }
  deep.offsets.push_back(static_cast<std::int64_t>(deep.labels.size()));
  const runoff::kernels::TreeLists one{lists, deep.trees(), 3, logprobs, {}};
  const std::array<std::uint32_t, 1> none{KernelModel::none};
  const KernelModel large(one, {Kernel::Kind::tagging, 1.0}, {tree, none, weights}, [] {});
  large.scores(one, votes, [] {});
  CHECK(std::isfinite(votes[0]));
}

} // namespace

int main() {
  test_hand_worked();
  test_values_of_a_long_sequence_are_dropped();
  test_what_trees_share_leaves_no_nodes();
  test_a_model_equals_its_sum();
  test_refusals();
  return check::result();
}
