// Penn brackets, read as a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace runoff::trees {

// One tree as columns: an entry per bracketed node in preorder, and the words.
// Node i's subtree is [i, ends[i]); it covers the words [starts[i], stops[i]).
struct FlatTree {
  std::vector<std::string> labels;
  std::vector<std::int32_t> ends, starts, stops;
  std::vector<std::string> words;
};

// Reads trees from text that arrives in pieces of any size. Time is linear, memory is that of the
// tree being read; nesting is kept on the heap, so depth has no limit.
//
// After an error the scanner must not be used again; line() says where it happened.
class BracketScanner {
public:
  // Appends the trees completed by this piece. Throws std::invalid_argument on stray text, an
  // unmatched closing bracket, or bytes that are not UTF-8.
  void feed(std::string_view piece, std::vector<FlatTree> &trees);

  // Says that no more text comes. Throws if a tree is still open; line() is then where it began.
  void finish();

  std::size_t line() const { return line_; }

private:
  enum class State { outside, comment, label_start, label, inside, word };

  void open_node();
  void close_node(std::vector<FlatTree> &trees);
  void end_token();

  State state_ = State::outside;
  std::size_t line_ = 1;
  std::size_t tree_line_ = 1;
  std::string token_;
  FlatTree tree_;
  std::vector<std::int32_t> open_;
};

// Whether the bytes are well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view bytes);

} // namespace runoff::trees
