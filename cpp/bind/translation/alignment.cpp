#include "bind.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/translation/aligner.hpp"
#include "runoff/translation/symmetrisation.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <stdexcept>

namespace {

using namespace runoff::translation;

using Ids = Vec<const std::uint32_t>;
using Offsets = Vec<const std::int64_t>;
using Places = Vec<const std::int32_t>;

auto align_words(Ids source, Offsets source_offsets, Ids target, Offsets target_offsets,
                 std::size_t source_words, std::size_t target_words, std::size_t ibm1,
                 std::size_t diagonal, std::size_t hmm, double empty, double tension, double alpha,
                 int threads) {
  Alignments made;
  {
    nb::gil_scoped_release release;
    const Bitext bitext{view(source),         view(target), view(source_offsets),
                        view(target_offsets), source_words, target_words};
    made = align(bitext, {ibm1, diagonal, hmm, empty, tension, alpha}, {threads, check_signals});
  }
  return std::tuple(owned(std::move(made.links)), owned(std::move(made.likelihoods)), made.tension);
}

auto align_both_ways(Ids source, Offsets source_offsets, Ids target, Offsets target_offsets,
                     std::size_t source_words, std::size_t target_words, std::size_t ibm1,
                     std::size_t diagonal, std::size_t hmm, double empty, double tension,
                     double alpha, int threads) {
  std::pair<Alignments, Alignments> made;
  {
    nb::gil_scoped_release release;
    const Bitext bitext{view(source),         view(target), view(source_offsets),
                        view(target_offsets), source_words, target_words};
    made =
        align_both(bitext, {ibm1, diagonal, hmm, empty, tension, alpha}, {threads, check_signals});
  }
  return std::tuple(owned(std::move(made.first.links)), owned(std::move(made.second.links)));
}

Symmetrisation named(const std::string &how) {
  if (how == "intersection")
    return Symmetrisation::intersection;
  if (how == "union")
    return Symmetrisation::union_;
  if (how == "grow-diag-final-and")
    return Symmetrisation::grow_diag_final_and;
  throw std::invalid_argument("unknown symmetrisation");
}

auto symmetrise_links(Places forward, Offsets target_offsets, Places backward,
                      Offsets source_offsets, const std::string &how) {
  const auto rule = named(how);
  std::vector<std::uint32_t> sources, targets;
  std::vector<std::int64_t> offsets{0};
  {
    nb::gil_scoped_release release;
    const auto to = view(target_offsets), so = view(source_offsets);
    if (to.size() != so.size())
      throw std::invalid_argument("both sides must have the same number of sentences");
    runoff::base::check_offsets(to, forward.shape(0), "target");
    runoff::base::check_offsets(so, backward.shape(0), "source");
    const auto part = [](const auto &all, const auto &bounds, std::size_t s) {
      return view(all).subspan(static_cast<std::size_t>(bounds[s]),
                               static_cast<std::size_t>(bounds[s + 1] - bounds[s]));
    };
    for (std::size_t s = 0; s + 1 < to.size(); ++s) {
      if (s % 4096 == 0)
        check_signals();
      for (const auto &link : symmetrise(part(forward, to, s), part(backward, so, s), rule)) {
        sources.push_back(link.source);
        targets.push_back(link.target);
      }
      offsets.push_back(static_cast<std::int64_t>(sources.size()));
    }
  }
  return std::tuple(owned(std::move(offsets)), owned(std::move(sources)),
                    owned(std::move(targets)));
}

double diagonal_sum(double tension, std::size_t source_size, std::size_t target_size,
                    std::size_t j) {
  return DiagonalPrior(tension, source_size, target_size).sum(j);
}

void bind(nb::module_ &m) {
  m.def("align_words", &align_words, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), "source_words"_a, "target_words"_a,
        "ibm1"_a, "diagonal"_a, "hmm"_a, "empty"_a, "tension"_a, "alpha"_a, "threads"_a = 1,
        "The source place of every target word, or -1; the log-likelihood of each iteration; the "
        "tension of the diagonal.");
  m.def("align_both_ways", &align_both_ways, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), "source_words"_a, "target_words"_a,
        "ibm1"_a, "diagonal"_a, "hmm"_a, "empty"_a, "tension"_a, "alpha"_a, "threads"_a = 1,
        "The source place of every target word and the target place of every source word, or -1, "
        "by directions that agree.");
  m.def("symmetrise_links", &symmetrise_links, "forward"_a.noconvert(),
        "target_offsets"_a.noconvert(), "backward"_a.noconvert(), "source_offsets"_a.noconvert(),
        "how"_a, "Links of both directions made one: (offsets, source places, target places).");
  m.def("diagonal_sum", &diagonal_sum, "tension"_a, "source_size"_a, "target_size"_a, "j"_a,
        "The sum of exp(-tension |i/m - j/n|) over the source places, by the closed form.");
}

const Room room("translation", bind);

} // namespace
