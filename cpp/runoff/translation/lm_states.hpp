// States of the language model in one search, numbered.
#pragma once

#include "runoff/base/hash_index.hpp"
#include "runoff/translation/phrase_options.hpp"

#include <array>
#include <deque>
#include <vector>

namespace runoff::translation {

// Numbers for states of a language model; what an option costs after a state is asked once.
class LmStates {
  static constexpr std::uint32_t UNASKED = 0xffffffff;

public:
  LmStates(const Models &models, const PhraseOptions &options);

  std::uint32_t begin() { return number(models_.lm.begin()); }

  struct After {
    float border = 0; // logarithm to the base 10 of the words whose history leaves the block
    std::uint32_t state = UNASKED;
  };
  // What follows a state by CHUNK options from this one on, as far as it was asked.
  static constexpr std::size_t CHUNK = 8;
  using Chunk = std::array<After, CHUNK>;
  Chunk &chunk(std::uint32_t state, std::uint32_t first_option);
  // The part of a chunk for one of its options, which is asked for if it was not.
  const After &after(After &known, std::uint32_t state, std::uint32_t option) {
    if (known.state == UNASKED)
      ask(known, state, option);
    return known;
  }

  // Logarithms: of the option's words at the border, and of the end of the sentence.
  double border(std::uint32_t state, std::uint32_t option) const;
  double end(std::uint32_t state) const;

private:
  struct Known {
    std::uint64_t key = FREE;
    std::uint32_t chunk = 0;
    static constexpr std::uint64_t FREE = ~std::uint64_t{0};
    bool is_free() const { return key == FREE; }
  };
  static std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15;
    return key ^ key >> 32;
  }
  std::uint32_t number(const ngrams::State &state);
  void ask(After &after, std::uint32_t state, std::uint32_t option);
  float border(std::uint32_t state, std::uint32_t option, ngrams::State &next) const;

  const Models &models_;
  const PhraseOptions &options_;
  std::vector<ngrams::State> states_;
  base::HashIndex<base::NumberSlot> numbers_{256};
  base::HashIndex<Known> known_{1024};
  std::deque<Chunk> chunks_; // which stay where they are
};

} // namespace runoff::translation
