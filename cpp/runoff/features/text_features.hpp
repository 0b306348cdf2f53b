// Features of texts: lengths, n-grams, overlap with the input, agreement with the other candidates.
// docs/guide/features.md says what they are called.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/features/list_features.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace runoff::features {

// The words of a text as the twin's regular expression finds them: runs between whitespace, and
// single characters of scripts that have no spaces. A text that begins with a byte 255, which UTF-8
// never has, is a list of items with such a byte before each. Adds to the words; any bytes are
// safe.
void add_words(std::string_view text, std::vector<std::string_view> &words);

// A list of candidates, as UTF-8 in the caller's memory.
struct TextList {
  std::vector<std::string_view> outputs;
  std::string_view input;
  std::span<const double> logprobs;    // of each candidate; not a number if it has none
  std::span<const std::int64_t> ranks; // of each candidate in the base order, from 0
};

// The lists' features, and whether all values of each are counts. An n-gram that all candidates of
// a list have once tells nothing of it there. Time is linear in the number of words; `poll` is
// called before each list.
struct EncodedTexts {
  EncodedLists lists;
  std::vector<std::uint8_t> is_count;
};

EncodedTexts encode_texts(std::span<const TextList> lists, std::span<const std::int64_t> thresholds,
                          bool keep_all, base::Symbols &symbols, const base::Poll &poll);

} // namespace runoff::features
