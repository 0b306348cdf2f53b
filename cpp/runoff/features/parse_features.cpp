#include "runoff/features/parse_templates.hpp"

#include <algorithm>

namespace runoff::features {
namespace {

std::uint64_t both(base::Symbol a, base::Symbol b) { return (std::uint64_t{a} << 32) | b; }

} // namespace

void Signatures::find(const trees::ParseTree &tree, base::Symbol pp) {
  local.assign(tree.nodes.size(), {});
  rule.assign(tree.nodes.size(), {});
  for (std::size_t i = tree.nodes.size(); i-- > 0;) { // children before parents
    const auto &node = tree.nodes[i];
    auto rules = base::Fold{}.then(both(node.label, node.augmented));
    auto all = rules;
    for (const auto child : tree.children_of(node)) {
      const auto &one = tree[child];
      rules = rules.then(both(one.label, one.augmented)).then(child == node.head);
      all = all.then(both(one.label, one.augmented));
      all = all.then(both(child == node.head, 2u * (child == node.content) + (one.n_children > 0)));
      all = all.then(both(tree.word(one.head_word), tree.tag(one.head_word)));
      all = all.then(both(tree.word(one.content_word), tree.tag(one.content_word)));
      all = all.then(static_cast<std::uint64_t>(one.head_word - node.head_word));
      if (one.label == pp && one.n_children > 0)
        all = all.then(local[static_cast<std::size_t>(child)]);
    }
    rule[i] = rules;
    local[i] = all;
  }
}

ParseFeatures::ParseFeatures(const trees::HeadTable &heads, const trees::ClosedClasses &classes,
                             ParseSet set, base::Symbols &symbols)
    : symbols_(symbols), maker_(heads, classes, symbols), set_(set),
      fixed_(std::make_unique<FixedTokens>(symbols)), signatures_(std::make_unique<Signatures>()) {}

ParseFeatures::~ParseFeatures() = default;

void ParseFeatures::extract(std::string_view brackets, ListFeatures &out) {
  maker_.read(brackets, tree_);
  out.next_candidate();
  signatures_->find(tree_, fixed_->pp);
  write(TemplateInput::all_words, out);
}

std::int32_t ParseFeatures::extract_pieces(std::string_view brackets, ListFeatures &out) {
  maker_.read(brackets, tree_);
  out.next_candidate();
  signatures_->find(tree_, fixed_->pp);
  if (tree_.length() == 0)
    write(TemplateInput::all_words, out);
  for (std::int32_t word = 0; word < tree_.length(); ++word) {
    if (word > 0)
      out.next_piece();
    write(word, out);
  }
  return std::max(tree_.length(), 1);
}

void ParseFeatures::write(std::int32_t word, ListFeatures &out) {
  const TemplateInput input{tree_, maker_.rules(), *signatures_, *fixed_, word};
  collins_koo_templates(input, set_ == ParseSet::small, out);
  if (set_ == ParseSet::rich && !tree_.nodes.empty())
    rich_templates(input, out);
}

EncodedLists encode_parses(const trees::HeadTable &heads, const trees::ClosedClasses &classes,
                           ParseSet set, std::span<const std::vector<std::string_view>> lists,
                           std::span<const std::int64_t> thresholds, bool keep_all,
                           base::Symbols &symbols, const base::Poll &poll) {
  ParseFeatures features(heads, classes, set, symbols);
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

EncodedLists encode_parse_pieces(const trees::HeadTable &heads, const trees::ClosedClasses &classes,
                                 ParseSet set, std::span<const std::string_view> trees,
                                 base::Symbols &symbols, std::vector<std::int64_t> &pieces) {
  ParseFeatures features(heads, classes, set, symbols);
  ListFeatures list(symbols);
  EncodedLists out;
  for (const auto brackets : trees)
    pieces.push_back(features.extract_pieces(brackets, list));
  list.finish({}, true, out);
  return out;
}

} // namespace runoff::features
