// Losses of boosting by the names that Python gives them.
#pragma once

#include "checked_problem.hpp"
#include "runoff/boosting/boosting.hpp"

#include <nanobind/stl/string.h>
#include <string>

inline runoff::boosting::Loss loss_named(const std::string &name) {
  require(name == "exp" || name == "log", "loss must be exp or log");
  return name == "exp" ? runoff::boosting::Loss::exponential : runoff::boosting::Loss::logarithmic;
}
