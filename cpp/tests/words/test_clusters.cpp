#include "runoff/words/word_clusters.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

namespace {

using runoff::words::WordClasses;
using Numbers = std::vector<std::uint32_t>;

// 0 stands between sentences: "1 3", "2 3", "1 4", "2 4". So 1 and 2 are alike, and 3 and 4.
const Numbers text{0, 1, 3, 0, 2, 3, 0, 1, 4, 0, 2, 4};

WordClasses words_in(const Numbers &classes, std::size_t n_classes) {
  return {text, classes, 1, n_classes, [] {}};
}

void likelihood_is_that_of_class_bigrams() {
  // Two classes: each class is followed by another with certainty, and each word is one of two.
  const auto alike = words_in({0, 1, 1, 2, 2}, 2);
  CHECK(std::abs(alike.log_likelihood() - -8.0) < 1e-5);
  // One class: 4 sentences of two words; after the class comes a word or the end, one bit, and
  // words are one of four, two bits.
  const auto one = words_in({0, 1, 1, 1, 1}, 1);
  CHECK(std::abs(one.log_likelihood() - (-8.0 - 16.0)) < 1e-5);
}

void words_move_where_they_belong() {
  auto words = words_in({0, 1, 2, 1, 2}, 2);
  CHECK(words.sweep([] {}) > 0);
  while (words.sweep([] {}) > 0)
    ;
  const auto &classes = words.classes();
  CHECK(classes[1] == classes[2] && classes[3] == classes[4] && classes[1] != classes[3]);
  CHECK(words.bigrams().count(0, classes[1]) == 4);
  CHECK(words.bigrams().total(classes[3]) == 4);
  CHECK(classes[0] == 0);
}

void like_classes_are_merged_first() {
  const auto merges = runoff::words::merge_classes(words_in({0, 1, 2, 3, 4}, 6), [] {});
  CHECK((merges == runoff::words::Merges{{1, 2}, {3, 4}, {1, 3}}));
}

void a_word_may_follow_itself() {
  const Numbers twice{0, 1, 1, 0, 1, 1};
  const WordClasses words(twice, Numbers{0, 1}, 1, 1, [] {});
  CHECK(words.bigrams().count(1, 1) == 2);
  CHECK(words.bigrams().total(1) == 4);
}

void logarithms_are_the_same_on_both_sides_of_the_table() {
  const runoff::words::NLogN phi;
  CHECK(phi(0) == 0 && phi(1) == 0 && phi(2) == 2 << 20);
  for (const std::uint64_t n : {std::uint64_t{1} << 17, std::uint64_t{1} << 19})
    CHECK(phi(n) == static_cast<std::int64_t>(n * (n >> 18 ? 19 : 17)) << 20);
}

void what_does_not_fit_throws() {
  CHECK_THROWS(words_in({0, 1, 1, 2}, 2), std::invalid_argument, "word 4 is not below 4");
  CHECK_THROWS(words_in({0, 1, 1, 2, 3}, 2), std::invalid_argument, "word 4 cannot be in class 3");
  CHECK_THROWS(words_in({1, 1, 1, 2, 2}, 2), std::invalid_argument, "word 0 cannot be in class 1");
  CHECK_THROWS(words_in({0, 0, 1, 2, 2}, 2), std::invalid_argument, "word 1 cannot be in class 0");
  CHECK_THROWS(words_in({0, 1, 1, 2, 2}, 0), std::invalid_argument,
               "there are from 1 to 4096 classes, and up to 256 fixed ones");
  CHECK_THROWS(WordClasses({}, {}, 0, 1, [] {}), std::invalid_argument,
               "a text has from 1 to 2^31 - 1 words, not 0");
}

void an_interrupt_reaches_the_caller() {
  const runoff::base::Poll stop = [] { throw std::runtime_error("stop"); };
  auto words = words_in({0, 1, 1, 2, 2}, 2);
  CHECK_THROWS(runoff::words::merge_classes(words, stop), std::runtime_error, "stop");
  CHECK_THROWS(words.sweep(stop), std::runtime_error, "stop");
  CHECK(std::abs(words.log_likelihood() - -8.0) < 1e-5);
}

} // namespace

int main() {
  likelihood_is_that_of_class_bigrams();
  words_move_where_they_belong();
  like_classes_are_merged_first();
  a_word_may_follow_itself();
  logarithms_are_the_same_on_both_sides_of_the_table();
  what_does_not_fit_throws();
  an_interrupt_reaches_the_caller();
  return check::result();
}
