// A hidden Markov model of word alignment: a link depends on where the link of the word before is
// (Vogel, Ney & Tillmann 1996), words without a link keep that place (Och & Ney 2003, section 2.3).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace runoff::translation {

// How probable it is to go so many words on; jumps of more than FARTHEST words are one.
class Jumps {
public:
  static constexpr std::size_t FARTHEST = 10, SIZE = 2 * FARTHEST + 1;
  using Counts = std::array<double, SIZE>;

  Jumps();
  // Fits the jumps to counts.
  void renew(const Counts &counts);

  // For every place in a sentence of `size` words, and the one before it (row 0), the probability
  // of each place as the next, of which SMOOTHING is shared equally; row-major.
  std::vector<double> transitions(std::size_t size) const;

  static std::size_t bucket(std::size_t from, std::size_t to); // rows of transitions, its columns
  double operator[](std::size_t bucket) const { return jumps_[bucket]; }
  static constexpr double SMOOTHING = 0.2;

private:
  Counts jumps_{};
};

// Forward and backward through one sentence pair. `emissions` has a row for no word and one for
// every source word, with a column per target word; `weights` has the same shape and gets the
// probability of every link. Adds what was jumped to `counts`. Returns the log-likelihood. Time is
// the target's length times the square of the source's; vectors keep their memory.
class ForwardBackward {
public:
  double run(const std::vector<double> &transitions, std::span<const double> emissions,
             std::size_t source_size, std::size_t target_size, double empty,
             std::span<float> weights, Jumps::Counts &counts);

private:
  double forward(std::size_t j);
  void backward(std::size_t j);
  void count(std::size_t j, Jumps::Counts &counts) const;

  std::size_t m_ = 0, n_ = 0;
  double empty_ = 0;
  const double *transitions_ = nullptr, *emissions_ = nullptr;
  // By target word and place: linked there, without a link after that place, both; and what
  // follows.
  std::vector<double> linked_, unlinked_, reached_, following_, after_linked_, scales_;
};

} // namespace runoff::translation
