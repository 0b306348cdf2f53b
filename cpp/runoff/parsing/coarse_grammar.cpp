#include "runoff/parsing/coarse_grammar.hpp"

namespace runoff::parsing {

CoarseGrammar::CoarseGrammar(const HeadModel &model) : labels_(model.labels()) {
  const auto n = static_cast<std::size_t>(labels_.count);
  numbers_.assign(n * n, -1);
  by_head_.resize(n);
  top_.assign(n, 0.0F);
  for (const auto &[parent, head] : model.seen().heads) {
    const auto probability = static_cast<float>(model.head0(parent, head));
    if (parent == labels_.top) {
      top_[static_cast<std::size_t>(head)] = probability;
      continue;
    }
    numbers_[labels_.pair(parent, head)] = static_cast<std::int32_t>(pairs_.size());
    by_head_[static_cast<std::size_t>(head)].push_back(static_cast<std::uint32_t>(pairs_.size()));
    Pair pair{parent, head, probability, {}};
    for (const Side side : SIDES)
      for (const bool first : {true, false})
        pair.stops[static_cast<int>(side)][!first] =
            static_cast<float>(model.label0(side, parent, head, first, labels_.stop()));
    pairs_.push_back(pair);
  }
  for (auto &modified : modified_)
    modified.resize(n);
  for (auto &takes : takes_)
    takes.assign(pairs_.size() * n, 0);
  for (const auto &[side_number, parent, head, modifier] : model.seen().modifiers) {
    const auto side = static_cast<Side>(side_number);
    const auto pair = numbers_[labels_.pair(parent, head)];
    if (pair < 0)
      continue;
    modified_[side_number][static_cast<std::size_t>(modifier)].push_back(
        {static_cast<std::uint32_t>(pair),
         static_cast<float>(model.label0(side, parent, head, true, modifier)),
         static_cast<float>(model.label0(side, parent, head, false, modifier))});
    takes_[side_number][static_cast<std::size_t>(pair) * n + static_cast<std::size_t>(modifier)] =
        1;
  }
}

} // namespace runoff::parsing
