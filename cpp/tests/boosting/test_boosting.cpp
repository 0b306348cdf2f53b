#include "runoff/boosting/boosting.hpp"
#include "tests/check.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

// One list: the best candidate {a b}, worse ones {b c} and {}; d never differs.
struct Example {
  std::vector<std::int64_t> list_offsets{0, 3};
  std::vector<std::int64_t> feature_offsets{0, 2, 4, 4};
  std::vector<std::uint32_t> ids{0, 1, 1, 2};
  std::vector<double> logprobs{-1, -1, -1};
  std::vector<double> qualities{3, 2, 1};
  std::vector<std::int64_t> best{0};

  runoff::boosting::PairIndex index() const {
    runoff::boosting::PairIndex result({list_offsets, feature_offsets, ids, {}, logprobs}, 4,
                                       qualities, best, [] {});
    result.invert();
    return result;
  }
};

void both_indices_hold_the_same() {
  const auto index = Example().index();
  CHECK(index.pairs() == 2 && index.groups() == 1);
  CHECK(index.entries() == 4); // a and c; a and b
  CHECK(index.rank(0) == 0);   // a differs in both pairs
  CHECK(index.rank(3) == -1);
  for (std::size_t pair = 0; pair < index.pairs(); ++pair)
    for (const auto slot : index.b(pair)) {
      const auto pairs = index.a(index.sides(index.group(pair))[slot]);
      CHECK(std::find(pairs.begin(), pairs.end(), pair) != pairs.end());
    }
}

void the_first_round_by_hand() {
  const auto index = Example().index();
  // S is 1 and 2, margins are 0: W+ of a is 3, W- of c is 1, W+ of b is 2.
  const std::vector<double> exponents{0.0, std::log(2.0)};
  runoff::boosting::Booster booster(index, runoff::boosting::Loss::exponential, exponents, 0.5);
  CHECK(booster.total() == 3.0);
  runoff::boosting::Round round{};
  CHECK(booster.round(round));
  CHECK(round.feature == 0);
  CHECK(std::abs(round.delta - 0.5 * std::log((3 + 1.5) / 1.5)) < 1e-15);
  CHECK(round.updates == 4);
  CHECK(std::abs(round.loss - 3 * std::exp(-round.delta)) < 1e-15);
}

void the_first_round_of_log_loss_by_hand() {
  const auto index = Example().index();
  const std::vector<double> exponents{0.0, 0.0};
  runoff::boosting::Booster booster(index, runoff::boosting::Loss::logarithmic, exponents, 0.5);
  CHECK(std::abs(booster.loss() - std::log(3.0)) < 1e-15);
  CHECK(std::abs(booster.total() - 2.0 / 3) < 1e-15); // q is 1/3 for both
  runoff::boosting::Round round{};
  CHECK(booster.round(round));
  CHECK(round.feature == 0);
  CHECK(std::abs(round.delta - 0.5 * std::log((2.0 / 3 + 1.0 / 3) / (1.0 / 3))) < 1e-15);
  CHECK(std::abs(round.loss - std::log1p(2 * std::exp(-round.delta))) < 1e-15);
}

void replayed_rounds_lead_to_the_same_state() {
  const auto index = Example().index();
  const std::vector<double> exponents{0.0, std::log(2.0)};
  for (const auto loss :
       {runoff::boosting::Loss::exponential, runoff::boosting::Loss::logarithmic}) {
    runoff::boosting::Booster once(index, loss, exponents, 0.01),
        again(index, loss, exponents, 0.01);
    std::vector<std::uint32_t> features;
    std::vector<double> deltas;
    runoff::boosting::Round round{};
    while (features.size() < 300 && once.round(round)) {
      features.push_back(round.feature);
      deltas.push_back(round.delta);
    }
    CHECK(features.size() > 100);
    again.replay(features, deltas, once.scale());
    CHECK(again.loss() == once.loss() && again.total() == once.total());
    for (std::size_t side = 0; side < 2 * index.ranks(); ++side)
      CHECK(again.w(side) == once.w(side));
    CHECK_THROWS(again.replay(std::vector<std::uint32_t>{3}, std::vector<double>{1}, 1.0),
                 std::invalid_argument, "the rounds to replay name a feature that never differs");
  }
}

void features_that_are_not_binary_or_sorted_are_refused() {
  Example example;
  const std::vector<double> values{1, 2, 1, 1};
  CHECK_THROWS(runoff::boosting::PairIndex({example.list_offsets, example.feature_offsets,
                                            example.ids, values, example.logprobs},
                                           4, example.qualities, example.best, [] {}),
               std::invalid_argument, "features must be present or absent");
  std::swap(example.ids[0], example.ids[1]);
  CHECK_THROWS(example.index(), std::invalid_argument, "feature ids must rise within a candidate");
}

struct Keys {
  const std::vector<double> &keys;
  double operator()(std::size_t place) const { return keys[place]; }
  bool is_below(std::size_t place, double key) const { return keys[place] < key - 1; }
  void prefetch(std::size_t) const {}
};

void the_tree_finds_the_largest_key() {
  std::mt19937 random(7);
  for (const std::size_t size : {1u, 2u, 16u, 17u, 300u, 5000u}) {
    std::vector<std::uint32_t> names(size);
    for (std::size_t place = 0; place < size; ++place)
      names[place] = static_cast<std::uint32_t>(size - place); // ties go to the last
    std::vector<double> keys(size, 0.0);
    const Keys key{keys};
    runoff::base::MaxTree tree(names);
    tree.build(key);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::uint32_t> places;
      for (int change = 0; change < 1 + round % 7; ++change) {
        places.push_back(static_cast<std::uint32_t>(random() % size));
        keys[places.back()] = static_cast<double>(random() % 20);
      }
      tree.change(places, key);
      std::size_t best = 0;
      for (std::size_t place = 1; place < size; ++place)
        if (keys[place] >= keys[best])
          best = place;
      CHECK(tree.top() == best && tree.top_key() == keys[best]);
    }
  }
  CHECK(runoff::base::MaxTree({}).empty());
}

void development_picks_follow_the_weights() {
  const Example example;
  const runoff::ranking::Problem problem{
      example.list_offsets, example.feature_offsets, example.ids, {}, example.logprobs};
  const runoff::ranking::FeatureIndex index(problem, 4, std::vector<std::int64_t>{0});
  std::vector<double> statistics; // the quality, and a number that grows with the candidate's
  for (std::size_t j = 0; j < example.qualities.size(); ++j)
    statistics.insert(statistics.end(), {example.qualities[j], 0.25 * static_cast<double>(j)});
  runoff::boosting::DevCurve curve(problem, index, statistics, 2, 1.0);
  const auto totals = [&] {
    std::vector<double> out(curve.width());
    curve.write_totals(out);
    return out;
  };
  CHECK((totals() == std::vector{3.0, 0.0})); // a tie, so the first
  curve.add(2, 1.0);
  CHECK((totals() == std::vector{2.0, 0.25}));
  curve.add(1, -5.0);
  CHECK((totals() == std::vector{1.0, 0.5}));
}

} // namespace

int main() {
  both_indices_hold_the_same();
  the_first_round_by_hand();
  the_first_round_of_log_loss_by_hand();
  replayed_rounds_lead_to_the_same_state();
  features_that_are_not_binary_or_sorted_are_refused();
  the_tree_finds_the_largest_key();
  development_picks_follow_the_weights();
  return check::result();
}
