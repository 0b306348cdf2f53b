#include "runoff/ranking/encoding.hpp"
#include "runoff/ranking/perceptron.hpp"
#include "runoff/ranking/problem.hpp"
#include "runoff/ranking/voting.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace {

const char *const RISES = "list_offsets must rise from 0 to the number of entries";

// Two lists: candidates {a b} {b} and {a=2} {}, with log-probabilities.
struct Example {
  std::vector<std::int64_t> list_offsets{0, 2, 4};
  std::vector<std::int64_t> feature_offsets{0, 2, 3, 4, 4};
  std::vector<std::uint32_t> ids{0, 1, 1, 0};
  std::vector<double> values{1, 1, 1, 2};
  std::vector<double> logprobs{-1, -2, -3, -1};

  runoff::ranking::Problem problem() const {
    return {list_offsets, feature_offsets, ids, values, logprobs};
  }
};

void scores_add_up() {
  const Example example;
  std::vector<double> scores(4);
  runoff::ranking::linear_scores(example.problem(), std::vector<double>{10, 100}, 0.5, scores);
  CHECK((scores == std::vector<double>{109.5, 99, 18.5, -0.5}));
}

void broken_arrays_are_refused() {
  Example example;
  example.problem().check(2);
  CHECK_THROWS(example.problem().check(1), std::invalid_argument, "feature id 1 is not below 1");
  example.list_offsets = {0, 3, 2, 4};
  CHECK_THROWS(example.problem().check(2), std::invalid_argument, RISES);
  example.list_offsets = {0, 5};
  CHECK_THROWS(example.problem().check(2), std::invalid_argument, RISES);
  example.list_offsets = {};
  CHECK_THROWS(example.problem().check(2), std::invalid_argument, RISES);
}

void ties_go_to_the_second_key_then_to_the_lower_place() {
  const std::vector<std::int64_t> offsets{0, 3, 3, 5};
  std::vector<std::int64_t> places(3);
  runoff::ranking::argmax_lists(offsets, std::vector<double>{1, 2, 2, 5, 5},
                                std::vector<double>{0, 1, 3, 4, 4}, places);
  CHECK((places == std::vector<std::int64_t>{2, -1, 0}));
}

void scales_are_spreads_within_lists() {
  const Example example;
  std::vector<double> scales(3);
  runoff::ranking::feature_scales(example.problem(), std::vector<std::int64_t>{0, 1}, scales);
  // a is 1, 0 and 2, 0: squared distances .25 .25 1 1; log-probabilities: .25 .25 1 1
  CHECK(std::abs(scales[0] - std::sqrt(2.5 / 4)) < 1e-12);
  CHECK(scales[1] == 1.0);
  CHECK(std::abs(scales[2] - std::sqrt(2.5 / 4)) < 1e-12);
}

void perceptron_corrects_what_is_wrong() {
  const Example example;
  std::vector<double> w(3, 0.0), u(3, 0.0);
  w[2] = 1.0;
  runoff::ranking::PerceptronState state{w, u, 1};
  // List 0 picks candidate 0, which is best; list 1 picks candidate 1, and 0 is best.
  const std::vector<double> qualities{1, 0, 1, 0}, scales(3, 1.0);
  std::vector<std::int64_t> wrong_picks(2);
  const auto wrong = runoff::ranking::perceptron_epoch(
      example.problem(), qualities, std::vector<std::int64_t>{0, 0},
      std::vector<std::int64_t>{0, 1}, scales, state, [] {}, wrong_picks);
  CHECK(wrong == 1);
  CHECK((wrong_picks == std::vector<std::int64_t>{-1, 1}));
  CHECK(state.t == 3);
  CHECK((w == std::vector<double>{2, 0, -1})); // a: +2; log-probability: 1 + (-3) - (-1)
  CHECK((u == std::vector<double>{4, 0, -4})); // the change, times the step 2
}

void every_vector_votes_for_its_first() {
  const Example example;
  const std::vector<std::int64_t> offsets{0, 1, 1};
  const std::vector<std::uint32_t> ids{0};
  const std::vector<double> values{3}, logprobs{-1, -1}, survivals{1, 2, 4};
  const runoff::ranking::Voters voters{offsets, ids, values, logprobs, survivals};
  voters.check(1);
  CHECK_THROWS(voters.check(0), std::invalid_argument, "feature id 0 is not below 0");
  // Weights of a and of the log-probability: 0 1, then 3 0, then 3 -1.
  std::vector<double> scores = example.logprobs, votes(4, 0.0);
  runoff::ranking::add_votes(example.problem(), 2, voters, scores, votes, [] {});
  CHECK((votes == std::vector<double>{7, 0, 6, 1}));
  CHECK((scores == std::vector<double>{4, 2, 9, 1}));
}

// Source 0 becomes the features 2 (from 1 on) and 0 (from 2 on), source 1 keeps its value as 1,
// source 2 becomes 3 (from -1 down).
struct Encoded {
  std::vector<std::int64_t> offsets{0, 2, 3, 4}, ids{2, 0, 1, 3};
  std::vector<double> cuts{1, 2, std::nan(""), -1};
  std::vector<std::int64_t> places{1, -1, 0, 2}; // of what was found

  runoff::ranking::Encodings encodings() const { return {offsets, ids, cuts}; }
};

void features_become_those_of_a_space() {
  const Encoded space;
  space.encodings().check(4);
  const std::vector<std::int64_t> lists{0, 2, 2, 3}, offsets{0, 3, 5, 7};
  const std::vector<std::uint32_t> ids{2, 0, 1, 2, 3, 2, 3};
  const std::vector<double> values{3, 0.5, 9, 1, -2, 1, -0.5}, logprobs(3);
  const auto found = runoff::ranking::encode_features({lists, offsets, ids, values, logprobs},
                                                      space.places, space.encodings(), 4);
  // feature 2 is in all candidates of the first list, and of the third, which has one
  CHECK((found.counts == std::vector<std::int64_t>{2, 1, 0}));
  CHECK((found.ids == std::vector<std::uint32_t>{0, 1, 3}));
  CHECK((found.values == std::vector<double>{1, 0.5, 1}));
}

void broken_encodings_are_refused() {
  Encoded space;
  CHECK_THROWS(space.encodings().check(3), std::invalid_argument,
               "an encoding has an id that is out of range");
  space.ids[0] = -1;
  CHECK_THROWS(space.encodings().check(4), std::invalid_argument,
               "an encoding has an id that is out of range");
  space.cuts.pop_back();
  CHECK_THROWS(space.encodings().check(4), std::invalid_argument, "there must be one cut per id");
  space.offsets.back() = 3;
  CHECK_THROWS(space.encodings().check(4), std::invalid_argument,
               "the offsets of encodings must rise from 0 to the number of entries");
}

} // namespace

int main() {
  features_become_those_of_a_space();
  broken_encodings_are_refused();
  scores_add_up();
  broken_arrays_are_refused();
  ties_go_to_the_second_key_then_to_the_lower_place();
  scales_are_spreads_within_lists();
  perceptron_corrects_what_is_wrong();
  every_vector_votes_for_its_first();
  return check::result();
}
