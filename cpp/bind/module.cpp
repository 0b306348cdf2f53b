#include "bind.hpp"

#include <map>

namespace {

using Rooms = std::map<std::string_view, void (*)(nb::module_ &)>;

// Made by the first room that asks: no file can be sure to be initialised before another.
Rooms &rooms() {
  static Rooms all;
  return all;
}

} // namespace

Room::Room(std::string_view name, void (*bind)(nb::module_ &)) { rooms().emplace(name, bind); }

NB_MODULE(_native, m) {
  m.doc() = "Native routines of Runoff: arrays and plain values in, arrays and plain values out.";
  for (const auto &[name, bind] : rooms())
    bind(m);
}
