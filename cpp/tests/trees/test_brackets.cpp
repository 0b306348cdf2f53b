#include "runoff/trees/brackets.hpp"

#include "tests/check.hpp"

#include <algorithm>

using runoff::trees::BracketScanner;
using runoff::trees::FlatTree;
using Numbers = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;

namespace {

// Feeds the text in pieces of the given size.
std::vector<FlatTree> read(std::string_view text, std::size_t piece = std::string::npos) {
  BracketScanner scanner;
  std::vector<FlatTree> trees;
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
    scanner.feed(text.substr(at, piece), trees);
  scanner.finish();
  return trees;
}

// The line at which reading the text fails, 0 if it does not.
std::size_t error_line(std::string_view text) {
  BracketScanner scanner;
  std::vector<FlatTree> trees;
  try {
    scanner.feed(text, trees);
    scanner.finish();
  } catch (const std::invalid_argument &) {
    return scanner.line();
  }
  return 0;
}

void columns_of_a_tree() {
  const auto trees = read("(NP (DT the) late (NN vote))");
  CHECK(trees.size() == 1);
  CHECK(trees[0].labels == Strings{"NP", "DT", "NN"});
  CHECK(trees[0].words == Strings{"the", "late", "vote"});
  CHECK(trees[0].ends == Numbers{3, 2, 3});
  CHECK(trees[0].starts == Numbers{0, 0, 2});
  CHECK(trees[0].stops == Numbers{3, 1, 3});
}

void empty_labels_and_nodes() {
  const auto trees = read("( (S (X) (NN a)))()\n( \n S a)");
  CHECK(trees.size() == 3);
  CHECK(trees[0].labels == Strings{"", "S", "X", "NN"});
  CHECK(trees[0].starts == Numbers{0, 0, 0, 0});
  CHECK(trees[0].stops == Numbers{1, 1, 0, 1});
  CHECK(trees[1].labels == Strings{""} && trees[1].words.empty());
  CHECK(trees[2].labels == Strings{"S"} && trees[2].words == Strings{"a"});
}

void spaces_and_comments() {
  CHECK(read("").empty());
  CHECK(read("# (one\n%)\n; three\n\t* four").empty());
  const auto trees = read("(A\r\n\t(B\vb)\f)# said\xff\r\n(C #c)");
  CHECK(trees.size() == 2);
  CHECK(trees[0].labels == Strings{"A", "B"} && trees[0].words == Strings{"b"});
  CHECK(trees[1].words == Strings{"#c"});
}

void round_brackets() {
  const auto word = [](const std::string &text) {
    return read("(-LRB- " + text + ")")[0].words[0];
  };
  CHECK(read("(-LRB- a)")[0].labels == Strings{"-LRB-"});
  CHECK(word("-LRB-") == "(");
  CHECK(word("a-RRB-b") == "a)b");
  CHECK(word("-LRB--RRB--LRB-x") == "()(x");
  CHECK(word("-LRB") == "-LRB");
  CHECK(word("LRB-") == "LRB-");
  CHECK(word("-lrb-") == "-lrb-");
  CHECK(word("--LRB--") == "-(-");
  CHECK(word("-LRB-RRB-") == "(RRB-");
  CHECK(word("-RRB-LRB-") == "-RRB("); // opening brackets first, as the Python twin does
}

void many_brackets_in_a_word() {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += i % 2 ? "-LRB-" : "x-RRB-";
  const auto trees = read("(X " + text + ")");
  CHECK(trees[0].words[0].size() == 300'000);
  CHECK(trees[0].words[0].substr(0, 6) == "x)(x)(");
}

void pieces_make_no_difference() {
  const std::string text = "# \xc3\xa9\n( (S (NN caf\xc3\xa9)\r\n (-LRB- -LRB-) ()))\n(X y)";
  const auto whole = read(text);
  CHECK(whole.size() == 2);
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const auto trees = read(text, piece);
    CHECK(trees.size() == whole.size());
    for (std::size_t i = 0; i < std::min(trees.size(), whole.size()); ++i) {
      CHECK(trees[i].labels == whole[i].labels && trees[i].words == whole[i].words);
      CHECK(trees[i].ends == whole[i].ends && trees[i].starts == whole[i].starts);
      CHECK(trees[i].stops == whole[i].stops);
    }
  }
}

void errors_say_what_and_where() {
  using Invalid = std::invalid_argument;
  CHECK_THROWS(read("(S a))"), Invalid, "closing bracket without an opening one");
  CHECK_THROWS(read("(S a) b"), Invalid, "text outside of brackets");
  CHECK_THROWS(read("(S \xff)"), Invalid, "bytes that are not UTF-8");
  CHECK_THROWS(read("(S\xff a)"), Invalid, "bytes that are not UTF-8");
  CHECK_THROWS(read("(S a"), Invalid, "the tree that starts here leaves 1 bracket open");
  CHECK_THROWS(read("(S (A (B"), Invalid, "the tree that starts here leaves 3 brackets open");
  CHECK(error_line("(S a)\n(S\n a))\n") == 3);
  CHECK(error_line("(S a)\r\n\r\nstray\r\n") == 3);
  CHECK(error_line("(S a)\n\n(S\n(A b)\n\n") == 3);
  CHECK(error_line("# one\n(S\n\xe9\n)") == 3);
  CHECK(error_line("(S a)\n") == 0);
}

void deep_and_wide() {
  constexpr std::size_t size = 1'000'000;
  std::string deep, wide = "(S";
  for (std::size_t i = 0; i < size; ++i)
    deep += "(X";
  deep += " y" + std::string(size, ')');
  for (std::size_t i = 0; i < size; ++i)
    wide += " w";
  const auto tall = read(deep), broad = read(wide + ")");
  CHECK(tall[0].labels.size() == size && tall[0].words == Strings{"y"});
  CHECK(tall[0].ends[0] == size && tall[0].ends[size - 1] == size);
  CHECK(broad[0].words.size() == size && broad[0].stops == Numbers{size});
}

void utf8() {
  using runoff::trees::is_utf8;
  for (const char *good : {"", "vote", "\xc3\xa9", "\xe4\xb8\x8a", "\xf0\x9f\x97\xb3",
                           "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(is_utf8(good));
  CHECK(is_utf8(std::string_view("\0", 1)));
  for (const std::string_view whole : {"\xc3\xa9", "\xe4\xb8\x8a", "\xf0\x9f\x97\xb3"})
    CHECK(!is_utf8(whole.substr(0, whole.size() - 1))); // the missing byte is not looked for
  for (const char *bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe4\xb8", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "a\xf0\x9f\x97"})
    CHECK(!is_utf8(bad));
}

} // namespace

int main() {
  columns_of_a_tree();
  empty_labels_and_nodes();
  spaces_and_comments();
  round_brackets();
  many_brackets_in_a_word();
  pieces_make_no_difference();
  errors_say_what_and_where();
  deep_and_wide();
  utf8();
  return check::result();
}
