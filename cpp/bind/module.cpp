#include "bind.hpp"

#include <map>

namespace {

struct Binding {
  void (*bind)(nb::module_ &);
  std::string_view after;
};

using Rooms = std::map<std::string_view, Binding>;

// Made by the first room that asks: no file can be sure to be initialised before another.
Rooms &rooms() {
  static Rooms all;
  return all;
}

// Binds a room that is not bound yet, after the one whose classes it builds on.
void bind_room(nb::module_ &m, Rooms &left, std::string_view name) {
  const auto found = left.find(name);
  if (found == left.end())
    return;
  const Binding binding = found->second;
  left.erase(found);
  bind_room(m, left, binding.after);
  binding.bind(m);
}

} // namespace

Room::Room(std::string_view name, void (*bind)(nb::module_ &), std::string_view after) {
  rooms().emplace(name, Binding{bind, after});
}

NB_MODULE(_native, m) {
  m.doc() = "Native routines of Runoff: arrays and plain values in, arrays and plain values out.";
  for (Rooms left = rooms(); !left.empty();)
    bind_room(m, left, left.begin()->first);
}
