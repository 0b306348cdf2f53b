#include "runoff/features/change_features.hpp"

#include "runoff/features/alignment.hpp"
#include "runoff/features/text_features.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace runoff::features {
namespace {

using Codes = std::vector<std::uint32_t>;

bool starts_character(char byte) { return (byte & '\xc0') != '\x80'; }

// The characters of a text: where each begins, and its bytes as one number.
void decode(std::string_view text, Codes &codes) {
  codes.clear();
  for (const char byte : text) {
    if (starts_character(byte) || codes.empty())
      codes.push_back(0);
    codes.back() = (codes.back() << 8) | static_cast<unsigned char>(byte);
  }
}

std::string encoded(std::uint32_t code) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8)
    if (const auto byte = static_cast<char>(code >> shift); byte != 0 || shift == 0)
      text.push_back(byte);
  return text == " " ? "␣" : text;
}

bool is_letter(std::uint32_t code) { return code > 0x7f || (code >= 'a' && code <= 'z'); }

bool is_vowel(std::uint32_t code) {
  return std::string_view("aeiouy").find(static_cast<char>(code)) != std::string_view::npos &&
         code < 0x80;
}

struct Mark {
  std::uint32_t code;
  std::string_view name;
};
constexpr std::array marks{Mark{'\'', "apostrophe"}, Mark{' ', "space"}, Mark{'-', "hyphen"}};

// How many items two sequences have in common at their beginnings, and then at their ends.
template <typename Item>
std::pair<std::size_t, std::size_t> common_ends(std::span<const Item> a, std::span<const Item> b) {
  const auto shorter = std::min(a.size(), b.size());
  std::size_t start = 0, end = 0;
  while (start < shorter && a[start] == b[start])
    ++start;
  while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end])
    ++end;
  return {start, end};
}

class ChangeEncoder {
public:
  ChangeEncoder(std::span<const std::int64_t> thresholds, bool keep_all, base::Symbols &symbols,
                EncodedLists &out)
      : thresholds_(thresholds), keep_all_(keep_all), symbols_(symbols), out_(out),
        features_(symbols) {}

  void encode(const ChangeList &list) {
    decode(list.input.lower, before_);
    const bool has_favourite = list.favourite < list.outputs.size();
    favourite_.clear();
    if (has_favourite)
      add_words(list.outputs[list.favourite].text, favourite_);
    for (const auto &output : list.outputs) {
      features_.next_candidate();
      if (list.has_input)
        compare_characters(list.input, output);
      if (has_favourite)
        compare_words(list.outputs[list.favourite].text, output.text);
    }
    features_.finish(thresholds_, keep_all_, out_);
  }

private:
  // Writes a name, whose tokens spaces separate.
  void name(std::string_view text) {
    features_.cut(0);
    add(text);
  }
  void add(std::string_view text) {
    for (std::size_t space; (space = text.find(' ')) != std::string_view::npos;
         text.remove_prefix(space + 1))
      features_.add(symbols_(text.substr(0, space)));
    features_.add(symbols_(text));
  }
  void set(std::string_view text) {
    name(text);
    features_.set();
  }
  void count(std::string_view text, std::size_t times = 1) {
    if (times == 0)
      return;
    name(text);
    features_.count(static_cast<std::uint32_t>(times));
  }

  void compare_characters(const CasedText &input, const CasedText &output) {
    decode(output.lower, after_);
    write_shape(output);
    if (input.text == output.text)
      return set("unchanged");
    if (before_ == after_)
      set("changed: case only");
    for (const auto &mark : marks)
      compare_marks(mark);
    const std::span<const std::uint32_t> before(before_), after(after_);
    const auto [start, end] = common_ends(before, after);
    count("common beginning", start);
    count("common end", end);
    if (start == 0)
      set("changed: first character");
    if (end == 0)
      set("changed: last character");
    const auto old = before.subspan(start, before.size() - start - end);
    const auto now = after.subspan(start, after.size() - start - end);
    if (std::max(old.size(), now.size()) > longest_aligned)
      return;
    if (before_ != after_ && std::ranges::is_permutation(old, now))
      set("changed: order only");
    const auto edits = aligner_.align(old, now);
    count("edits", edits.size());
    for (const auto &edit : edits)
      write_edit({edit.change, edit.before + start, edit.after + start});
  }

  void compare_marks(const Mark &mark) {
    if (std::ranges::count(before_, mark.code) == std::ranges::count(after_, mark.code))
      return;
    const std::string changed = "changed: " + std::string(mark.name);
    set(changed);
    auto before = before_, after = after_;
    std::erase(before, mark.code);
    std::erase(after, mark.code);
    if (before == after)
      set(changed + " only");
  }

  void write_edit(const Edit &edit) {
    const auto old = edit.before < before_.size() ? before_[edit.before] : 0;
    const auto now = edit.after < after_.size() ? after_[edit.after] : 0;
    switch (edit.change) {
    case Change::swap:
      count("edits: swap");
      return count("edit: " + encoded(old) + encoded(now) + " -> " + encoded(now) + encoded(old));
    case Change::substitution:
      count("edits: substitution");
      if (is_vowel(old) && is_vowel(now))
        count("edits: vowel for vowel");
      else if (is_letter(old) && is_letter(now) && !is_vowel(old) && !is_vowel(now))
        count("edits: consonant for consonant");
      return count("edit: " + encoded(old) + " -> " + encoded(now));
    case Change::insertion:
      count("edits: insertion");
      if (edit.after > 0 && after_[edit.after - 1] == now)
        count("edits: doubled");
      return count("edit: + " + encoded(now));
    case Change::deletion:
      count("edits: deletion");
      if (edit.before > 0 && before_[edit.before - 1] == old)
        count("edits: undoubled");
      return count("edit: - " + encoded(old));
    }
  }

  // Beginnings and ends of a word, and its capitals.
  void write_shape(const CasedText &output) {
    if (after_.empty() || std::ranges::find(after_, std::uint32_t{' '}) != after_.end())
      return;
    decode(output.text, cased_);
    if (cased_.size() == after_.size() && cased_[0] != after_[0])
      set("begins with a capital");
    std::string beginning, ending;
    for (std::size_t size = 1; size <= 3 && size <= after_.size(); ++size) {
      beginning += encoded(after_[size - 1]);
      ending = encoded(after_[after_.size() - size]) + ending;
      set("begin: " + beginning);
      set("end: " + ending);
    }
  }

  void compare_words(std::string_view favourite, std::string_view output) {
    if (favourite == output)
      return set("the favourite");
    words_.clear();
    add_words(output, words_);
    const auto [start, end] = common_ends<std::string_view>(favourite_, words_);
    const auto n_old = favourite_.size() - start - end, n_now = words_.size() - start - end;
    if (std::max(n_old, n_now) > longest_aligned)
      return;
    number(std::span(favourite_).subspan(start, n_old), old_);
    number(std::span(words_).subspan(start, n_now), now_);
    const auto edits = aligner_.align(old_, now_);
    count("words changed from the favourite", edits.size());
    for (const auto &edit : edits)
      write_word_edit(edit, old_, now_);
  }

  void number(std::span<const std::string_view> words, Codes &numbers) {
    numbers.clear();
    for (const auto word : words)
      numbers.push_back(symbols_(word));
  }

  void write_word_edit(const Edit &edit, std::span<const std::uint32_t> old,
                       std::span<const std::uint32_t> now) {
    name("against the favourite:");
    const auto add_word = [&](std::uint32_t word) { add(std::string(symbols_.text(word))); };
    if (edit.change == Change::insertion) {
      add("+");
      add_word(now[edit.after]);
    } else if (edit.change == Change::deletion) {
      add("-");
      add_word(old[edit.before]);
    } else {
      const std::size_t size = edit.change == Change::swap ? 2 : 1;
      for (std::size_t k = 0; k < size; ++k)
        add_word(old[edit.before + k]);
      add("->");
      for (std::size_t k = 0; k < size; ++k)
        add_word(now[edit.after + k]);
    }
    features_.count();
  }

  std::span<const std::int64_t> thresholds_;
  bool keep_all_;
  base::Symbols &symbols_;
  EncodedLists &out_;
  ListFeatures features_;
  Aligner aligner_;
  Codes before_, after_, cased_, old_, now_;
  std::vector<std::string_view> favourite_, words_;
};

} // namespace

EncodedLists encode_changes(std::span<const ChangeList> lists,
                            std::span<const std::int64_t> thresholds, bool keep_all,
                            base::Symbols &symbols, const base::Poll &poll) {
  EncodedLists out;
  ChangeEncoder encoder(thresholds, keep_all, symbols, out);
  for (const auto &list : lists) {
    poll();
    encoder.encode(list);
  }
  return out;
}

} // namespace runoff::features
