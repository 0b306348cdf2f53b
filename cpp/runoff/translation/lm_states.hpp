// States of the language model in one search, numbered.
#pragma once

#include "runoff/base/hash_index.hpp"
#include "runoff/translation/phrase_options.hpp"

#include <vector>

namespace runoff::translation {

// Numbers for states of a language model; what an option costs after a state is asked once.
class LmStates {
public:
  LmStates(const Models &models, const PhraseOptions &options);

  std::uint32_t begin() { return number(models_.lm.begin()); }

  struct After {
    double border; // weighted cost of the option's words whose history leaves the block
    std::uint32_t state;
  };
  After after(std::uint32_t state, std::uint32_t option);

  // Logarithms: of the option's words at the border, and of the end of the sentence.
  double border(std::uint32_t state, std::uint32_t option) const;
  double end(std::uint32_t state) const;

private:
  struct Known {
    std::uint64_t key = FREE;
    float border = 0;
    std::uint32_t state = 0;
    static constexpr std::uint64_t FREE = ~std::uint64_t{0};
    bool is_free() const { return key == FREE; }
  };
  static std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15;
    return key ^ key >> 32;
  }
  std::uint32_t number(const ngrams::State &state);
  float border(std::uint32_t state, std::uint32_t option, ngrams::State &next) const;

  const Models &models_;
  const PhraseOptions &options_;
  std::vector<ngrams::State> states_;
  base::HashIndex<base::NumberSlot> numbers_{256};
  base::HashIndex<Known> known_{1024};
  std::size_t size_ = 0;
};

} // namespace runoff::translation
