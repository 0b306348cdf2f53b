#include "checked_problem.hpp"
#include "runoff/base/fingerprints.hpp"
#include "runoff/base/memory.hpp"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <optional>
#include <string_view>
#include <vector>

namespace {

using Keys = Vec<const std::uint64_t>;

// The keys and checks of names, which are pieces of a text.
nb::tuple fingerprints(Vec<const std::uint8_t> text, Offsets starts, Offsets ends) {
  require(starts.shape(0) == ends.shape(0), "there must be one end per start");
  std::vector<std::uint64_t> keys(starts.shape(0));
  std::vector<std::uint32_t> checks(starts.shape(0));
  {
    nb::gil_scoped_release release;
    const std::string_view all(reinterpret_cast<const char *>(text.data()), text.shape(0));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto start = static_cast<std::size_t>(starts.data()[i]);
      const auto end = static_cast<std::size_t>(ends.data()[i]);
      require(start <= end && end <= all.size(), "names must lie in the text");
      const auto one = runoff::base::fingerprint(all.substr(start, end - start));
      keys[i] = one.key;
      checks[i] = one.check;
    }
  }
  return nb::make_tuple(owned(std::move(keys)), owned(std::move(checks)));
}

auto add(runoff::base::FingerprintTable &table, Keys keys, Ids checks) {
  require(keys.shape(0) == checks.shape(0), "there must be one check per key");
  std::vector<std::uint32_t> numbers(keys.shape(0));
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = table.add({keys.data()[i], checks.data()[i]});
  }
  return owned(std::move(numbers));
}

auto find(const runoff::base::FingerprintTable &table, Keys keys) {
  std::vector<std::int64_t> numbers(keys.shape(0));
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = table.find(keys.data()[i]);
      numbers[i] = number == runoff::base::FingerprintTable::none ? -1 : std::int64_t{number};
    }
  }
  return owned(std::move(numbers));
}

// Without a number of seconds, there is no deadline any more.
void set_deadline(std::optional<double> seconds) {
  deadline = Clock::time_point::max();
  if (seconds && *seconds < 1e9)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::max(*seconds, 0.0)));
}

void bind(nb::module_ &m) {
  m.def("fingerprints", &fingerprints, "text"_a.noconvert(), "starts"_a.noconvert(),
        "ends"_a.noconvert(),
        nb::sig("def fingerprints(text: NDArray[numpy.uint8], starts: NDArray[numpy.int64], "
                "ends: NDArray[numpy.int64]) -> "
                "tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]"),
        "Keys and checks of names of features, pieces [start, end) of a text.");
  nb::class_<runoff::base::FingerprintTable>(m, "FingerprintTable",
                                             "Numbers fingerprints in the order they come.")
      .def(nb::init<>())
      .def("add", &add, "keys"_a.noconvert(), "checks"_a.noconvert(),
           "Their numbers, new ones where need be; RuntimeError if two names share a key.")
      .def("find", &find, "keys"_a.noconvert(), "Their numbers, -1 where a key is not known.")
      .def("__len__", &runoff::base::FingerprintTable::size);
  m.def("set_deadline", &set_deadline, "seconds"_a.none(),
        "Native work of this thread raises TimeoutError after so many seconds; None ends that.");
  m.def("check_deadline", &check_signals, "Raises TimeoutError if the time of this thread is up.");
  m.def("trim_memory", &runoff::base::trim_memory,
        "Gives the system back what was freed but is still held for later.");
}

const Room room("base", bind);

} // namespace
