#include "runoff/sequence/hmm.hpp"
#include "checked_problem.hpp"

#include <nanobind/stl/tuple.h>

namespace {

using runoff::sequence::Hmm;

void build(Hmm *self, std::size_t n_classes, std::size_t order, Ids kinds, std::size_t n_kinds,
           Ids parents, Ids symbols, Ids event_nodes, Ids event_symbols, Ids event_counts) {
  const std::size_t n_symbols = kinds.shape(0) + n_classes + 3;
  nb::gil_scoped_release release;
  new (self) Hmm(n_classes, order, view(kinds), n_kinds,
                 {n_classes + 1, n_symbols, view(parents), view(symbols), view(event_nodes),
                  view(event_symbols), view(event_counts)});
}

auto n_best(const Hmm &hmm, Ids tokens, Offsets offsets, std::size_t n, int threads) {
  require(n > 0, "n must be at least 1");
  runoff::sequence::TagLists found;
  {
    nb::gil_scoped_release release;
    found = hmm.n_best(view(tokens), view(offsets), n, {threads, check_signals});
  }
  return std::tuple(owned(std::move(found.counts)), owned(std::move(found.logprobs)),
                    owned(std::move(found.tags)));
}

void bind(nb::module_ &m) {
  nb::class_<Hmm>(m, "Hmm", "Finds the most probable names of sentences.")
      .def("__init__", &build, "n_classes"_a, "order"_a, "kinds"_a.noconvert(), "n_kinds"_a,
           "parents"_a.noconvert(), "symbols"_a.noconvert(), "event_nodes"_a.noconvert(),
           "event_symbols"_a.noconvert(), "event_counts"_a.noconvert())
      .def("n_best", &n_best, "tokens"_a.noconvert(), "offsets"_a.noconvert(), "n"_a,
           "threads"_a = 1,
           "(counts, logprobs, tags): candidates per sentence, best first, laid end to end. Tag 0 "
           "is outside, 2c - 1 and 2c are the first and other words of a name of class c.");
}

const Room room("sequence_hmm", bind);

} // namespace
