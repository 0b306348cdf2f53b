#include "checked_problem.hpp"
#include "runoff/words/igtree.hpp"
#include "runoff/words/word_clusters.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

namespace {

using runoff::words::IGTree;
using runoff::words::Windows;

using Shifts = Vec<const std::int32_t>;

Windows windows_of(const Ids &cells, const Ids &places, const Shifts &shifts) {
  return {view(cells), view(places), view(shifts)};
}

Windows checked_windows(const Ids &cells, const Ids &places, const Shifts &shifts,
                        std::size_t n_symbols) {
  const auto windows = windows_of(cells, places, shifts);
  windows.check();
  check_signals();
  runoff::words::check_symbols(windows, n_symbols);
  return windows;
}

auto information_gain(Ids cells, Ids places, Shifts shifts, std::size_t n_symbols, int threads) {
  std::vector<double> gains;
  {
    nb::gil_scoped_release release;
    const auto windows = checked_windows(cells, places, shifts, n_symbols);
    gains = runoff::words::information_gain(windows, n_symbols, {threads, check_signals});
  }
  return owned(std::move(gains));
}

auto grow_igtree(Ids cells, Ids places, Shifts shifts, Ids order, std::size_t n_symbols,
                 std::size_t top, bool prune, std::pair<std::size_t, std::size_t> shard) {
  require(top > 0, "top must be at least 1");
  runoff::words::IGTreeNodes nodes;
  {
    nb::gil_scoped_release release;
    const auto windows = checked_windows(cells, places, shifts, n_symbols);
    nodes = runoff::words::grow_igtree(windows, view(order), n_symbols,
                                       {top, prune, shard.first, shard.second}, check_signals);
  }
  return std::tuple(owned(std::move(nodes.values)), owned(std::move(nodes.children)),
                    owned(std::move(nodes.totals)), owned(std::move(nodes.kinds)),
                    owned(std::move(nodes.entries)), owned(std::move(nodes.classes)),
                    owned(std::move(nodes.counts)));
}

// A tree over arrays of Python, which are kept alive.
class KeptTree {
public:
  KeptTree(Ids values, Ids children, Ids totals, Ids kinds, Ids entries, Ids classes, Ids counts,
           Ids order)
      : kept_{values, children, totals, kinds, entries, classes, counts},
        tree({view(values), view(children), view(totals), view(kinds), view(entries), view(classes),
              view(counts)},
             view(order)) {}

  Windows windows(const Ids &cells, const Ids &places, const Shifts &shifts) const {
    require(shifts.shape(0) >= tree.levels(), "there are fewer features than the tree tests");
    const auto windows = windows_of(cells, places, shifts);
    windows.check();
    return windows;
  }

private:
  std::vector<Ids> kept_;

public:
  IGTree tree;
};

void classify(const KeptTree &kept, Ids cells, Ids places, Shifts shifts, Vec<std::uint32_t> nodes,
              Vec<std::uint32_t> classes, int threads) {
  require(nodes.shape(0) == places.shape(0) && classes.shape(0) == places.shape(0),
          "nodes and classes must have one entry per example");
  nb::gil_scoped_release release;
  kept.tree.match(kept.windows(cells, places, shifts), view(nodes), {threads, check_signals});
  kept.tree.first_classes({nodes.data(), nodes.shape(0)}, view(classes));
}

auto n_best(const KeptTree &kept, Ids cells, Ids places, Shifts shifts, std::size_t n,
            double discount, int threads) {
  require(n > 0, "n must be at least 1");
  require(discount >= 0 && discount <= 1, "discount lies between 0 and 1");
  IGTree::Lists lists;
  {
    nb::gil_scoped_release release;
    lists = kept.tree.n_best(kept.windows(cells, places, shifts), n, discount,
                             {threads, check_signals});
  }
  return std::tuple(owned(std::move(lists.offsets)), owned(std::move(lists.classes)),
                    owned(std::move(lists.probabilities)));
}

using runoff::words::WordClasses;

void make(WordClasses *self, Ids text, Ids classes, std::size_t n_fixed, std::size_t n_classes) {
  nb::gil_scoped_release release;
  new (self) WordClasses(view(text), view(classes), n_fixed, n_classes, check_signals);
}

std::size_t sweep(WordClasses &words) {
  nb::gil_scoped_release release;
  return words.sweep(check_signals);
}

auto classes(const WordClasses &words) { return owned(std::vector(words.classes())); }

auto merge(const WordClasses &words) {
  std::vector<std::uint32_t> into, from;
  {
    nb::gil_scoped_release release;
    for (const auto &[kept, lost] : runoff::words::merge_classes(words, check_signals)) {
      into.push_back(kept);
      from.push_back(lost);
    }
  }
  return std::pair(owned(std::move(into)), owned(std::move(from)));
}

void bind(nb::module_ &m) {
  m.def("information_gain", &information_gain, "cells"_a.noconvert(), "places"_a.noconvert(),
        "shifts"_a.noconvert(), "n_symbols"_a, "threads"_a = 1,
        "The information gain of every feature, in bits.");
  m.def("grow_igtree", &grow_igtree, "cells"_a.noconvert(), "places"_a.noconvert(),
        "shifts"_a.noconvert(), "order"_a.noconvert(), "n_symbols"_a, "top"_a, "prune"_a, "shard"_a,
        "The arrays of a tree: values, children, totals, kinds, entries, classes, counts. Below "
        "the root it has values of the first feature from `shard[0]` to below `shard[1]` only.");
  nb::class_<KeptTree>(m, "IGTree", "A tree over arrays, which are checked on the way.")
      .def(nb::init<Ids, Ids, Ids, Ids, Ids, Ids, Ids, Ids>(), "values"_a.noconvert(),
           "children"_a.noconvert(), "totals"_a.noconvert(), "kinds"_a.noconvert(),
           "entries"_a.noconvert(), "classes"_a.noconvert(), "counts"_a.noconvert(),
           "order"_a.noconvert())
      .def("classify", &classify, "cells"_a.noconvert(), "places"_a.noconvert(),
           "shifts"_a.noconvert(), "nodes"_a.noconvert(), "classes"_a.noconvert(), "threads"_a = 1,
           "Writes the node where matching fails, and its first class, of every example.")
      .def("n_best", &n_best, "cells"_a.noconvert(), "places"_a.noconvert(), "shifts"_a.noconvert(),
           "n"_a, "discount"_a, "threads"_a = 1,
           "The n most probable classes of every example: (offsets, classes, probabilities).");
  nb::class_<WordClasses>(m, "WordClasses", "The words of a text in classes, by exchange.")
      .def("__init__", &make, "text"_a.noconvert(), "classes"_a.noconvert(), "n_fixed"_a,
           "n_classes"_a,
           "`classes` are those that words begin with; the first `n_fixed` words stay in classes "
           "of their own, the others move among the `n_classes` behind.")
      .def("sweep", &sweep, "Moves every word to its best class, and says how many moved.")
      .def("log_likelihood", &WordClasses::log_likelihood, "Of the text, in bits.")
      .def("classes", &classes, "The class of every word.")
      .def("merge", &merge,
           "Merges classes until one is left: which stays and which becomes part of it, in order.");
}

const Room room("words", bind);

} // namespace
