#include "checked_problem.hpp"
#include "runoff/words/word_clusters.hpp"

#include <nanobind/stl/pair.h>

namespace {

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

} // namespace

void bind_clusters(nb::module_ &m) {
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
