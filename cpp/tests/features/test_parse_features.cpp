#include "runoff/features/parse_features.hpp"

#include "tests/check.hpp"

#include <algorithm>
#include <map>

namespace {

using runoff::base::FingerprintTable;
using runoff::base::Symbol;
using runoff::base::Symbols;
using runoff::features::ParseSet;
using runoff::trees::HeadRules;
using Counts = std::map<std::string, double>;
using Texts = std::vector<std::string>;

runoff::trees::HeadTable heads() {
  return {{{"S", {{true, {"TO", "VP", "S", "NP"}, true}}},
           {"VP", {{true, {"VBD", "VP"}, true}}},
           {"PP", {{false, {"IN"}, true}}},
           {"NP", {{false, {"NN", "NNS"}, false}, {true, {"NP"}, false}}}},
          {"NP"},
          {",", "."}};
}

const runoff::trees::ClosedClasses classes{{"IN", "DT"}, {"VBD"}, {"was"}};

// The features of the candidates of one list, all of them.
std::vector<Counts> features(const Texts &candidates, ParseSet set) {
  Symbols symbols;
  const std::vector<std::vector<std::string_view>> lists{{candidates.begin(), candidates.end()}};
  const std::int64_t threshold = 1;
  const auto found = runoff::features::encode_parses(heads(), classes, set, lists, {&threshold, 1},
                                                     true, symbols, [] {});
  std::vector<Counts> result;
  std::size_t entry = 0;
  for (const auto count : found.feature_counts) {
    result.emplace_back();
    for (std::int64_t i = 0; i < count; ++i, ++entry) {
      std::string name;
      const auto id = found.ids[entry];
      for (auto at = found.token_offsets[id]; at < found.token_offsets[id + 1]; ++at)
        name +=
            (name.empty() ? "" : " ") + symbols.text(found.tokens[static_cast<std::size_t>(at)]);
      CHECK(runoff::base::fingerprint(name).key == found.keys[id]);
      CHECK(runoff::base::fingerprint(name).check == found.checks[id]);
      result.back()[name] = found.values[entry];
    }
  }
  return result;
}

void heads_follow_the_table() {
  Symbols symbols;
  const HeadRules rules(heads(), symbols);
  const auto head = [&](const char *label, const Texts &children) {
    std::vector<Symbol> labels;
    for (const auto &child : children)
      labels.push_back(symbols(child));
    return rules.head(symbols(label), labels);
  };
  CHECK(head("S", {"NP", "VP", "TO"}) == 2);
  CHECK(head("NP", {"NN", "NNS", "PP"}) == 1);
  CHECK(head("NP", {"NNS", "CC", "NN"}) == 0);
  CHECK(head("NP", {"NP", "POS"}) == 1);
  CHECK(head("NP", {"X", "Y"}) == 1);
  CHECK(head("X", {",", "Y", "Z"}) == 1);
  CHECK(head("X", {",", "."}) == 0);
}

void rules_and_words() {
  const auto found = features(
      {"(S (NP (NN a)) (VP (VBD was) (PP-1 (IN of) (NP (NN b) (-NONE- *)))))"}, ParseSet::rich)[0];
  for (const char *name :
       {"rule: TOP -> S", "rule: VP -> VBD PP", "rule: VP/was -> VBD/was PP/of",
        "lexical-bigram: R VP/was PP/of STOP", "PP: VP VBD PP NP was of b",
        "head-words-three: was of b", "between: NN NP | S | VP VBD", "right-branch: off"})
    CHECK(found.contains(name) && found.at(name) == 1);
  CHECK(found.at("right-branch: on") == 5);
  CHECK(found.at("length: NP 1") == 2);
  CHECK(features({"(S (NP (NN a)))"}, ParseSet::full)[0].contains("rule: NP -> NN"));
  CHECK(!features({"(S (NP (NN a)))"}, ParseSet::full)[0].contains("length: NP 1"));
}

void candidates_do_not_disturb_each_other() {
  const Texts trees{"(S (NP (NN a) (NN b)) (VP (VBD c)))", "(S (NP (NN a)) (NP (NN b)) (VBD c))",
                    "()", "(S (NP (NN a) (NN b)) (VP (VBD c)))", "(S (NN a) (NN b) (VBD c))"};
  const auto together = features(trees, ParseSet::rich);
  CHECK(together.size() == trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i)
    CHECK(together[i] == features({trees[i]}, ParseSet::rich)[0]);
}

void what_all_candidates_share_is_not_kept() {
  Symbols symbols;
  const std::vector<std::vector<std::string_view>> lists{
      {"(S (A a) (B b))", "(S (A a) (C b))"}, {"(S (A a) (B b))"}, {}};
  const std::vector<std::int64_t> thresholds{1, 2};
  const auto found = runoff::features::encode_parses(heads(), classes, ParseSet::full, lists,
                                                     thresholds, false, symbols, [] {});
  const auto number = [&](std::string_view name) {
    return found.table.find(runoff::base::fingerprint(name).key);
  };
  const auto has = [&](Symbol id) { return std::ranges::find(found.ids, id) != found.ids.end(); };
  CHECK(found.feature_counts.size() == 3 && found.feature_counts[2] == 0);
  CHECK(!has(number("rule: TOP -> S")) && has(number("rule: S -> A B")));
  CHECK(found.list_counts[2 * number("rule: TOP -> S")] == 2);
  CHECK(found.list_counts[2 * number("rule: TOP -> S") + 1] == 0);
  CHECK(number("rule: S -> B A") == FingerprintTable::none);
}

void broken_trees() {
  using Invalid = std::invalid_argument;
  CHECK_THROWS(features({""}, ParseSet::rich), Invalid, "expected one tree, found 0");
  CHECK_THROWS(features({"(S (NN a)) (S (NN b))"}, ParseSet::rich), Invalid,
               "expected one tree, found 2");
  CHECK_THROWS(features({"(S"}, ParseSet::rich), Invalid,
               "the tree that starts here leaves 1 bracket open");
  CHECK(features({"(TOP (S (NP)))"}, ParseSet::rich)[0].empty());
}

void deep_and_wide() {
  constexpr int size = 10'000;
  std::string deep, left, wide = "(S";
  for (int i = 0; i < size; ++i) {
    deep += "(X (A a) ";
    left += "(X ";
    wide += " (NP (NN a))";
  }
  CHECK(features({deep + "(B b)" + std::string(size, ')')}, ParseSet::rich)[0].at("tags: A A A") ==
        size - 2);
  for (int i = 0; i < size; ++i)
    left += i == 0 ? "(B b) (A a))" : " (A a))";
  CHECK(features({left}, ParseSet::rich)[0].at("length: X 21+") == size - 19);
  CHECK(features({wide + ")"}, ParseSet::rich)[0].at("length: NP 1") == size);
}

void tables_notice_two_names_with_one_key() {
  FingerprintTable table;
  for (std::uint64_t key = 0; key < 10'000; ++key)
    CHECK(table.add({key << 20, 1}) == key);
  CHECK(table.find(77 << 20) == 77 && table.find(77) == FingerprintTable::none);
  CHECK(table.add({77 << 20, 1}) == 77);
  CHECK_THROWS(table.add({77 << 20, 2}), std::runtime_error,
               "two features have the same fingerprint");
  table.clear();
  CHECK(table.size() == 0 && table.find(77 << 20) == FingerprintTable::none);
  CHECK(table.add({5, 1}) == 0);
}

} // namespace

int main() {
  heads_follow_the_table();
  rules_and_words();
  candidates_do_not_disturb_each_other();
  what_all_candidates_share_is_not_kept();
  broken_trees();
  deep_and_wide();
  tables_notice_two_names_with_one_key();
  return check::result();
}
