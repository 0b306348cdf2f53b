#include "bind.hpp"
#include "runoff/head_model.hpp"
#include "runoff/lexical_forest.hpp"

#include <ctime>
#include <cmath>
#include <memory>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace runoff { void set_discount(int, int, double, double); }
namespace {
using namespace runoff;
using I32 = Vec<const std::int32_t>;
using I64 = Vec<const std::int64_t>;

double now() { timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return double(t.tv_sec) + 1e-9 * double(t.tv_nsec); }

struct PyHeadModel {
  HeadModel model;
  std::unique_ptr<CoarseGrammar> grammar;
  std::unique_ptr<StateTable> states;
  Printer printer;
  std::array<double, 8> times{};
  std::array<double, 8> sizes{};
  PyHeadModel(std::vector<std::string> names, int tags, int top, std::vector<std::uint8_t> kinds, int words, std::vector<std::int8_t> complements)
      : model(Labels{tags, int(names.size()), top, kinds}, words, complements) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "NP") printer.np = Label(i);
      if (names[i] == "NPB") printer.base_np = Label(i);
    }
    printer.labels = names;
  }
  std::vector<std::pair<std::string, double>> parse(std::vector<std::string> words, std::vector<int> ids,
                                                    std::vector<std::vector<std::tuple<int, double, double>>> tags, int n, bool lexical, float t0, double t1) {
    Sentence s;
    s.words.assign(ids.begin(), ids.end());
    for (auto &choices : tags) {
      s.tags.emplace_back();
      for (auto [t, p, w] : choices) s.tags.back().push_back({t, p, w});
    }
    nb::gil_scoped_release release;
    double a = now();
    CoarseChart chart(*grammar, s);
    std::vector<std::pair<std::string, double>> out;
    times[7] += 1;
    if (!chart.parsed()) return out;
    Forest forest;
    double b = 0;
    for (int tries = 0; tries < 4 && !forest.parsed(); ++tries, t0 *= 0.01f) {
      chart.prune(t0);
      b = now(); times[0] += b - a; sizes[0] += double(chart.kept());
      forest = build_forest(model, *grammar, chart, s, *states, t0);
    }
    if (!forest.parsed()) return out;
    sizes[1] += double(forest.nodes.size()); sizes[2] += double(forest.edges.size());
    double c = now(); times[1] += c - b;
    prune_forest(forest, t1);
    sizes[3] += double(forest.nodes.size()); sizes[4] += double(forest.edges.size());
    double d = now(); times[2] += d - c;
    auto derivations = lexical ? lexicalised(model, forest, s) : unlexicalised(forest, chart.scale(chart.cell(0, chart.size())) * std::log(2.0));
    sizes[5] += double(derivations.graph.nodes()); sizes[6] += double(derivations.graph.edges.size());
    if (derivations.root < 0) return out;
    double e = now(); times[3] += e - d;
    KBest best(derivations.graph, derivations.root);
    std::vector<std::int32_t> edges;
    for (int i = 0; i < n && best.next(); ++i) {
      best.edges(std::size_t(i), edges);
      out.emplace_back(printer.print(forest, derivations, edges, words), best.weight(std::size_t(i)) + derivations.offset);
    }
    times[4] += now() - e;
    return out;
  }
};
HeadedTrees trees(const I64 &o, const I32 &l, const I32 &e, const I32 &h, const I32 &w) {
  return {view(o), view(l), view(e), view(h), view(w)};
}
} // namespace

void bind_parsing(nb::module_ &m) {
  m.def("set_discount", &runoff::set_discount);
  nb::class_<PyHeadModel>(m, "HeadModel")
      .def(nb::init<std::vector<std::string>, int, int, std::vector<std::uint8_t>, int, std::vector<std::int8_t>>())
      .def("train", [](PyHeadModel &s, I64 o, I32 l, I32 e, I32 h, I32 w, I64 chosen) {
        s.model.train(trees(o, l, e, h, w), view(chosen));
        s.grammar = std::make_unique<CoarseGrammar>(s.model);
        s.states = std::make_unique<StateTable>(s.model);
      })
      .def("parse", &PyHeadModel::parse)
      .def("word", [](PyHeadModel &s, int tag, int word) { return s.model.word({tag, word}); })
      .def("report", [](PyHeadModel &s) { return std::make_pair(s.times, s.sizes); })
      .def("fit", [](PyHeadModel &s, I64 o, I32 l, I32 e, I32 h, I32 w) {
        auto f = s.model.fit(trees(o, l, e, h, w));
        return std::make_tuple(f.sums, f.counts, f.sizes);
      });
}
