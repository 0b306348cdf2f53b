#include "runoff/search/agenda.hpp"

#include "tests/check.hpp"

#include <bit>
#include <cmath>
#include <map>

using namespace runoff::search;

namespace {

// Sets of `size` numbers, which are added one by one; the cost depends on what is there.
struct Sets {
  using State = std::uint32_t; // bits
  using Step = std::uint32_t;
  struct Weighed {
    double cost;
    Step step;
  };
  std::uint32_t numbers, size;
  bool any_order;

  State start() const { return 0; }
  bool many_paths() const { return any_order; }
  bool is_goal(State state) const { return std::popcount(state) == static_cast<int>(size); }
  std::uint64_t key(State state) const { return state; }
  State after(State state, Step step) const { return state | (1U << step); }
  double cost(State state, Step step) const {
    return static_cast<double>((state * 2654435761U + step * 40503U) % 1009U) / 100.0;
  }
  bool allows(State state, Step step) const {
    const auto last = static_cast<Step>(std::bit_width(state));
    const bool enough = numbers - step + static_cast<Step>(std::popcount(state)) >= size;
    return (state >> step & 1) == 0 && (any_order || (step >= last && enough));
  }
  void steps(State state, std::vector<Weighed> &out) const {
    for (Step step = 0; step < numbers; ++step)
      if (allows(state, step))
        out.push_back({cost(state, step), step});
  }
  // All goals with the cost of the cheapest way to each.
  std::map<State, double> goals() const {
    std::map<State, double> level{{0, 0.0}};
    for (std::uint32_t n = 0; n < size; ++n) {
      std::map<State, double> following;
      for (const auto &[state, total] : level)
        for (Step step = 0; step < numbers; ++step)
          if (allows(state, step)) {
            const auto [found, is_new] =
                following.try_emplace(after(state, step), total + cost(state, step));
            found->second = std::min(found->second, total + cost(state, step));
          }
      level = following;
    }
    return level;
  }
};

void the_cheapest_goals_come_in_order() {
  for (const bool any_order : {false, true}) {
    Sets space{9, 4, any_order};
    const auto all = space.goals();
    std::vector<double> costs;
    for (const auto &[state, cost] : all)
      costs.push_back(cost);
    std::ranges::sort(costs);
    for (const std::size_t n : {std::size_t{1}, std::size_t{7}, all.size() + 1}) {
      const auto found = Agenda<Sets>(space, {n, 1000000}).search();
      CHECK(found.goals.size() == std::min(n, all.size()));
      CHECK(found.proven == found.goals.size());
      for (std::size_t i = 0; i < found.goals.size(); ++i) {
        CHECK(std::abs(found.goals[i].cost - costs[i]) < 1e-9);
        CHECK(std::abs(all.at(found.goals[i].state) - costs[i]) < 1e-9);
      }
    }
  }
}

void a_search_that_is_cut_short_has_goals_and_does_not_claim_too_much() {
  Sets space{20, 9, true};
  const auto best = Agenda<Sets>(space, {1, 10000000}).search().goals[0].cost;
  std::size_t before = 0;
  for (const std::size_t explore : {1, 1000, 20000}) {
    const auto found = Agenda<Sets>(space, {3, explore}).search();
    CHECK(!found.goals.empty());
    CHECK(found.explored >= before);
    before = found.explored;
    CHECK(found.proven == 0 || std::abs(found.goals[0].cost - best) < 1e-9);
    CHECK(explore > 1 || found.greedy);
    for (std::size_t i = 1; i < found.goals.size(); ++i)
      CHECK(found.goals[i - 1].cost <= found.goals[i].cost);
  }
}

} // namespace

int main() {
  the_cheapest_goals_come_in_order();
  a_search_that_is_cut_short_has_goals_and_does_not_claim_too_much();
  return check::result();
}
