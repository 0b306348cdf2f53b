// Features of what changed: between the input and a candidate, character by character, and between
// the base system's favourite and a candidate, word by word. docs/guide/features.md names them.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/features/list_features.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace runoff::features {

// A text as UTF-8 in the caller's memory, and the same in small letters.
struct CasedText {
  std::string_view text, lower;
};

struct ChangeList {
  std::vector<CasedText> outputs;
  CasedText input;
  bool has_input;        // whether there is one to compare with
  std::size_t favourite; // the base system's first choice; no output, if there is none
};

// Texts whose differing middles are longer than this are not aligned.
constexpr std::size_t longest_aligned = 100;

// The lists' features; all values are counts. Time is the product of the lengths of what differs.
EncodedLists encode_changes(std::span<const ChangeList> lists,
                            std::span<const std::int64_t> thresholds, bool keep_all,
                            base::Symbols &symbols, const base::Poll &poll);

} // namespace runoff::features
