#include "runoff/sequence/tag_training.hpp"
#include "runoff/sequence/tagger.hpp"
#include "tests/check.hpp"

#include <cmath>
#include <stdexcept>

namespace {

using runoff::sequence::Tag;

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

// Two words, 1 and 2; either may have the tags 0 and 1. Templates: the word, the tag before, and
// the tag two before with the next word.
struct Example {
  std::vector<std::int32_t> atoms{0, 0, 0, -2, 0, -2, -1, -1, 0, -2, 0, -2, -2, -1, 1, 0, 0, -2};
  std::vector<std::int64_t> set_offsets{0, 2};
  std::vector<Tag> set_tags{0, 1};
  std::vector<std::uint32_t> forms{9, 1, 2}, sets{0, 0, 0}, words{1, 2, 1};
  std::vector<std::int64_t> offsets{0, 2, 2, 3};

  runoff::sequence::TagTemplates templates() const { return {atoms, 1}; }
  runoff::sequence::TagSets tag_sets() const { return {set_offsets, set_tags, 2}; }
  runoff::sequence::TagCorpus corpus() const { return {forms, 1, sets, words, offsets}; }
};

void tables_find_what_was_put_in() {
  runoff::sequence::FeatureTable table;
  for (std::uint32_t i = 0; i < 1000; ++i)
    CHECK(table.insert({i % 7, {i, 0, 1}}) == i);
  for (std::uint32_t i = 0; i < 1000; ++i)
    CHECK(table.find({i % 7, {i, 0, 1}}) == i && table.insert({i % 7, {i, 0, 1}}) == i);
  CHECK(table.find({0, {0, 0, 2}}) == runoff::sequence::FeatureTable::none);
  std::vector<runoff::sequence::FeatureKey>
      keys; // more than are looked for together, half of them there
  std::vector<std::uint32_t> expected{7}, found{7};
  for (std::uint32_t i = 0; i < 200; ++i) {
    keys.push_back({i % 7, {i, 0, 1 + i % 2}});
    if (i % 2 == 0)
      expected.push_back(i);
  }
  table.find(keys, found);
  CHECK(found == expected);
}

void templates_see_words_and_tags() {
  const Example example;
  const auto templates = example.templates();
  const auto corpus = example.corpus();
  const runoff::sequence::TagSentence sentence(corpus, 0);
  runoff::sequence::FeatureKey key;
  CHECK(templates.find(2, sentence, 0, {1, 0}, key));
  CHECK((key == runoff::sequence::FeatureKey{2, {1, 2, 0}}));
  CHECK(templates.find(2, sentence, 1, {1, 2}, key));
  CHECK((key == runoff::sequence::FeatureKey{2, {3, 9, 0}})); // outside the sentence
  CHECK(templates.looking_back(0).size() == 1 && templates.looking_back(2)[0] == 2);
}

void losses_fall_along_the_gradient() {
  const Example example;
  const std::vector<Tag> gold{0, 1, 0};
  const runoff::sequence::TagProblem problem(example.templates(), example.tag_sets(),
                                             example.corpus(), gold, 1, [] {});
  CHECK(problem.decisions() == 3);
  std::vector<double> weights(problem.pair_tags().size()), gradient(weights.size());
  const double before = problem.loss(weights, gradient, {2, [] {}});
  CHECK(near(before, 3 * std::log(2.0)));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] -= 0.1 * gradient[i];
  CHECK(problem.loss(weights, gradient, {}) < before);
}

void probabilities_sum_to_one() {
  const Example example;
  const std::vector<std::uint32_t> keys{0, 1, 0, 0, 1, 1, 0, 0};
  const std::vector<std::int64_t> pair_offsets{0, 1, 2};
  const std::vector<Tag> pair_tags{0, 1};
  const std::vector<float> weights{1.0f, 2.0f};
  const runoff::sequence::Tagger tagger(example.templates(), example.tag_sets(),
                                        {keys, pair_offsets, pair_tags, weights});
  const auto lists = tagger.n_best(example.corpus(), 9, 9, {2, [] {}});
  CHECK((lists.counts == std::vector<std::int64_t>{4, 1, 2}));
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    sum += std::exp(lists.logprobs[i]);
  CHECK(near(sum, 1.0) && lists.logprobs[0] >= lists.logprobs[1]);
  CHECK(lists.tags[0] == 0 && lists.tags[1] == 1 && lists.logprobs[4] == 0.0);
  const double first = 1 / (1 + std::exp(-1.0)), second = 1 / (1 + std::exp(-2.0));
  CHECK(near(lists.logprobs[0], std::log(first * second)));
  const auto choices = tagger.choices(example.corpus(), 0.5, 9, {});
  CHECK((choices.counts == std::vector<std::int64_t>{1, 1, 1}));
  CHECK(near(choices.probabilities[1], first * second + (1 - first) / 2));
  CHECK_THROWS(
      runoff::sequence::Tagger(example.templates(), example.tag_sets(),
                               {keys, pair_offsets, pair_tags, std::span(weights).first(1)}),
      std::invalid_argument,
      "a feature needs four numbers as its key, and a tag and a weight for every pair");
}

} // namespace

int main() {
  tables_find_what_was_put_in();
  templates_see_words_and_tags();
  losses_fall_along_the_gradient();
  probabilities_sum_to_one();
  return check::result();
}
