#include "runoff/ngrams/estimation.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>
#include <unordered_set>

namespace {

using namespace runoff::ngrams;

// <s> 3 4 </s> <s> 3 5 </s>
const std::vector<std::uint32_t> TEXT{1, 3, 4, 2, 1, 3, 5, 2};

Model model_of(const Estimates &made) {
  std::vector<Model::Order> orders;
  for (const auto &own : made.orders)
    orders.push_back({own.words, own.children, own.probabilities, own.backoffs});
  return Model(std::move(orders));
}

void the_trie_is_reversed_and_sorted() {
  const auto made = estimate(TEXT, 6, 2, [] {});
  CHECK((made.orders[0].children == std::vector<std::uint32_t>{0, 0, 0, 2, 3, 4, 5}));
  CHECK((made.orders[1].words == std::vector<std::uint32_t>{4, 5, 1, 3, 3}));
}

void states_are_values() {
  const auto made = estimate(TEXT, 6, 3, [] {});
  const auto model = model_of(made);
  State one, other;
  model.score(model.begin(), 4, one);
  model.score(model.begin(), 77, other); // an unknown word
  CHECK(other.length == 0);
  model.score(other, 4, other);
  CHECK(one == other);
  const auto hash = [](const State &state) { return state.hash(); };
  std::unordered_set<State, decltype(hash)> states(8, hash);
  states.insert({one, other, model.begin()});
  CHECK(states.size() == 2);
}

void a_broken_trie_throws() {
  auto made = estimate(TEXT, 6, 2, [] {});
  made.orders[0].children[3] = 99;
  const auto model = model_of(made);
  State next;
  CHECK_THROWS(model.score(model.begin(), 3, next), std::invalid_argument,
               "extensions of an n-gram lie outside the model");
  made.orders[1].words.pop_back();
  CHECK_THROWS(model_of(made), std::invalid_argument, "every n-gram needs a word");
}

void an_interrupt_reaches_the_caller() {
  CHECK_THROWS(estimate(TEXT, 6, 2, [] { throw std::runtime_error("stop"); }), std::runtime_error,
               "stop");
}

} // namespace

int main() {
  the_trie_is_reversed_and_sorted();
  states_are_values();
  a_broken_trie_throws();
  an_interrupt_reaches_the_caller();
  return check::result();
}
