#include "runoff/sequence/crf_training.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

namespace {

using runoff::sequence::CrfChain;
using runoff::sequence::Tag;

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

// Labels 0 and 1; 2 is the start. A sentence begins with 0, and 1 never follows itself.
const std::vector<Tag> pairs{0, 0, 1, 0, 2, 0, 0, 1};

void chains_have_states_and_edges() {
  const CrfChain one(1, 2, pairs), two(2, 2, pairs);
  CHECK(one.n_states() == 2 && one.n_edges() == 3 && one.n_targets() == 2);
  CHECK(one.initial(0) && !one.initial(1));
  CHECK(one.edge(0, 1) == 2 && one.edge(1, 0) == 1 && one.edge(1, 1) == one.n_edges());
  CHECK(two.n_states() == 4 && two.n_edges() == 7 && two.n_targets() == 6);
  CHECK(two.state(2, 0) == 2 && two.state(0, 1) == 3 && two.state(1, 1) == two.n_states());
  CHECK(two.first_edge(2) == two.first_edge(3) && two.edge(3, 1) < two.n_edges());
  CHECK_THROWS(CrfChain(1, 2, std::vector<Tag>{2, 0, 0, 1}), std::invalid_argument,
               "no sequence of some length is allowed");
}

void the_best_come_first() {
  const CrfChain chain(2, 2, pairs);
  const std::vector<std::int64_t> offsets{0, 3, 3}, attribute_offsets{0, 1, 1, 2},
      weight_offsets{0, 1};
  const std::vector<std::uint32_t> attributes{0, 0}, targets{1};
  const std::vector<double> weights{1.0}, edges(chain.n_edges());
  const runoff::sequence::Crf crf(chain, {weight_offsets, targets, weights, edges});
  const auto lists = crf.n_best({offsets, attribute_offsets, attributes, {}}, 9, {2, [] {}});
  CHECK((lists.counts == std::vector<std::int64_t>{3, 1}));
  CHECK((lists.tags == std::vector<Tag>{0, 0, 1, 0, 0, 0, 0, 1, 0}));
  const double sum = std::exp(1.0) + 2.0;
  CHECK(near(lists.logprobs[0], 1.0 - std::log(sum)) && near(lists.logprobs[2], -std::log(sum)));
  CHECK(lists.logprobs[3] == 0.0);
}

void losses_fall_along_the_gradient() {
  const std::vector<std::int32_t> atoms{0, 0, 0, -2, 0, -2, -1, -1, 0, 0, 0, -2};
  const std::vector<std::uint32_t> forms{9, 1, 2}, sets{0, 0, 0}, words{1, 2, 1, 1};
  const std::vector<std::int64_t> offsets{0, 3, 3, 4};
  const std::vector<Tag> gold{0, 1, 0, 0};
  const runoff::sequence::TagTemplates templates(atoms, 1);
  const runoff::sequence::TagCorpus corpus{forms, 1, sets, words, offsets};
  const runoff::sequence::CrfProblem problem(CrfChain(2, 2, pairs), templates, corpus, gold, 1,
                                             [] {});
  CHECK(problem.keys().size() == 4);
  std::vector<double> weights(problem.n_weights()), gradient(weights.size());
  const double before = problem.loss(weights, gradient, {2, [] {}});
  CHECK(near(before, std::log(3.0))); // one of three sequences, and one of one
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] -= 0.1 * gradient[i];
  CHECK(problem.loss(weights, gradient, {}) < before);
}

} // namespace

int main() {
  chains_have_states_and_edges();
  the_best_come_first();
  losses_fall_along_the_gradient();
  return check::result();
}
