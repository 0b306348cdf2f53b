#include "bind.hpp"
#include "runoff/head_model.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {
using namespace runoff;
using I32 = Vec<const std::int32_t>;
using I64 = Vec<const std::int64_t>;

struct PyHeadModel {
  HeadModel model;
  PyHeadModel(int tags, int count, int top, std::vector<std::uint8_t> kinds, int words, std::vector<std::int8_t> complements)
      : model(Labels{tags, count, top, kinds}, words, complements) {}
};
HeadedTrees trees(const I64 &o, const I32 &l, const I32 &e, const I32 &h, const I32 &w) {
  return {view(o), view(l), view(e), view(h), view(w)};
}
} // namespace

void bind_parsing(nb::module_ &m) {
  nb::class_<PyHeadModel>(m, "HeadModel")
      .def(nb::init<int, int, int, std::vector<std::uint8_t>, int, std::vector<std::int8_t>>())
      .def("train", [](PyHeadModel &s, I64 o, I32 l, I32 e, I32 h, I32 w, I64 chosen) {
        s.model.train(trees(o, l, e, h, w), view(chosen));
      })
      .def("fit", [](PyHeadModel &s, I64 o, I32 l, I32 e, I32 h, I32 w) {
        auto f = s.model.fit(trees(o, l, e, h, w));
        return std::make_tuple(f.sums, f.counts, f.sizes);
      });
}
