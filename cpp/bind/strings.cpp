#include "checked_problem.hpp"
#include "runoff/strings/edits.hpp"
#include "runoff/strings/names.hpp"
#include "runoff/strings/similarities.hpp"
#include "runoff/strings/tokens.hpp"

#include <algorithm>
#include <limits>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {

using namespace runoff::strings;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

// The value that `judge` gives each pair of `n` things.
template <typename Judge>
auto of_pairs(const Ids &left, const Ids &right, std::size_t n, Judge judge) {
  require(left.shape(0) == right.shape(0), "left and right differ in length");
  std::vector<float> found(left.shape(0));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto a = left.data()[i], b = right.data()[i];
    require(a < n && b < n, "a text that is not there");
    if (i % 1024 == 0)
      check_signals();
    found[i] = judge(a, b);
  }
  return found;
}

auto similarities(const Vocabulary &vocabulary, const std::uint8_t how, Offsets offsets, Ids words,
                  Ids left, Ids right) {
  require(how <= static_cast<std::uint8_t>(Similarity::token_set), "an unknown similarity");
  std::vector<float> found;
  {
    nb::gil_scoped_release release;
    const Texts texts{view(offsets), view(words)};
    texts.check(vocabulary.size());
    Comparer comparer(vocabulary);
    found = of_pairs(left, right, texts.size(), [&](std::size_t a, std::size_t b) {
      const auto x = texts.of(a), y = texts.of(b);
      if (a == b)
        return x.empty() ? 0.0f : 1.0f;
      return static_cast<float>(comparer.compare(static_cast<Similarity>(how), x, y));
    });
  }
  return owned(std::move(found));
}

// Of pairs of names whether they may be one, or whether middle names differ; NaN where either has
// no first, or no middle name.
auto name_pairs(const bool conflicts, Ids first, Ids last, Offsets offsets, Ids middle, Ids lengths,
                Ids initials, Ids left, Ids right) {
  std::vector<float> found;
  {
    nb::gil_scoped_release release;
    const Names names{
        view(first), view(last), {view(offsets), view(middle)}, view(lengths), view(initials)};
    names.check();
    found = of_pairs(left, right, names.size(), [&](std::size_t a, std::size_t b) {
      if (conflicts)
        return names.middle.of(a).empty() || names.middle.of(b).empty()
                   ? missing
                   : static_cast<float>(names.conflict(a, b));
      return names.lengths[names.first[a]] == 0 || names.lengths[names.first[b]] == 0
                 ? missing
                 : static_cast<float>(names.may_be_one(a, b));
    });
  }
  return owned(std::move(found));
}

auto given(OwnTexts &&texts) {
  return std::pair(owned(std::move(texts.offsets)), owned(std::move(texts.words)));
}

auto joined_words(const std::vector<std::tuple<Ids, Offsets, Ids>> &columns) {
  OwnTexts made;
  {
    nb::gil_scoped_release release;
    std::vector<Column> parts;
    for (const auto &[codes, offsets, words] : columns) {
      parts.push_back({view(codes), {view(offsets), view(words)}});
      parts.back().texts.check(std::numeric_limits<std::uint32_t>::max());
    }
    made = joined(parts);
  }
  return given(std::move(made));
}

auto different_words(Offsets offsets, Ids words) {
  OwnTexts made;
  {
    nb::gil_scoped_release release;
    const Texts texts{view(offsets), view(words)};
    texts.check(std::numeric_limits<std::uint32_t>::max());
    made = different(texts);
  }
  return given(std::move(made));
}

auto word_rarity(Offsets offsets, Ids words, Ids counts, std::size_t n_words) {
  std::vector<float> found;
  {
    nb::gil_scoped_release release;
    const Texts texts{view(offsets), view(words)};
    texts.check(n_words);
    found = rarity(texts, view(counts), n_words);
  }
  return owned(std::move(found));
}

auto edit_counts(Ids outputs, Integers offsets, Ids gold, std::size_t block) {
  const auto units = view(outputs), wanted = view(gold);
  const auto ends = view(offsets);
  require(!ends.empty() && ends.front() == 0 && std::ranges::is_sorted(ends) &&
              ends.back() == static_cast<std::int64_t>(units.size()),
          "offsets must rise from 0 to the number of units");
  require(block > 0, "a block must have columns");
  require(std::ranges::all_of(wanted, [&](auto unit) { return unit <= wanted.size(); }),
          "gold's units must be numbered");
  std::vector<std::int64_t> found;
  {
    nb::gil_scoped_release release;
    EditCounter counter(wanted, block);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const auto start = static_cast<std::size_t>(ends[i]);
      const auto size = static_cast<std::size_t>(ends[i + 1]) - start;
      const auto edits = counter.count(units.subspan(start, size), check_signals);
      found.insert(found.end(), {edits.substitutions, edits.deletions, edits.insertions});
    }
  }
  return owned(std::move(found));
}

void bind(nb::module_ &m) {
  m.def("edit_counts", &edit_counts, "outputs"_a.noconvert(), "offsets"_a.noconvert(),
        "gold"_a.noconvert(), "block"_a,
        "Substitutions, deletions and insertions that turn gold into each output; gold's units are "
        "at most as large as its length.");
  nb::class_<Vocabulary>(m, "Vocabulary", "Words in alphabetical order, with their letters.")
      .def(
          "__init__",
          [](Vocabulary *self, Offsets offsets, Ids letters) {
            new (self) Vocabulary(view(offsets), view(letters));
          },
          "offsets"_a.noconvert(), "letters"_a.noconvert())
      .def("similarities", &similarities, "how"_a, "offsets"_a.noconvert(), "words"_a.noconvert(),
           "left"_a.noconvert(), "right"_a.noconvert(),
           "Shares of letters that need no edit, for pairs of texts that are given as words.");
  m.def("name_pairs", &name_pairs, "conflicts"_a, "first"_a.noconvert(), "last"_a.noconvert(),
        "offsets"_a.noconvert(), "middle"_a.noconvert(), "lengths"_a.noconvert(),
        "initials"_a.noconvert(), "left"_a.noconvert(), "right"_a.noconvert(),
        "Whether pairs of names may be one, or whether their middle names conflict.");
  m.def("joined_words", &joined_words, "columns"_a,
        "The words of columns (codes, offsets, words), record by record: (offsets, words).");
  m.def("different_words", &different_words, "offsets"_a.noconvert(), "words"_a.noconvert(),
        "The different words of each text in ascending order: (offsets, words).");
  m.def("word_rarity", &word_rarity, "offsets"_a.noconvert(), "words"_a.noconvert(),
        "counts"_a.noconvert(), "n_words"_a, "The tf-idf weights of words, texts of length 1.");
}

const Room room("strings", bind);

} // namespace
