#include "runoff/pairs/pruning.hpp"
#include "runoff/pairs/push.hpp"
#include "runoff/ranking/feature_index.hpp"
#include "runoff/ranking/list_maxima.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

// Two lists, of three and of two candidates.
struct Example {
  std::vector<std::int64_t> list_offsets{0, 3, 5};
  std::vector<std::int64_t> feature_offsets{0, 2, 3, 4, 5, 5};
  std::vector<std::uint32_t> ids{0, 1, 1, 0, 1};
  std::vector<double> values{1, 2, -1, 3, -4};
  std::vector<double> logprobs{-1, -2, -3, -1, -5};
  std::vector<double> qualities{3, 2, 1, 0, 1};
  std::vector<std::uint8_t> kept{1, 1, 1, 1, 1};
  std::vector<std::int64_t> numbers{0, 1};

  runoff::ranking::Problem problem() const {
    return {list_offsets, feature_offsets, ids, values, logprobs};
  }
  runoff::pairs::CrucialPairs pairs(runoff::pairs::PairLimits limits = {},
                                    runoff::pairs::PairSubset subset = {}) const {
    return {{list_offsets, qualities, logprobs, kept, numbers}, limits, subset};
  }
};

std::size_t count(const runoff::pairs::CrucialPairs &pairs) {
  std::size_t found = 0;
  for (std::size_t list = 0; list < pairs.lists(); ++list)
    for (std::size_t worse = 0; worse < pairs.members(list).size(); ++worse)
      pairs.each_better(list, worse, [&](std::size_t) { ++found; });
  return found;
}

void gradients_are_sums_over_rows() {
  const Example example;
  const runoff::ranking::FeatureIndex index(example.problem(), 2, std::vector<std::int64_t>{1, 0});
  const std::vector<double> coefficients{1, -2, 1, 3, -3};
  std::vector<double> gradient(3);
  index.gradient(coefficients, gradient, {2, [] {}});
  CHECK((gradient ==
         std::vector<double>{1 * 1 + 3 * 1, 2 * 1 + -1 * -2 + -4 * 3, -1 * -2 + -2 * 1 + -4 * -3}));
  std::vector<double> column(5, 9);
  index.scatter(1, column);
  CHECK((column == std::vector<double>{2, -1, 9, -4, 9}));
}

void features_that_occur_together_share_a_column() {
  // two lists of two candidates; in the first, features 0 and 2 occur in both candidates alike
  const std::vector<std::int64_t> lists{0, 2, 4}, offsets{0, 2, 5, 6, 6};
  const std::vector<std::uint32_t> ids{0, 2, 0, 1, 2, 2};
  const std::vector<double> logprobs(4, -1);
  const runoff::ranking::Problem problem{lists, offsets, ids, {}, logprobs};
  int calls = 0;
  const runoff::ranking::FeatureIndex index(problem, 3, std::vector<std::int64_t>{0, 1},
                                            [&] { ++calls; });
  CHECK(calls == 1);
  CHECK(index.row(0)[0] == index.row(2)[0] && index.row(0).size() == 1);
  CHECK(index.row(2).size() == 2 && index.row(1)[0] != index.row(0)[0]);
  CHECK(index.column(index.row(0)[0]).size() == 2 && index.column(index.row(1)[0])[0] == 1);
}

void pairs_are_those_within_the_limits() {
  Example example;
  CHECK(count(example.pairs()) == 4);
  CHECK(count(example.pairs({.closest = 1.0})) == 1);
  CHECK(count(example.pairs({.largest = 1.0})) == 3);
  CHECK(count(example.pairs({.closest_logprob = 2.0})) == 2);
  CHECK(count(example.pairs({}, {3, 0, 5})) + count(example.pairs({}, {3, 1, 5})) +
            count(example.pairs({}, {3, 2, 5})) ==
        4);
  example.kept = {1, 0, 1, 1, 0};
  CHECK(count(example.pairs()) == 1);
  example.kept.pop_back();
  CHECK_THROWS(example.pairs(), std::invalid_argument,
               "qualities, logprobs and kept must have one entry per candidate");
}

void losses_are_as_written() {
  const Example example;
  const std::vector<double> scores{0.5, 0.5, 0.5, 2, 1};
  std::vector<double> losses(2), coefficients(5);
  const runoff::ranking::LossOut out{losses, coefficients};
  runoff::ranking::log_loss(example.list_offsets, std::vector<double>{1, 0, -1, 0.5, 0.5}, scores,
                            out, {});
  CHECK(near(losses[0], std::log(2.0)));
  CHECK(near(losses[1], std::log(1 + std::exp(1.0)) - 0.5));
  CHECK((near(coefficients[0], -0.5) && near(coefficients[1], 0.5) && coefficients[2] == 0));

  runoff::pairs::pair_loss(example.pairs(), runoff::pairs::PairLoss::squared_hinge, scores, out,
                           {});
  CHECK((losses == std::vector<double>{1, 4}));
  CHECK((near(coefficients[0], -4.0 / 3) && near(coefficients[1], 0) && coefficients[3] == 4));
  runoff::pairs::pair_loss(example.pairs(), runoff::pairs::PairLoss::logistic, scores, out, {});
  CHECK((near(losses[0], std::log(2.0)) && near(losses[1], std::log(1 + std::exp(1.0)))));

  runoff::pairs::push_loss(example.pairs(), 2.0, scores, out, {});
  CHECK((near(losses[0], std::log(1.0 + 4.0)) && near(losses[1], 2.0)));
  CHECK((near(coefficients[3], 2.0) && near(coefficients[4], -2.0)));
}

void maxima_count_absent_features_as_zero() {
  const Example example;
  const auto maxima = runoff::ranking::list_maxima(example.problem());
  CHECK((maxima.feature_offsets == std::vector<std::int64_t>{0, 1, 1, 2, 2, 3}));
  CHECK((maxima.feature_ids == std::vector<std::uint32_t>{1, 0, 1}));
  std::vector<double> ranges(3);
  runoff::ranking::feature_ranges(example.problem(), ranges);
  CHECK((ranges == std::vector<double>{3, 4, 4}));
}

void decoding_keeps_what_does_not_lose() {
  const std::vector<std::int64_t> offsets{0, 4, 4, 5};
  const std::vector<double> scores{0, 3, 2.5, -1, 7};
  std::vector<std::uint8_t> kept(5);
  runoff::pairs::prune_and_select(offsets, scores, {0, 0, 0}, kept);
  CHECK((kept == std::vector<std::uint8_t>{0, 1, 0, 0, 1}));
  runoff::pairs::prune_and_select(offsets, scores, {1, -1, 0}, kept);
  CHECK((kept == std::vector<std::uint8_t>{0, 1, 1, 0, 1}));
  runoff::pairs::prune_and_select(offsets, scores, {9, -9, 0}, kept);
  CHECK((kept == std::vector<std::uint8_t>{1, 1, 1, 1, 1}));
  std::vector<double> votes(5, 0.0);
  runoff::pairs::add_pair_votes(offsets, scores, 0.0, votes, [] {});
  CHECK((near(votes[0], 3 * std::log(0.5)) && near(votes[4], 0.0)));
}

} // namespace

int main() {
  gradients_are_sums_over_rows();
  features_that_occur_together_share_a_column();
  pairs_are_those_within_the_limits();
  losses_are_as_written();
  maxima_count_absent_features_as_zero();
  decoding_keeps_what_does_not_lose();
  return check::result();
}
