// The words of texts, and that no bytes, UTF-8 or not, are read beyond their end.
#include "runoff/features/text_features.hpp"

#include "tests/check.hpp"

#include <random>
#include <string>

namespace {

using Words = std::vector<std::string_view>;

Words words(std::string_view text) {
  Words found;
  runoff::features::add_words(text, found);
  return found;
}

void words_end_at_spaces_and_at_han() {
  CHECK(words("a  vote\tof ") == Words({"a", "vote", "of"}));
  CHECK(words("it's 选举day\xc2\xa0x") == Words({"it's", "选", "举", "day", "x"}));
  CHECK(words("").empty() && words(" \n").empty());
}

void items_keep_their_spaces() {
  CHECK(words("\xff"
              "New York"
              "\xff"
              "\xff"
              "x") == Words({"New York", "", "x"}));
}

// Each text lies alone in memory, so that the sanitizer sees a byte too far.
void any_bytes_are_safe() {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<char> bytes(random() % 9);
    for (auto &byte : bytes)
      byte = static_cast<char>(i % 2 == 0 ? random() : 0xe0 + random() % 0x20);
    std::size_t size = 0;
    for (const auto word : words({bytes.data(), bytes.size()}))
      size += word.size();
    CHECK(size <= bytes.size());
  }
}

} // namespace

int main() {
  words_end_at_spaces_and_at_han();
  items_keep_their_spaces();
  any_bytes_are_safe();
  return check::result();
}
