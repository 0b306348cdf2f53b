#include "parse_templates.hpp"

namespace runoff {

ParseFeatures::ParseFeatures(const HeadTable &heads, const ClosedClasses &classes, bool rich,
                             Symbols &symbols)
    : symbols_(symbols), maker_(heads, classes, symbols), rich_(rich),
      fixed_(std::make_unique<FixedTokens>(symbols)) {}

ParseFeatures::~ParseFeatures() = default;

void ParseFeatures::extract(std::string_view brackets, ListFeatures &out) {
  maker_.read(brackets, tree_);
  out.next_candidate();
  collins_koo_templates(tree_, maker_.rules(), *fixed_, out);
  if (rich_ && !tree_.nodes.empty())
    rich_templates(tree_, maker_.rules(), *fixed_, out);
}

EncodedLists encode_parses(const HeadTable &heads, const ClosedClasses &classes, bool rich,
                           std::span<const std::vector<std::string_view>> lists,
                           std::span<const std::int64_t> thresholds, bool keep_all,
                           Symbols &symbols, const std::function<void()> &poll) {
  ParseFeatures features(heads, classes, rich, symbols);
  ListFeatures list(symbols);
  EncodedLists out;
  for (const auto &candidates : lists) {
    poll();
    for (const auto brackets : candidates)
      features.extract(brackets, list);
    list.finish(thresholds, keep_all, out);
  }
  return out;
}

} // namespace runoff
