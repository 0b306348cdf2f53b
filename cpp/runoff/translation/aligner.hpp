// Word alignment of parallel text by EM: IBM model 1, then a prior for links near the diagonal
// (Dyer, Chahuneau & Smith 2013), then a hidden Markov model of jumps (Vogel, Ney & Tillmann 1996).
//
// Every target word is linked to one source word or to none. Probabilities of words are smoothed by
// a Dirichlet prior (variational Bayes), as Dyer et al. do.
#pragma once

#include "runoff/base/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runoff::translation {

// Sentences of both sides end to end; word 0 of the source is the empty word, which no text has.
struct Bitext {
  std::span<const std::uint32_t> source, target;
  std::span<const std::int64_t> source_offsets, target_offsets; // sentences + 1
  std::size_t source_words, target_words;                       // sizes of the vocabularies

  std::size_t size() const { return source_offsets.size() - 1; }
  // Throws std::invalid_argument unless offsets and words fit together.
  void check() const;
};

struct AlignerOptions {
  std::size_t ibm1 = 0, diagonal = 5, hmm = 5; // iterations
  double empty = 0.08;                         // probability of a link to no word
  double tension = 4;                          // where that of the diagonal begins
  double alpha = 0.01;                         // of the Dirichlet prior
};

struct Alignments {
  std::vector<std::int32_t> links; // by target word: a place in the source sentence, or -1
  std::vector<double> likelihoods; // of each iteration, logarithm
  double tension = 0;
};

// The most probable links. Memory: 8 bytes for every pair of words of a sentence pair. The result
// does not depend on the number of threads: sentences are independent of each other when links are
// weighed, and source words when these weights are added up.
Alignments align(const Bitext &bitext, const AlignerOptions &options, const base::Threads &threads);

// The same in both directions at once, which are made to agree from the first iteration of the
// hidden Markov model on: what is learned from a link is the product of its probabilities in either
// (Liang, Taskar & Klein 2006, "Alignment by agreement").
std::pair<Alignments, Alignments> align_both(const Bitext &bitext, const AlignerOptions &options,
                                             const base::Threads &threads);

// The prior of a target word for the source words of its sentence: exp(-tension |i/m - j/n|), the
// places i and j from 1, and its sum. The weights fall by a constant factor on either side of the
// diagonal, so that the sum is that of two geometric series and takes constant time.
class DiagonalPrior {
public:
  DiagonalPrior(double tension, std::size_t source_size, std::size_t target_size);
  // Writes the weights of target word j, from 0, divided by their sum.
  void write(std::size_t j, std::span<double> weights) const;
  // The sum by the closed form.
  double sum(std::size_t j) const;
  // The distance of a link from the diagonal.
  double distance(std::size_t i, std::size_t j) const;

private:
  double tension_, source_size_, target_size_, ratio_;
};

} // namespace runoff::translation
