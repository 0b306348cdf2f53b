// Uniform-cost search with an agenda of whole states, and a greedy descent from each that is taken
// from it (Turian and Melamed, 2006, "Advances in discriminative parsing", sections 2 and 4.1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace runoff::search {

struct AgendaLimits {
  std::size_t n;       // goals that are wanted
  std::size_t explore; // steps that are weighed before a search with goals is cut short
};

// A goal that was found, and what the way to it costs.
template <typename State> struct Goal {
  double cost;
  State state;
};

template <typename State> struct AgendaResult {
  std::vector<Goal<State>> goals; // distinct, cheapest first
  std::size_t explored = 0;       // steps that were weighed
  std::size_t proven = 0;         // how many of them no other goal can come before
  bool greedy = true;             // whether the first goal is what the first descent found
};

// The cheapest n goals of a space of states. A Space has
//   State, Step                        small values; a Step leads from one state to the next
//   State start()
//   bool is_goal(State)
//   void steps(State, std::vector<Weighed> &out)   all steps with costs >= 0; of equals the first
//                                      is preferred. Every state has a way to a goal, which the
//                                      cheapest steps find.
//   State after(State, Step)
//   std::uint64_t key(State)           what states that are alike in all that matters share
//   bool many_paths()                  whether there are several ways to one state
// where Weighed has a cost and a step.
//
// Each time a state is taken from the agenda, the cheapest step is taken from it, and so on until a
// goal is reached; all other steps go onto the agenda, once. The search ends when the state that is
// taken costs no less than the n-th goal, which is then proven; or after so many steps were weighed
// if there are n goals, or any after ten times as many. With several ways to a state the cheapest
// counts: a state that is reached again goes on only if it got cheaper. An agenda holds no more
// entries than could still be taken, so memory has a bound.
template <typename Space> class Agenda {
public:
  using State = typename Space::State;
  using Step = typename Space::Step;

  Agenda(Space &space, AgendaLimits limits) : space_(space), limits_(limits) {}

  AgendaResult<State> search() {
    descend(space_.start(), 0.0);
    const double first = result_.goals[0].cost;
    while (true) {
      if (entries_.empty() || entries_.front().cost >= bound() || is_over())
        break;
      std::ranges::pop_heap(entries_, later);
      const Entry entry = entries_.back();
      entries_.pop_back();
      descend(space_.after(entry.from, entry.step), entry.cost);
    }
    result_.greedy = result_.goals[0].cost == first;
    for (const auto &goal : result_.goals)
      result_.proven += entries_.empty() || goal.cost <= entries_.front().cost;
    return std::move(result_);
  }

private:
  struct Entry {
    double cost;
    std::uint64_t number; // of equals the one that came first is taken first
    State from;
    Step step;
  };
  static bool later(const Entry &a, const Entry &b) {
    return a.cost != b.cost ? a.cost > b.cost : a.number > b.number;
  }
  bool is_over() const {
    return result_.explored >= limits_.explore &&
           (result_.goals.size() >= limits_.n || result_.explored / 10 >= limits_.explore);
  }
  // What an entry must cost less than.
  double bound() const {
    return result_.goals.size() < limits_.n ? std::numeric_limits<double>::infinity()
                                            : result_.goals.back().cost;
  }

  void descend(State state, double cost) {
    while (is_cheaper(state, cost)) {
      if (space_.is_goal(state)) {
        add_goal(state, cost);
        return;
      }
      weighed_.clear();
      space_.steps(state, weighed_);
      result_.explored += weighed_.size();
      std::size_t best = 0;
      for (std::size_t n = 1; n < weighed_.size(); ++n)
        if (weighed_[n].cost < weighed_[best].cost)
          best = n;
      for (std::size_t n = 0; n < weighed_.size(); ++n)
        if (n != best && cost + weighed_[n].cost < bound())
          add({cost + weighed_[n].cost, number_++, state, weighed_[n].step});
      cost += weighed_[best].cost;
      state = space_.after(state, weighed_[best].step);
      if (cost >= bound())
        return; // so do all goals that it leads to
    }
  }

  // Whether no way to the state was as cheap before.
  bool is_cheaper(State state, double cost) {
    if (space_.many_paths()) {
      const auto [found, is_new] = cheapest_.try_emplace(space_.key(state), cost);
      if (!is_new && found->second <= cost)
        return false;
      found->second = cost;
    }
    return true;
  }

  void add(const Entry &entry) {
    entries_.push_back(entry);
    std::ranges::push_heap(entries_, later);
    // entries that can still be taken: each is a step or more
    const auto most = (limits_.n > 1 ? 10 : 1) * std::max<std::size_t>(limits_.explore, 1);
    if (entries_.size() <= 2 * most)
      return;
    const auto middle = entries_.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(entries_, middle,
                             [](const Entry &a, const Entry &b) { return later(b, a); });
    entries_.erase(middle, entries_.end());
    std::ranges::make_heap(entries_, later);
  }

  void add_goal(State state, double cost) {
    auto &goals = result_.goals;
    if (space_.many_paths())
      std::erase_if(goals,
                    [&](const auto &one) { return space_.key(one.state) == space_.key(state); });
    const auto place = std::ranges::upper_bound(goals, cost, {}, &Goal<State>::cost);
    goals.insert(place, {cost, state});
    if (goals.size() > limits_.n)
      goals.pop_back();
  }

  Space &space_;
  AgendaLimits limits_;
  AgendaResult<State> result_;
  std::vector<Entry> entries_; // a heap
  std::vector<typename Space::Weighed> weighed_;
  std::unordered_map<std::uint64_t, double> cheapest_; // by key, with several paths only
  std::uint64_t number_ = 0;
};

} // namespace runoff::search
