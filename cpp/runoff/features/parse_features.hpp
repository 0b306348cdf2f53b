// Features of parse trees: Collins & Koo (2005), section 5.2, and a second set in the spirit of
// Charniak & Johnson (2005). docs/guide/features.md says what they are called.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/features/list_features.hpp"
#include "runoff/trees/parse_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace runoff::features {

// `small` leaves out distances and closed-class head words, as section 5.3 does for LogLoss; `rich`
// adds the second set.
enum class ParseSet { small, full, rich };

struct FixedTokens;
struct Signatures;

// Writes the features of one tree after another.
class ParseFeatures {
public:
  ParseFeatures(const trees::HeadTable &heads, const trees::ClosedClasses &classes, ParseSet set,
                base::Symbols &symbols);
  ~ParseFeatures();

  // Throws std::invalid_argument if the text is not one tree.
  void extract(std::string_view brackets, ListFeatures &out);
  // The same word by word, each a piece: the features of a node come with its last word. Returns
  // the number of pieces, which is at least 1.
  std::int32_t extract_pieces(std::string_view brackets, ListFeatures &out);

private:
  void write(std::int32_t word, ListFeatures &out);

  base::Symbols &symbols_;
  trees::ParseTreeMaker maker_;
  ParseSet set_;
  std::unique_ptr<FixedTokens> fixed_;
  std::unique_ptr<Signatures> signatures_;
  trees::ParseTree tree_;
};

// The lists' features; `poll` is called before each list.
EncodedLists encode_parses(const trees::HeadTable &heads, const trees::ClosedClasses &classes,
                           ParseSet set, std::span<const std::vector<std::string_view>> lists,
                           std::span<const std::int64_t> thresholds, bool keep_all,
                           base::Symbols &symbols, const base::Poll &poll);

// The features of the trees of one list, word by word, all of them kept; adds the number of pieces
// of each tree.
EncodedLists encode_parse_pieces(const trees::HeadTable &heads, const trees::ClosedClasses &classes,
                                 ParseSet set, std::span<const std::string_view> trees,
                                 base::Symbols &symbols, std::vector<std::int64_t> &pieces);

} // namespace runoff::features
