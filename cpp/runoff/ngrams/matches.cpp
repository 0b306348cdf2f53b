#include "runoff/ngrams/matches.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/word_trie.hpp"

#include <algorithm>

namespace runoff::ngrams {

using base::at;

namespace {

// Counts of n-grams in one sentence after the other; those of the sentences before are forgotten.
class Counts {
public:
  std::uint32_t add(std::uint32_t gram, std::uint32_t sentence) {
    if (gram >= counts_.size())
      counts_.resize(std::size_t{gram} + 1);
    auto &own = counts_[gram];
    if (own.sentence != sentence)
      own = {sentence, 0};
    return ++own.count;
  }

private:
  struct Count {
    std::uint32_t sentence = 0, count = 0;
  };
  std::vector<Count> counts_;
};

} // namespace

std::vector<std::int64_t> matches(std::span<const std::uint32_t> outputs,
                                  std::span<const std::int64_t> output_offsets,
                                  std::span<const std::uint32_t> references,
                                  std::span<const std::int64_t> reference_offsets,
                                  std::size_t order) {
  base::check_offsets(output_offsets, outputs.size(), "outputs");
  base::check_offsets(reference_offsets, references.size(), "references");
  base::WordTrie grams;
  std::vector<std::uint32_t> most(1, 0); // of an n-gram in one reference
  Counts counts;
  std::uint32_t sentence = 0;
  for (std::size_t r = 0; r + 1 < reference_offsets.size(); ++r) {
    ++sentence;
    const std::size_t last = at(reference_offsets[r + 1]);
    for (std::size_t i = at(reference_offsets[r]); i < last; ++i) {
      std::uint32_t gram = 0;
      for (std::size_t n = 0; n < order && i + n < last; ++n) {
        gram = grams.add(gram, references[i + n]);
        most.resize(std::size_t{grams.size()} + 1, 0);
        most[gram] = std::max(most[gram], counts.add(gram, sentence));
      }
    }
  }
  std::vector<std::int64_t> found((output_offsets.size() - 1) * order, 0);
  for (std::size_t o = 0; o + 1 < output_offsets.size(); ++o) {
    ++sentence;
    const std::size_t last = at(output_offsets[o + 1]);
    for (std::size_t i = at(output_offsets[o]); i < last; ++i) {
      std::uint32_t gram = 0;
      for (std::size_t n = 0; n < order && i + n < last; ++n) {
        gram = grams.find(gram, outputs[i + n]);
        if (gram == 0)
          break;
        if (counts.add(gram, sentence) <= most[gram])
          ++found[o * order + n];
      }
    }
  }
  return found;
}

} // namespace runoff::ngrams
