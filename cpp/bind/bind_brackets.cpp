#include "bind.hpp"
#include "runoff/trees/brackets.hpp"

#include <memory>
#include <string>
#include <unordered_map>

namespace {

// Labels and words repeat: each distinct one becomes a Python string once.
class Strings {
public:
  nb::object operator()(const std::string &text) {
    if (cache_.size() > limit)
      cache_.clear();
    auto [at, is_new] = cache_.try_emplace(text);
    if (is_new)
      at->second = nb::str(text.data(), text.size());
    return at->second;
  }

private:
  static constexpr std::size_t limit = 1 << 18;
  std::unordered_map<std::string, nb::object> cache_;
};

template <typename T, typename Make> nb::object to_tuple(const std::vector<T> &values, Make make) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (std::size_t i = 0; i < values.size(); ++i)
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i),
                     nb::object(make(values[i])).release().ptr());
  return tuple;
}

class Scanner {
public:
  nb::list feed(nb::bytes piece) {
    std::vector<runoff::trees::FlatTree> trees;
    scanner_.feed({piece.c_str(), piece.size()}, trees);
    nb::list result;
    const auto string = [this](const std::string &text) { return strings_(text); };
    const auto number = [](std::int32_t value) { return nb::int_(value); };
    for (const auto &tree : trees)
      result.append(nb::make_tuple(to_tuple(tree.labels, string), to_tuple(tree.ends, number),
                                   to_tuple(tree.starts, number), to_tuple(tree.stops, number),
                                   to_tuple(tree.words, string)));
    return result;
  }
  void finish() { scanner_.finish(); }
  std::size_t line() const { return scanner_.line(); }

private:
  runoff::trees::BracketScanner scanner_;
  Strings strings_;
};

} // namespace

void bind_brackets(nb::module_ &m) {
  nb::class_<Scanner>(m, "BracketScanner",
                      "Reads bracketed trees from bytes that arrive in pieces.")
      .def(nb::init<>())
      .def("feed", &Scanner::feed, "piece"_a,
           nb::sig("def feed(self, piece: bytes) -> list[tuple[tuple[str, ...], tuple[int, ...], "
                   "tuple[int, ...], tuple[int, ...], tuple[str, ...]]]"),
           "Columns (labels, ends, starts, stops, words) of every tree this piece completes.")
      .def("finish", &Scanner::finish, "Raises ValueError if a tree is still open.")
      .def_prop_ro("line", &Scanner::line, "The line reached, or the line of the error.");
}
