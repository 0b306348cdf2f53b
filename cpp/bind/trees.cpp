#include "checked_trees.hpp"
#include "head_table.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/trees/brackets.hpp"
#include "runoff/trees/shared_trees.hpp"
#include "runoff/trees/tree_reader.hpp"

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
      at->second = text_of(text);
    return at->second;
  }

private:
  static constexpr std::size_t limit = 1 << 18;
  std::unordered_map<std::string, nb::object> cache_;
};

template <typename T, typename Make> nb::object to_tuple(const std::vector<T> &values, Make make) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (std::size_t i = 0; i < values.size(); ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), // the macro is not in the stable ABI
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

using runoff::trees::SharedTrees;

nb::list names_of(const runoff::base::Symbols &symbols) {
  nb::list names;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    names.append(text_of(symbols.text(static_cast<runoff::base::Symbol>(i))));
  return names;
}

nb::tuple read_trees(const std::vector<nb::bytes> &brackets, const HeadTable *heads) {
  std::vector<std::string_view> texts;
  for (const auto &text : brackets)
    texts.emplace_back(text.c_str(), text.size());
  runoff::base::Symbols symbols;
  runoff::trees::ReadTrees found;
  {
    nb::gil_scoped_release release;
    found = heads == nullptr
                ? runoff::trees::read_plain_trees(texts, symbols, check_signals)
                : runoff::trees::read_lexical_trees(texts, heads->table, symbols, check_signals);
  }
  return nb::make_tuple(names_of(symbols), owned(std::move(found.counts)),
                        owned(std::move(found.labels)), owned(std::move(found.depths)));
}

void make_shared(SharedTrees *place, Offsets list_offsets, Offsets offsets, Ids labels,
                 Depths depths, Integers best, std::size_t n_labels, std::size_t size,
                 std::size_t frequency) {
  nb::gil_scoped_release release;
  const auto trees = checked_trees(offsets, labels, depths, n_labels);
  runoff::base::check_offsets(view(list_offsets), trees.size(), "list");
  check_best(view(list_offsets), best);
  new (place)
      SharedTrees(view(list_offsets), trees, view(best), n_labels, size, frequency, check_signals);
}

void bind(nb::module_ &m) {
  nb::class_<Scanner>(m, "BracketScanner",
                      "Reads bracketed trees from bytes that arrive in pieces.")
      .def(nb::init<>())
      .def("feed", &Scanner::feed, "piece"_a,
           nb::sig("def feed(self, piece: bytes) -> list[tuple[tuple[str, ...], tuple[int, ...], "
                   "tuple[int, ...], tuple[int, ...], tuple[str, ...]]]"),
           "Columns (labels, ends, starts, stops, words) of every tree this piece completes.")
      .def("finish", &Scanner::finish, "Raises ValueError if a tree is still open.")
      .def_prop_ro("line", &Scanner::line, "The line reached, or the line of the error.");
  nb::class_<HeadTable>(m, "HeadTable", "Which child of a constituent is its head.")
      .def(nb::init<const Rules &, Texts, Texts>(), "rules"_a, "noun_phrases"_a, "punctuation"_a);
  m.def("read_trees", &read_trees, "brackets"_a, "heads"_a.none(),
        nb::sig("def read_trees(brackets: Sequence[bytes], heads: HeadTable | None) -> "
                "tuple[list[str], NDArray[numpy.int64], NDArray[numpy.uint32], "
                "NDArray[numpy.uint16]]"),
        "Columns (symbols, nodes of each tree, labels, depths) of bracketed trees, nodes in "
        "preorder; with heads, head words are daughters. ValueError if one is not a tree.");
  m.def(
      "check_trees",
      [](Offsets offsets, Ids labels, Depths depths, std::size_t n_labels, std::size_t n_trees) {
        require(checked_trees(offsets, labels, depths, n_labels).size() == n_trees,
                "there must be one tree per candidate");
      },
      "offsets"_a.noconvert(), "labels"_a.noconvert(), "depths"_a.noconvert(), "n_labels"_a,
      "n_trees"_a, "ValueError unless the arrays are trees with so many labels.");
  nb::class_<SharedTrees>(m, "SharedTrees", "The trees of lists, common parts held once.")
      .def("__init__", &make_shared, "list_offsets"_a.noconvert(), "offsets"_a.noconvert(),
           "labels"_a.noconvert(), "depths"_a.noconvert(), "best"_a.noconvert(), "n_labels"_a,
           "size"_a, "frequency"_a)
      .def_prop_ro(
          "roots", [](const SharedTrees &trees) { return trees.roots().size(); },
          "Places where subtrees may begin.")
      .def_prop_ro("shapes", &SharedTrees::shapes, "How many differ in what is below.")
      .def_prop_ro("bytes", &SharedTrees::bytes, "Memory that they take.");
}

const Room room("trees", bind);

} // namespace
