#include "runoff/classification/inferences.hpp"

#include <stdexcept>

namespace runoff::classification {
namespace {

base::Symbols numbered(const std::vector<std::string> &names) {
  base::Symbols symbols;
  for (const auto &name : names)
    symbols(name);
  if (symbols.size() != names.size())
    throw std::invalid_argument("a label is there twice");
  return symbols;
}

} // namespace

ItemLabels::ItemLabels(const std::vector<std::string> &names, std::size_t tag_count,
                       std::size_t word_count, std::uint16_t top_label,
                       std::vector<std::uint16_t> tag_classes, std::size_t class_count,
                       const trees::HeadTable &table)
    : labels(names.size()), tags(tag_count), words(word_count), classes(class_count),
      top(top_label), class_of_tag(std::move(tag_classes)), symbols_(numbered(names)),
      rules_(table, symbols_) {
  if (labels >= unknown_tag || tags >= labels || top < tags || top >= labels)
    throw std::invalid_argument("the labels are not tags and phrases with a top among them");
  if (class_of_tag.size() != tags)
    throw std::invalid_argument("there must be a class for every tag");
  for (const auto one : class_of_tag)
    if (one >= classes && one != no_class)
      throw std::invalid_argument("a class of a tag is out of range");
}

bool TreeCut::allows(const ItemLabels &labels, Candidate one, std::uint16_t label) const {
  if (label == labels.top)
    return one.size == frontier.size() && at(0).label != labels.top;
  if (one.size > 1)
    return true;
  const Item *item = &at(one.first);
  while (item->label != label && item->is_unary())
    item = &items[item->left];
  return item->label != label;
}

std::size_t TreeCut::choices(const ItemLabels &labels, Candidate one) const {
  std::size_t count = labels.phrases() - (one.size < frontier.size());
  if (one.size == 1) // labels of a chain differ
    for (const Item *item = &at(one.first); !item->is_word(); item = &items[item->left]) {
      --count;
      if (!item->is_unary())
        break;
    }
  return count;
}

std::uint32_t TreeCut::head(const ItemLabels &labels, Candidate one, std::uint16_t label) const {
  if (one.size == 1)
    return one.first;
  std::array<base::Symbol, most_children> few;
  std::vector<base::Symbol> many(one.size > few.size() ? one.size : 0); // of a tree to learn from
  const auto below = many.empty() ? std::span(few).first(one.size) : std::span(many);
  for (std::size_t n = 0; n < one.size; ++n)
    below[n] = at(one.first + n).label;
  const auto place = labels.head(label, below);
  return one.first + static_cast<std::uint32_t>(place);
}

Item TreeCut::infer(const ItemLabels &labels, Candidate one, std::uint16_t label) const {
  const auto place = head(labels, one, label);
  const Item &first = at(one.first), &last = at(one.first + one.size - 1), &child = at(place);
  return {child.head_word,     label,           child.head_tag,
          first.start,         last.end,        child.head_at,
          frontier[one.first], frontier[place], frontier[one.first + one.size - 1]};
}

} // namespace runoff::classification
