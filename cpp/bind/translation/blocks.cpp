#include "bind.hpp"
#include "kept_ngrams.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/translation/decoder.hpp"
#include "runoff/translation/extraction.hpp"
#include "word_links.hpp"

#include <algorithm>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <optional>
#include <stdexcept>

namespace {

using namespace runoff::translation;

using Ids = Vec<const std::uint32_t>;
using Offsets = Vec<const std::int64_t>;
using Scores = Vec<const float>;

auto extract(Ids source, Offsets source_offsets, Ids target, Offsets target_offsets,
             std::size_t source_words, std::size_t target_words, Offsets link_offsets, Ids links_s,
             Ids links_t, std::size_t longest) {
  Blocks made;
  {
    nb::gil_scoped_release release;
    const Bitext bitext{view(source),         view(target), view(source_offsets),
                        view(target_offsets), source_words, target_words};
    made = extract_blocks(bitext, view(link_offsets), links_of(links_s, links_t), longest,
                          check_signals);
  }
  return std::tuple(owned(std::move(made.sources)), owned(std::move(made.source_starts)),
                    owned(std::move(made.first_blocks)), owned(std::move(made.targets)),
                    owned(std::move(made.target_starts)), owned(std::move(made.target_numbers)),
                    owned(std::move(made.counts)), owned(std::move(made.orientations)),
                    owned(std::move(made.lexical)));
}

auto admissible(std::size_t source_size, std::size_t target_size, Ids sources, Ids targets,
                std::size_t longest) {
  auto links = links_of(sources, targets);
  std::ranges::sort(links);
  for (const auto &link : links)
    if (link.source >= source_size || link.target >= target_size)
      throw std::invalid_argument("a link lies outside its sentences");
  std::vector<std::uint32_t> made;
  admissible_blocks(source_size, target_size, links, longest, [&](const BlockLink &one) {
    for (const auto place : {one.source_begin, one.source_end, one.target_begin, one.target_end})
      made.push_back(static_cast<std::uint32_t>(place));
  });
  return owned(std::move(made));
}

// A table over arrays of Python, which are kept alive.
class KeptTable {
public:
  KeptTable(Ids sources, Ids source_starts, Ids first_blocks, Ids targets, Ids target_starts,
            Scores scores, Scores orientations)
      : words_{sources, source_starts, first_blocks, targets, target_starts},
        scores_{scores, orientations},
        table({view(sources), view(source_starts), view(first_blocks), view(targets),
               view(target_starts), view(scores), view(orientations)}) {}

private:
  std::array<Ids, 5> words_;
  std::array<Scores, 2> scores_;

public:
  BlockTable table;
};

auto find_blocks(const KeptTable &kept, Ids sentence) {
  std::vector<std::uint32_t> found; // begin, end, first block, last block
  std::vector<BlockTable::Range> ranges;
  for (std::size_t begin = 0; begin < sentence.shape(0); ++begin) {
    kept.table.find(view(sentence), begin, ranges);
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (ranges[i].first < ranges[i].last)
        for (const std::size_t one :
             {begin, begin + i, std::size_t{ranges[i].first}, std::size_t{ranges[i].last}})
          found.push_back(static_cast<std::uint32_t>(one));
  }
  return owned(std::move(found));
}

// Translations of sentences end to end.
struct Flat {
  std::vector<std::int64_t> lists{0}, steps{0}, words{0};
  std::vector<double> costs, features, effort;
  std::vector<std::int32_t> blocks;
  std::vector<std::uint32_t> text;

  void add(const Translations &own) {
    for (const auto &one : own.found) {
      costs.push_back(one.cost);
      for (const auto &step : one.steps) {
        for (const std::int64_t number : {std::int64_t{step.begin}, std::int64_t{step.end},
                                          std::int64_t{step.block}, std::int64_t{step.words}})
          blocks.push_back(static_cast<std::int32_t>(number));
        features.insert(features.end(), step.features.begin(), step.features.end());
      }
      text.insert(text.end(), one.words.begin(), one.words.end());
      steps.push_back(static_cast<std::int64_t>(blocks.size() / 4));
      words.push_back(static_cast<std::int64_t>(text.size()));
    }
    lists.push_back(static_cast<std::int64_t>(costs.size()));
    effort.push_back(static_cast<double>(own.states));
    effort.push_back(static_cast<double>(own.edges));
  }
};

auto translate_sentences(const KeptTable &table, const KeptModel &lm, Ids lm_words,
                         std::array<double, feature::COUNT> weights, Ids sentences, Offsets offsets,
                         std::optional<Ids> targets, std::optional<Offsets> target_offsets,
                         bool single_beam, bool completion, std::size_t skip, std::size_t window,
                         double coverage, bool compare_open, double cardinality,
                         std::size_t histogram, std::size_t limit, double budget, std::size_t n,
                         bool distinct, int threads) {
  Flat flat;
  {
    nb::gil_scoped_release release;
    const Models models{table.table, lm.model, view(lm_words), weights};
    const SearchOptions how{single_beam,  completion,  skip,      window, coverage,
                            compare_open, cardinality, histogram, limit,  budget};
    runoff::base::check_offsets(view(offsets), sentences.shape(0), "sentences");
    if (targets.has_value() != target_offsets.has_value() ||
        (targets && target_offsets->shape(0) != offsets.shape(0)))
      throw std::invalid_argument("there must be a target for every sentence");
    if (targets)
      runoff::base::check_offsets(view(*target_offsets), targets->shape(0), "targets");
    const auto part = [](const auto &all, const auto &bounds, std::size_t s) {
      const auto own = view(bounds);
      return view(all).subspan(static_cast<std::size_t>(own[s]),
                               static_cast<std::size_t>(own[s + 1] - own[s]));
    };
    std::vector<Translations> made(offsets.shape(0) - 1);
    runoff::base::in_long_blocks(
        made.size(), 1, {threads, check_signals},
        [&](std::size_t first, std::size_t last, const runoff::base::Poll &poll) {
          for (std::size_t s = first; s < last; ++s) {
            const auto sentence = part(sentences, offsets, s);
            const auto options = targets ? PhraseOptions(models, sentence, how.limit,
                                                         part(*targets, *target_offsets, s))
                                         : PhraseOptions(models, sentence, how.limit);
            made[s] = translate(models, options, how, n, distinct, poll);
          }
        });
    for (const auto &own : made)
      flat.add(own);
  }
  return std::tuple(owned(std::move(flat.lists)), owned(std::move(flat.costs)),
                    owned(std::move(flat.steps)), owned(std::move(flat.blocks)),
                    owned(std::move(flat.features)), owned(std::move(flat.words)),
                    owned(std::move(flat.text)), owned(std::move(flat.effort)));
}

void bind(nb::module_ &m) {
  m.def("extract_blocks", &extract, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), "source_words"_a, "target_words"_a,
        "link_offsets"_a.noconvert(), "link_sources"_a.noconvert(), "link_targets"_a.noconvert(),
        "longest"_a, "The blocks of word-aligned text, counted; see `extraction.hpp`.");
  m.def("admissible_blocks", &admissible, "source_size"_a, "target_size"_a,
        "link_sources"_a.noconvert(), "link_targets"_a.noconvert(), "longest"_a,
        "First and last source word, first and last target word of all admissible blocks.");
  nb::class_<KeptTable>(m, "BlockTable", "A table of blocks, which is checked on the way.")
      .def(nb::init<Ids, Ids, Ids, Ids, Ids, Scores, Scores>(), "sources"_a.noconvert(),
           "source_starts"_a.noconvert(), "first_blocks"_a.noconvert(), "targets"_a.noconvert(),
           "target_starts"_a.noconvert(), "scores"_a.noconvert(), "orientations"_a.noconvert())
      .def("find", &find_blocks, "sentence"_a.noconvert(),
           "First and last word, first block and the one after the last, of all phrases.");
  m.def("translate", &translate_sentences, "table"_a, "lm"_a, "lm_words"_a.noconvert(), "weights"_a,
        "sentences"_a.noconvert(), "offsets"_a.noconvert(), "targets"_a.none(),
        "target_offsets"_a.none(), nb::kw_only(), "single_beam"_a, "completion"_a, "skip"_a,
        "window"_a, "coverage"_a, "compare_open"_a, "cardinality"_a, "histogram"_a, "limit"_a,
        "budget"_a, "n"_a, "distinct"_a, "threads"_a = 1,
        "Translations end to end: list offsets, costs, step offsets, (begin, end, block, words) of "
        "every step, features of every step, word offsets, words, states and edges.");
}

const Room room("translation_blocks", bind);

} // namespace
