#include "runoff/trees/brackets.hpp"

#include <utility>

namespace runoff::trees {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// In place and linear: what is kept moves left over what is gone.
void replace_all(std::string &text, std::string_view from, char to) {
  std::size_t kept = text.find(from);
  for (std::size_t at = kept; at < text.size(); ++kept) {
    if (text.compare(at, from.size(), from) == 0) {
      text[kept] = to;
      at += from.size();
    } else {
      text[kept] = text[at++];
    }
  }
  if (kept != std::string::npos)
    text.resize(kept);
}

// Words write round brackets as -LRB- and -RRB-; labels keep those names.
void unescape(std::string &word) {
  if (word.find("RB-") == std::string::npos)
    return;
  replace_all(word, "-LRB-", '(');
  replace_all(word, "-RRB-", ')');
}

} // namespace

bool is_utf8(std::string_view bytes) {
  std::size_t i = 0;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  while (i < bytes.size()) {
    const unsigned char lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > bytes.size())
      return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xc0) != 0x80)
        return false;
    const unsigned char second = byte(i + 1);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
      return false;
    i += length;
  }
  return true;
}

void BracketScanner::open_node() {
  if (open_.empty())
    tree_line_ = line_;
  open_.push_back(static_cast<std::int32_t>(tree_.labels.size()));
  tree_.labels.emplace_back();
  tree_.ends.push_back(0);
  tree_.starts.push_back(static_cast<std::int32_t>(tree_.words.size()));
  tree_.stops.push_back(0);
  state_ = State::label_start;
}

void BracketScanner::close_node(std::vector<FlatTree> &trees) {
  if (open_.empty())
    throw std::invalid_argument("closing bracket without an opening one");
  const auto node = static_cast<std::size_t>(open_.back());
  open_.pop_back();
  tree_.ends[node] = static_cast<std::int32_t>(tree_.labels.size());
  tree_.stops[node] = static_cast<std::int32_t>(tree_.words.size());
  if (open_.empty()) {
    trees.push_back(std::exchange(tree_, {}));
    state_ = State::outside;
  } else {
    state_ = State::inside;
  }
}

void BracketScanner::end_token() {
  if (!is_utf8(token_))
    throw std::invalid_argument("bytes that are not UTF-8");
  if (state_ == State::label) {
    tree_.labels.back() = token_;
  } else if (state_ == State::word) {
    unescape(token_);
    tree_.words.push_back(token_);
  }
  token_.clear();
  state_ = State::inside;
}

void BracketScanner::feed(std::string_view piece, std::vector<FlatTree> &trees) {
  for (const char c : piece) {
    if (state_ == State::comment) {
      if (c == '\n')
        state_ = State::outside;
    } else if (c == '(') {
      if (state_ == State::label || state_ == State::word)
        end_token();
      open_node();
    } else if (c == ')') {
      if (state_ == State::label || state_ == State::word)
        end_token();
      close_node(trees);
    } else if (is_space(c)) {
      if (state_ == State::label || state_ == State::word)
        end_token();
    } else if (state_ == State::outside) {
      if (c != '#' && c != '%' && c != ';' && c != '*')
        throw std::invalid_argument("text outside of brackets");
      state_ = State::comment;
    } else {
      if (state_ == State::label_start)
        state_ = State::label;
      else if (state_ == State::inside)
        state_ = State::word;
      token_.push_back(c);
    }
    if (c == '\n')
      ++line_;
  }
}

void BracketScanner::finish() {
  if (open_.empty())
    return;
  line_ = tree_line_;
  throw std::invalid_argument("the tree that starts here leaves " + std::to_string(open_.size()) +
                              (open_.size() == 1 ? " bracket open" : " brackets open"));
}

} // namespace runoff::trees
