// What the binding files share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <span>

namespace nb = nanobind;
using namespace nb::literals;

// A contiguous vector in the caller's memory; bound with noconvert(), so that a wrong type is an
// error and never a silent copy.
template <typename T>
using Vec = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T> std::span<T> view(const Vec<T> &vector) {
  return {vector.data(), vector.shape(0)};
}

// Lets Ctrl-C through: takes the interpreter lock for a moment and raises if a signal is waiting.
inline void check_signals() {
  nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0)
    throw nb::python_error();
}

void bind_boosting(nb::module_ &m);
void bind_brackets(nb::module_ &m);
void bind_ranking(nb::module_ &m);
