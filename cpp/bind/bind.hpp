// What the binding files share.
#pragma once

#include <chrono>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

// A contiguous vector in the caller's memory; bound with noconvert(), so that a wrong type is an
// error and never a silent copy.
template <typename T>
using Vec = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T> std::span<T> view(const Vec<T> &vector) {
  return {vector.data(), vector.shape(0)};
}

// A vector of native code as an array that owns it.
template <typename T> nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T> &&vector) {
  auto *kept = new std::vector<T>(std::move(vector));
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
  return {kept->data(), {kept->size()}, owner};
}

// Text as Python has it; lone surrogates, which JSON may hold, come through as they went in.
inline nb::str text_of(std::string_view utf8) {
  auto *text =
      PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
  if (text == nullptr)
    throw nb::python_error();
  return nb::steal<nb::str>(text);
}

// When the work of this thread must end; never, unless set_deadline was called. Only threads of a
// server have a deadline; signals never reach those.
using Clock = std::chrono::steady_clock;
inline thread_local Clock::time_point deadline = Clock::time_point::max();

// Lets Ctrl-C through: takes the interpreter lock for a moment and raises if a signal is waiting. A
// thread with a deadline raises when its time is up, and takes the lock only then: others would
// wait for it to run.
inline void check_signals() {
  const bool timed = deadline != Clock::time_point::max();
  if (timed && Clock::now() < deadline)
    return;
  nb::gil_scoped_acquire lock;
  if (timed)
    PyErr_SetString(PyExc_TimeoutError, "the time is up");
  if (timed || PyErr_CheckSignals() != 0)
    throw nb::python_error();
}

// What a binding file adds to the module: it has one of these, under its own name. All of them are
// bound in the order of their names, in whatever order they were linked; one that derives classes
// from those of another comes after it.
struct Room {
  Room(std::string_view name, void (*bind)(nb::module_ &), std::string_view after = {});
};
