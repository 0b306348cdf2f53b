#include "runoff/features/text_features.hpp"

#include <algorithm>
#include <cstdint>

namespace runoff::features {
namespace {

constexpr char item_mark = '\xff';

// What Python's \s matches.
bool is_space(std::uint32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

// Kana and Han: no spaces between words.
bool is_unspaced(std::uint32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

struct Character {
  std::uint32_t code;
  std::size_t bytes;
};

// The character at a place of the text; where the bytes are not UTF-8, something that ends in it.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(at);
  const std::size_t wanted = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const auto bytes = std::min(wanted, text.size() - at);
  auto code = wanted == 1 ? lead : lead & (0xffu >> (wanted + 1));
  for (std::size_t i = 1; i < bytes; ++i)
    code = (code << 6) | (byte(at + i) & 0x3fu);
  return {code, bytes};
}

void add_items(std::string_view text, std::vector<std::string_view> &words) {
  while (!text.empty()) {
    text.remove_prefix(1);
    const auto size = std::min(text.find(item_mark), text.size());
    words.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
}

} // namespace

void add_words(std::string_view text, std::vector<std::string_view> &words) {
  if (text.starts_with(item_mark))
    return add_items(text, words);
  std::size_t start = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > start)
      words.push_back(text.substr(start, end - start));
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = character_at(text, at);
    const bool alone = is_unspaced(code);
    if (alone || is_space(code)) {
      end_word(at);
      start = at + bytes;
      if (alone)
        words.push_back(text.substr(at, bytes));
    }
    at += bytes;
  }
  end_word(text.size());
}

} // namespace runoff::features
