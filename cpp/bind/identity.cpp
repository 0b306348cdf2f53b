#include "checked_problem.hpp"
#include "runoff/identity/agglomeration.hpp"
#include "runoff/identity/canopies.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

namespace {

using namespace runoff::identity;

using Bytes = Vec<const std::uint8_t>;
using Floats = Vec<const float>;

auto canopies(Offsets offsets, Ids tokens, Floats weights, Ids blocks, std::size_t n_tokens,
              double loose, double tight, std::size_t frequent, std::size_t reads) {
  std::vector<std::uint32_t> left, right;
  {
    nb::gil_scoped_release release;
    const auto found = canopy_pairs({view(offsets), view(tokens), view(weights), view(blocks)},
                                    n_tokens, {loose, tight, frequent, reads}, check_signals);
    left.reserve(found.size());
    right.reserve(found.size());
    for (const auto &[a, b] : found) {
      left.push_back(a);
      right.push_back(b);
    }
  }
  return std::pair(owned(std::move(left)), owned(std::move(right)));
}

auto cosines(Offsets offsets, Ids tokens, Floats weights, Ids blocks, std::size_t n_tokens,
             double loose, std::size_t frequent, std::size_t reads, std::size_t every) {
  std::vector<float> found;
  {
    nb::gil_scoped_release release;
    found = canopy_cosines({view(offsets), view(tokens), view(weights), view(blocks)}, n_tokens,
                           {loose, 2.0, frequent, reads}, every, check_signals);
  }
  return owned(std::move(found));
}

// The products of the vectors of pairs of records.
auto token_products(Offsets offsets, Ids tokens, Floats weights, Ids left, Ids right,
                    std::size_t n_tokens) {
  require(left.shape(0) == right.shape(0), "left and right differ in length");
  std::vector<float> found(left.shape(0));
  {
    nb::gil_scoped_release release;
    const std::vector<std::uint32_t> blocks(offsets.shape(0) == 0 ? 0 : offsets.shape(0) - 1, 0);
    const TokenVectors records{view(offsets), view(tokens), view(weights), blocks};
    records.check(n_tokens);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto a = left.data()[i], b = right.data()[i];
      require(a < records.size() && b < records.size(), "a record that is not there");
      if (i % 65536 == 0)
        check_signals();
      found[i] = static_cast<float>(product(records, a, b));
    }
  }
  return owned(std::move(found));
}

// Columns, folds, comparisons, thresholds.
using Aggregates = std::tuple<Ids, Bytes, Bytes, Floats>;

std::vector<Aggregate> aggregates(const Aggregates &given) {
  const auto &[columns, folds, compared, thresholds] = given;
  for (const auto length : {folds.shape(0), compared.shape(0), thresholds.shape(0)})
    require(length == columns.shape(0), "aggregates differ in length");
  std::vector<Aggregate> made;
  for (std::size_t i = 0; i < columns.shape(0); ++i)
    made.push_back({columns.data()[i], static_cast<Fold>(folds.data()[i]),
                    static_cast<Compared>(compared.data()[i]), thresholds.data()[i]});
  return made;
}

std::vector<Statement> statements(const Bytes &sayings, const Ids &first, const Ids &second,
                                  const Bytes &tests, const Doubles &thresholds) {
  for (const auto length : {first.shape(0), second.shape(0), tests.shape(0), thresholds.shape(0)})
    require(length == sayings.shape(0), "statements differ in length");
  std::vector<Statement> made;
  for (std::size_t i = 0; i < sayings.shape(0); ++i)
    made.push_back({static_cast<Saying>(sayings.data()[i]), first.data()[i], second.data()[i],
                    static_cast<Test>(tests.data()[i]), thresholds.data()[i]});
  return made;
}

// Sets of records over arrays of Python, which are kept alive.
struct KeptSets {
  Ids left, right, copies, labels;
  Floats pair_values, own_values, record_values;
  Sets sets;

  KeptSets(std::pair<Aggregates, Aggregates> folded,
           std::tuple<Bytes, Ids, Ids, Bytes, Doubles> said,
           std::tuple<std::size_t, std::size_t, std::size_t> columns, Ids left_, Ids right_,
           Floats pair_values_, Ids copies_, Floats own_values_, Floats record_values_, Ids labels_)
      : left(left_), right(right_), copies(copies_), labels(labels_), pair_values(pair_values_),
        own_values(own_values_), record_values(record_values_),
        sets(Language(aggregates(folded.first), aggregates(folded.second),
                      std::apply(statements, said), std::get<0>(columns), std::get<1>(columns),
                      std::get<2>(columns)),
             {view(left), view(right), view(pair_values), view(copies), view(own_values),
              view(record_values), view(labels)}) {}
};

auto values(const KeptSets &kept, Ids members) {
  for (const auto record : view(members))
    require(record < kept.sets.size(), "a record that is not there");
  Summary summary;
  kept.sets.summarise(view(members), summary);
  std::vector<double> found;
  for (std::size_t i = 0; i < kept.sets.language().size(); ++i)
    found.push_back(kept.sets.language().value(i, summary));
  return owned(std::move(found));
}

auto merge_values(const KeptSets &kept, Ids a, Ids b) {
  for (const auto &members : {a, b})
    for (const auto record : view(members))
      require(record < kept.sets.size(), "a record that is not there");
  Summary summary;
  kept.sets.summarise_merge(view(a), view(b), summary);
  std::vector<double> found;
  for (std::size_t i = 0; i < kept.sets.language().size(); ++i)
    found.push_back(kept.sets.language().value(i, summary));
  return owned(std::move(found));
}

// The values of every statement about some of the pairs, row by row.
auto pair_rows(const KeptSets &kept, Ids pairs) {
  std::vector<double> found;
  {
    nb::gil_scoped_release release;
    const auto &language = kept.sets.language();
    found.reserve(pairs.shape(0) * language.size());
    Summary summary;
    for (const auto pair : view(pairs)) {
      require(pair < kept.sets.pairs(), "a pair that is not there");
      kept.sets.summarise_pair(pair, summary);
      for (std::size_t i = 0; i < language.size(); ++i)
        found.push_back(language.value(i, summary));
    }
  }
  return owned(std::move(found));
}

auto pair_scores(const KeptSets &kept, Doubles weights) {
  require(weights.shape(0) == kept.sets.language().size(), "weights and statements differ");
  std::vector<float> found(kept.sets.pairs());
  {
    nb::gil_scoped_release release;
    Summary summary;
    for (std::size_t pair = 0; pair < found.size(); ++pair) {
      if (pair % 65536 == 0)
        check_signals();
      kept.sets.summarise_pair(pair, summary);
      found[pair] = static_cast<float>(kept.sets.language().score(view(weights), summary));
    }
  }
  return owned(std::move(found));
}

auto listed(const std::vector<Merge> &merges) {
  std::vector<std::uint32_t> kept, lost;
  std::vector<double> gains, scores;
  for (const auto &one : merges) {
    kept.push_back(one.kept);
    lost.push_back(one.lost);
    gains.push_back(one.gain);
    scores.push_back(one.score);
  }
  return std::tuple(owned(std::move(kept)), owned(std::move(lost)), owned(std::move(gains)),
                    owned(std::move(scores)));
}

struct KeptAgglomeration {
  Doubles weights;
  std::unique_ptr<Agglomeration> made;

  KeptAgglomeration(const KeptSets &kept, Doubles weights_, bool difference, double stop,
                    double concentration, Ids start, Ids apart_left, Ids apart_right)
      : weights(weights_) {
    nb::gil_scoped_release release;
    made = std::make_unique<Agglomeration>(kept.sets, view(weights),
                                           MergeRule{difference, stop, concentration}, view(start),
                                           view(apart_left), view(apart_right), check_signals);
  }
};

auto run(KeptAgglomeration &kept) {
  std::vector<Merge> merges;
  {
    nb::gil_scoped_release release;
    merges = kept.made->run(check_signals);
  }
  return listed(merges);
}

auto look_ahead(KeptAgglomeration &kept, double margin) {
  std::vector<Merge> merges;
  {
    nb::gil_scoped_release release;
    merges = kept.made->look_ahead(margin, check_signals);
  }
  return listed(merges);
}

auto sample(KeptAgglomeration &kept, Ids gold, bool guided, std::uint64_t every, std::size_t most) {
  Samples samples;
  {
    nb::gil_scoped_release release;
    samples = kept.made->sample(view(gold), guided ? Sampling::guided : Sampling::weak, every, most,
                                check_signals);
  }
  return std::tuple(owned(std::move(samples.values)), owned(std::move(samples.parts)),
                    owned(std::move(samples.right)), owned(std::move(samples.sizes)));
}

auto open(const KeptAgglomeration &kept, std::size_t most) { return listed(kept.made->open(most)); }

auto moved(const KeptSets &kept, Doubles weights, Ids start, std::size_t passes,
           std::size_t largest) {
  std::pair<std::vector<std::uint32_t>, std::size_t> found;
  {
    nb::gil_scoped_release release;
    found = move_records(kept.sets, view(weights), view(start), passes, largest, check_signals);
  }
  return std::pair(owned(std::move(found.first)), found.second);
}

void bind(nb::module_ &m) {
  m.def("canopies", &canopies, "offsets"_a.noconvert(), "tokens"_a.noconvert(),
        "weights"_a.noconvert(), "blocks"_a.noconvert(), "n_tokens"_a, "loose"_a, "tight"_a,
        "frequent"_a, "reads"_a, "The pairs of records that are in some canopy: (left, right).");
  m.def("canopy_cosines", &cosines, "offsets"_a.noconvert(), "tokens"_a.noconvert(),
        "weights"_a.noconvert(), "blocks"_a.noconvert(), "n_tokens"_a, "loose"_a, "frequent"_a,
        "reads"_a, "every"_a,
        "The cosines of every so many-th record with others that reach `loose`.");
  m.def("token_products", &token_products, "offsets"_a.noconvert(), "tokens"_a.noconvert(),
        "weights"_a.noconvert(), "left"_a.noconvert(), "right"_a.noconvert(), "n_tokens"_a,
        "The products of the sparse vectors of pairs of records.");
  nb::class_<KeptSets>(m, "RecordSets", "Values of statements about sets of records.")
      .def(nb::init<std::pair<Aggregates, Aggregates>, std::tuple<Bytes, Ids, Ids, Bytes, Doubles>,
                    std::tuple<std::size_t, std::size_t, std::size_t>, Ids, Ids, Floats, Ids,
                    Floats, Floats, Ids>(),
           "aggregates"_a, "statements"_a, "columns"_a, "left"_a.noconvert(), "right"_a.noconvert(),
           "pair_values"_a.noconvert(), "copies"_a.noconvert(), "own_values"_a.noconvert(),
           "record_values"_a.noconvert(), "labels"_a.noconvert())
      .def("values", &values, "members"_a.noconvert(), "The value of each statement about a set.")
      .def("merge_values", &merge_values, "a"_a.noconvert(), "b"_a.noconvert(),
           "The value of each statement about the union of two sets.")
      .def("pair_rows", &pair_rows, "pairs"_a.noconvert(),
           "The values of each statement about pairs, row by row.")
      .def("pair_scores", &pair_scores, "weights"_a.noconvert(), "The log-odds of every pair.")
      .def("moved", &moved, "weights"_a.noconvert(), "start"_a.noconvert(), "passes"_a, "largest"_a,
           "The sets after single records have moved where they raise the log-odds, and how many "
           "did.");
  nb::class_<KeptAgglomeration>(m, "Agglomeration", "Greedy agglomeration of records.")
      .def(nb::init<const KeptSets &, Doubles, bool, double, double, Ids, Ids, Ids>(),
           nb::keep_alive<1, 2>(), "sets"_a, "weights"_a.noconvert(), "difference"_a, "stop"_a,
           "concentration"_a, "start"_a.noconvert(), "apart_left"_a.noconvert(),
           "apart_right"_a.noconvert())
      .def("run", &run, "Merges while a gain is above the stop: (kept, lost, gains, scores).")
      .def("look_ahead", &look_ahead, "margin"_a,
           "Makes two merges at once where one alone gains nothing, and goes on.")
      .def("sample", &sample, "gold"_a.noconvert(), "guided"_a, "every"_a, "most"_a,
           "The unions that are considered on the way: (values, values of both parts, right, "
           "sizes).")
      .def(
          "assignment",
          [](const KeptAgglomeration &kept) { return owned(kept.made->assignment()); },
          "The first record of the set of each record.")
      .def(
          "scores", [](const KeptAgglomeration &kept) { return owned(kept.made->scores()); },
          "The log-odds of the set of each record.")
      .def(
          "doubts", [](const KeptAgglomeration &kept) { return owned(kept.made->doubts()); },
          "The greatest gain, by record, of a merge of its set that was not made.")
      .def("open", &open, "most"_a, "The merges with the greatest gains that were not made.");
}

const Room room("identity", bind);

} // namespace
