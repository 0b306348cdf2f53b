#include "runoff/translation/coverage.hpp"
#include "runoff/translation/extraction.hpp"
#include "tests/check.hpp"

#include <stdexcept>

namespace {

using namespace runoff::translation;

void coverage_moves_on_and_counts_holes() {
  const Coverage none;
  const auto later = none.with(2, 3);
  CHECK(later.first == 0 && later.has(2) && later.has(3) && !later.has(1) && !later.has(60));
  CHECK(later.holes() == 1);
  CHECK(later.with(5, 5).holes() == 2);
  const auto filled = later.with(0, 1);
  CHECK((filled == Coverage{4, 0}));
  CHECK(filled.holes() == 0);
}

void a_table_is_checked_on_the_way() {
  const std::vector<std::uint32_t> sources{1, 1, 2}, starts{0, 1, 3}, first{0, 1, 2}, targets{5, 6},
      target_starts{0, 1, 2};
  const std::vector<float> scores(8), turns(12);
  BlockTable table({sources, starts, first, targets, target_starts, scores, turns});
  std::vector<BlockTable::Range> found;
  const std::vector<std::uint32_t> sentence{1, 2, 9};
  table.find(sentence, 0, found);
  CHECK(found.size() == 2 && found[0].first == 0 && found[1].first == 1 && found[1].last == 2);
  table.find(sentence, 2, found);
  CHECK(found.empty());
  const std::vector<std::uint32_t> broken{0, 9, 3}, far{0, 1, 9};
  const BlockTable outside({sources, broken, first, targets, target_starts, scores, turns});
  CHECK_THROWS(outside.find(sentence, 0, found), std::invalid_argument,
               "a phrase lies outside the table of blocks");
  const BlockTable beyond({sources, starts, far, targets, target_starts, scores, turns});
  CHECK_THROWS(beyond.find(sentence, 0, found), std::invalid_argument,
               "the blocks of a phrase lie outside the table");
  CHECK_THROWS(BlockTable({sources, starts, first, targets, target_starts, turns, turns}),
               std::invalid_argument, "every block needs four scores");
}

void an_interrupt_and_bad_links_reach_the_caller() {
  const std::vector<std::uint32_t> words{1, 2};
  const std::vector<std::int64_t> offsets{0, 2}, links_end{0, 1};
  const Bitext bitext{words, words, offsets, offsets, 3, 3};
  const std::vector<Link> outside{{0, 7}}, inside{{0, 0}};
  CHECK_THROWS(extract_blocks(bitext, links_end, outside, 3, [] {}), std::invalid_argument,
               "a link lies outside its sentences");
  CHECK_THROWS(
      extract_blocks(bitext, links_end, inside, 3, [] { throw std::runtime_error("stop"); }),
      std::runtime_error, "stop");
  CHECK(extract_blocks(bitext, links_end, inside, 3, [] {}).counts.size() == 4);
}

} // namespace

int main() {
  coverage_moves_on_and_counts_holes();
  a_table_is_checked_on_the_way();
  an_interrupt_and_bad_links_reach_the_caller();
  return check::result();
}
