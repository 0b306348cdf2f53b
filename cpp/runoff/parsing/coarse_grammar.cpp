#include "runoff/parsing/coarse_grammar.hpp"

#include "runoff/base/at.hpp"

namespace runoff::parsing {

CoarseGrammar::CoarseGrammar(const HeadModel &model) : labels_(model.labels()) {
  const auto n = base::at(labels_.count);
  numbers_.assign(n * n, -1);
  by_head_.resize(n);
  top_.assign(n, 0.0F);
  for (const auto &[parent, head] : model.seen().heads) {
    const auto probability = static_cast<float>(model.head0(parent, head));
    if (parent == labels_.top) {
      top_[base::at(head)] = probability;
      continue;
    }
    numbers_[labels_.pair(parent, head)] = static_cast<std::int32_t>(pairs_.size());
    by_head_[base::at(head)].push_back(static_cast<std::uint32_t>(pairs_.size()));
    Pair pair{parent, head, probability, {}};
    for (const Side side : SIDES)
      for (const bool first : {true, false})
        pair.stops[static_cast<int>(side)][!first] =
            static_cast<float>(model.label0(side, parent, head, first, labels_.stop()));
    pairs_.push_back(pair);
  }
  for (auto &modified : modified_)
    modified.resize(n);
  for (auto &slots : slots_)
    slots.assign(pairs_.size() * n, 0);
  for (auto &taken : taken_)
    taken.assign(pairs_.size(), 0);
  for (const auto &[side_number, parent, head, modifier] : model.seen().modifiers) {
    const auto side = static_cast<Side>(side_number);
    const auto pair = numbers_[labels_.pair(parent, head)];
    if (pair < 0)
      continue;
    modified_[side_number][base::at(modifier)].push_back(
        {static_cast<std::uint32_t>(pair),
         static_cast<float>(model.label0(side, parent, head, true, modifier)),
         static_cast<float>(model.label0(side, parent, head, false, modifier))});
    auto &slot = slots_[side_number][base::at(pair) * n + base::at(modifier)];
    if (slot == 0)
      slot = ++taken_[side_number][base::at(pair)];
  }
}

} // namespace runoff::parsing
