#include "runoff/classification/inference_atoms.hpp"

#include <cstdlib>
#include <stdexcept>

namespace runoff::classification {
namespace {

using decision_trees::Atom;

// Items next to each other, but for some in the middle: on the frontier, or words.
struct Run {
  std::uint32_t begin = 0, end = 0, skip_begin = 0, skip_end = 0;

  std::uint32_t size() const { return end - begin - (skip_end - skip_begin); }
  template <typename Visit> bool any(const Visit &visit) const {
    for (auto place = begin; place < end; ++place)
      if ((place < skip_begin || place >= skip_end) && visit(place))
        return true;
    return false;
  }
};

Run place_if(std::int64_t place, std::size_t end) {
  if (place < 0 || place >= static_cast<std::int64_t>(end))
    return {};
  const auto found = static_cast<std::uint32_t>(place);
  return {found, found + 1};
}

std::uint32_t lowered(std::uint32_t place, std::uint32_t by, std::uint32_t least) {
  return place - std::min(by, place - least);
}

std::uint32_t anchored(const Inference &one, Anchor anchor) {
  const auto [first, size] = one.children;
  return anchor == Anchor::leftmost ? first : anchor == Anchor::head ? one.head : first + size - 1;
}

// The items of a group on the frontier.
Run frontier_run(const Group &group, const TreeCut &cut, const Inference &one) {
  const auto first = one.children.first, end = first + one.children.size, head = one.head;
  const auto all = static_cast<std::uint32_t>(cut.frontier.size());
  const auto n = static_cast<std::uint32_t>(group.n);
  switch (group.kind) {
  case GroupKind::first_children:
    return {first, std::min(first + n, end)};
  case GroupKind::last_children:
    return {lowered(end, n, first), end};
  case GroupKind::left_context:
    return {lowered(first, n, 0), first};
  case GroupKind::right_context:
    return {end, std::min(end + n, all)};
  case GroupKind::left_of_head:
    return {lowered(head, n, first), head};
  case GroupKind::right_of_head:
    return {head + 1, std::min(head + 1 + n, end)};
  case GroupKind::head:
    return {head, head + 1};
  case GroupKind::frontier_item:
    return place_if(std::int64_t{anchored(one, group.anchor)} + group.n, all);
  case GroupKind::all_items:
    return {0, all};
  case GroupKind::left_items:
    return {0, first};
  case GroupKind::right_items:
    return {end, all};
  case GroupKind::non_leftmost:
    return {first + 1, end};
  case GroupKind::non_head:
    return {first, end, head, head + 1};
  case GroupKind::non_rightmost:
    return {first, end - 1};
  case GroupKind::left_with_head:
    return {first, head + 1};
  case GroupKind::left_of_head_all:
    return {first, head};
  case GroupKind::right_with_head:
    return {head, end};
  case GroupKind::right_of_head_all:
    return {head + 1, end};
  case GroupKind::all_children:
    return {first, end};
  case GroupKind::terminal:
  case GroupKind::grandchild:
    break;
  }
  return {};
}

// The words of a group.
Run word_run(const Group &group, const TreeCut &cut, const Inference &one) {
  if (group.kind == GroupKind::terminal) {
    const auto first = one.children.first, last = first + one.children.size - 1;
    const std::int64_t place = group.anchor == Anchor::leftmost ? cut.at(first).start
                               : group.anchor == Anchor::head   ? cut.at(one.head).head_at
                                                                : cut.at(last).end - 1;
    return place_if(place + group.n, cut.words);
  }
  const Run items = frontier_run(group, cut, one);
  if (items.begin == items.end)
    return {};
  Run words{cut.at(items.begin).start, cut.at(items.end - 1).end};
  if (items.skip_begin < items.skip_end) {
    words.skip_begin = cut.at(items.skip_begin).start;
    words.skip_end = cut.at(items.skip_end - 1).end;
  }
  return words;
}

// How many items or words are in a group.
std::uint32_t length(const Group &group, const TreeCut &cut, const Inference &one) {
  return (group.terminals ? word_run(group, cut, one) : frontier_run(group, cut, one)).size();
}

ItemId child(const Item &item, Anchor anchor) {
  return anchor == Anchor::leftmost ? item.left : anchor == Anchor::head ? item.head : item.right;
}

// Calls visit(item) for the items of a group until it is true of one.
template <typename Visit>
bool any_item(const Group &group, const TreeCut &cut, const Inference &one, const Visit &visit) {
  if (group.asks_words())
    return word_run(group, cut, one).any([&](std::uint32_t n) { return visit(cut.items[n]); });
  if (group.kind == GroupKind::grandchild) {
    const auto found = child(cut.at(anchored(one, group.anchor)), static_cast<Anchor>(group.n));
    return found != no_item && visit(cut.items[found]);
  }
  return frontier_run(group, cut, one).any([&](std::uint32_t n) { return visit(cut.at(n)); });
}

} // namespace

InferenceAtoms::InferenceAtoms(const ItemLabels &labels, std::vector<Group> groups,
                               std::uint32_t shapes)
    : labels_(labels), groups_(std::move(groups)), shapes_(shapes) {
  for (std::uint32_t n = 0; n < groups_.size(); ++n) {
    const auto &[kind, anchor, number, terminals] = groups_[n];
    if (kind > GroupKind::all_children || anchor > Anchor::rightmost ||
        (kind == GroupKind::grandchild && (number < 0 || number > 2)) ||
        (kind < GroupKind::frontier_item && number < 0) ||
        (terminals && kind < GroupKind::all_items))
      throw std::invalid_argument("there is no such group of items");
    if (groups_[n].has_length())
      with_length_.push_back(n);
    if (kind == GroupKind::all_children || (kind == GroupKind::terminal && number == 0))
      continue; // what is below the children
    if (kind >= GroupKind::terminal && kind != GroupKind::grandchild)
      reach_.reset();
    else if (reach_ && kind < GroupKind::grandchild)
      reach_ = std::max(*reach_, static_cast<std::uint32_t>(std::abs(number)));
  }
  const std::size_t stride = labels.labels + labels.words + labels.tags + labels.classes + shapes;
  size_ = groups_.size() * stride + with_length_.size() * 2 * lengths;
  if (groups_.empty() || size_ >= std::numeric_limits<Atom>::max() / 2)
    throw std::invalid_argument("there are too many words or labels, or no groups");
  stride_ = static_cast<std::uint32_t>(stride);
  first_length_ = static_cast<std::uint32_t>(groups_.size()) * stride_;
}

bool InferenceAtoms::test(const TreeCut &cut, const Inference &one, Atom atom) const {
  if (atom >= first_length_) {
    const auto number = (atom - first_length_) / (2 * lengths);
    const auto n = (atom - first_length_) % (2 * lengths);
    const auto size = length(groups_[with_length_[number]], cut, one);
    return n < lengths ? size == n : size > n - lengths;
  }
  const auto &group = groups_[atom / stride_];
  auto value = atom % stride_;
  if (value < labels_.labels)
    return !group.asks_words() &&
           any_item(group, cut, one, [&](const Item &item) { return item.label == value; });
  value -= static_cast<std::uint32_t>(labels_.labels);
  if (value < labels_.words)
    return any_item(group, cut, one,
                    [&](const Item &item) { return number_of(item.head_word) == value; });
  value -= static_cast<std::uint32_t>(labels_.words);
  if (value < labels_.tags)
    return any_item(group, cut, one, [&](const Item &item) { return item.head_tag == value; });
  value -= static_cast<std::uint32_t>(labels_.tags);
  if (value < labels_.classes)
    return any_item(group, cut, one, [&](const Item &item) {
      return item.head_tag != unknown_tag && labels_.class_of_tag[item.head_tag] == value;
    });
  value -= static_cast<std::uint32_t>(labels_.classes);
  return any_item(group, cut, one,
                  [&](const Item &item) { return shape_of(item.head_word) == value; });
}

void InferenceAtoms::extract(const TreeCut &cut, const Inference &one,
                             std::vector<Atom> &atoms) const {
  atoms.clear();
  const auto labels = static_cast<Atom>(labels_.labels), words = static_cast<Atom>(labels_.words),
             tags = static_cast<Atom>(labels_.tags), classes = static_cast<Atom>(labels_.classes);
  for (std::size_t number = 0; number < groups_.size(); ++number) {
    const auto &group = groups_[number];
    const auto base = static_cast<Atom>(number) * stride_;
    const auto begin = static_cast<std::ptrdiff_t>(atoms.size());
    std::size_t items = 0;
    any_item(group, cut, one, [&](const Item &item) {
      if (!group.asks_words() && item.label != unknown_tag)
        atoms.push_back(base + item.label);
      if (number_of(item.head_word) != no_number)
        atoms.push_back(base + labels + number_of(item.head_word));
      if (item.head_tag != unknown_tag) {
        atoms.push_back(base + labels + words + item.head_tag);
        if (const auto kind = labels_.class_of_tag[item.head_tag]; kind != no_class)
          atoms.push_back(base + labels + words + tags + kind);
      }
      if (const auto shape = shape_of(item.head_word); shape < shapes_)
        atoms.push_back(base + labels + words + tags + classes + shape);
      ++items;
      return false;
    });
    if (items > 1) {
      std::sort(atoms.begin() + begin, atoms.end());
      atoms.erase(std::unique(atoms.begin() + begin, atoms.end()), atoms.end());
    }
  }
  for (std::size_t number = 0; number < with_length_.size(); ++number) {
    const auto size = length(groups_[with_length_[number]], cut, one);
    const auto base = first_length_ + static_cast<Atom>(number) * 2 * lengths;
    if (size < lengths)
      atoms.push_back(base + size);
    for (std::uint32_t n = 0; n < std::min(size, lengths); ++n)
      atoms.push_back(base + lengths + n);
  }
}

} // namespace runoff::classification
