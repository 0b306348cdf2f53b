// Ranking problems as the bindings take them: checked once, kept alive.
#pragma once

#include "bind.hpp"
#include "runoff/ranking/problem.hpp"

#include <nanobind/stl/optional.h>
#include <optional>
#include <stdexcept>

using Offsets = Vec<const std::int64_t>;
using Ids = Vec<const std::uint32_t>;
using Doubles = Vec<const double>;
using Integers = Vec<const std::int64_t>;

inline void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

// What native code calls now and then while it reads a problem, so that memory may be given back.
using Between = nb::typed<nb::callable, void()>;

inline runoff::base::Poll calling(const Between &between) {
  return [&between] {
    check_signals();
    nb::gil_scoped_acquire lock;
    between();
  };
}

// Keeps the arrays of a ranking problem alive, checked once for all later calls.
class CheckedProblem {
public:
  CheckedProblem(Offsets list_offsets, Offsets feature_offsets, Ids feature_ids,
                 std::optional<Doubles> feature_values, Doubles logprobs, std::size_t n_features,
                 const Between &between)
      : list_offsets_(list_offsets), feature_offsets_(feature_offsets), feature_ids_(feature_ids),
        feature_values_(feature_values), logprobs_(logprobs), n_features(n_features) {
    problem = {
        view(list_offsets_), view(feature_offsets_), view(feature_ids_), {}, view(logprobs_)};
    if (feature_values_)
      problem.feature_values = view(*feature_values_);
    nb::gil_scoped_release release;
    problem.check(n_features, calling(between));
  }

private:
  Offsets list_offsets_, feature_offsets_;
  Ids feature_ids_;
  std::optional<Doubles> feature_values_;
  Doubles logprobs_;

public:
  runoff::ranking::Problem problem;
  std::size_t n_features;
};

inline void check_order(std::span<const std::int64_t> order, std::size_t lists) {
  for (const auto list : order)
    require(list >= 0 && static_cast<std::size_t>(list) < lists,
            "order names a list that is not there");
}

// `best` holds a place in each list that is not empty.
inline void check_best(std::span<const std::int64_t> list_offsets, const Integers &best) {
  require(best.shape(0) + 1 == list_offsets.size(), "best must have one entry per list");
  for (std::size_t i = 0; i < best.shape(0); ++i) {
    const auto size = list_offsets[i + 1] - list_offsets[i];
    require(size == 0 || (best.data()[i] >= 0 && best.data()[i] < size), "best is not in its list");
  }
}

inline void check_best(const CheckedProblem &checked, const Integers &best) {
  check_best(checked.problem.list_offsets, best);
}

inline void check_qualities(const CheckedProblem &checked, const Doubles &qualities) {
  require(qualities.shape(0) == checked.problem.candidates(),
          "qualities must have one entry per candidate");
}
