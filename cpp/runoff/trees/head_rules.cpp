#include "runoff/trees/head_rules.hpp"

#include <algorithm>

namespace runoff::trees {
namespace {

constexpr auto nowhere = static_cast<std::size_t>(-1);

template <typename Wanted>
std::size_t first(std::span<const base::Symbol> children, bool from_left, Wanted wanted) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::size_t place = from_left ? i : children.size() - 1 - i;
    if (wanted(children[place]))
      return place;
  }
  return nowhere;
}

} // namespace

HeadRules::HeadRules(const HeadTable &table, base::Symbols &symbols) : possessive_(symbols("POS")) {
  for (const auto &[label, scans] : table.rules) {
    const base::Symbol symbol = symbols(label);
    if (symbol >= rules_.size())
      rules_.resize(symbol + 1);
    for (const auto &scan : scans) {
      rules_[symbol].push_back({scan.from_left, scan.in_order, {}});
      for (const auto &wanted : scan.labels)
        rules_[symbol].back().labels.push_back(symbols(wanted));
    }
  }
  for (const auto &label : table.noun_phrases)
    mark(symbols(label), noun_phrase);
  for (const auto &label : table.punctuation)
    mark(symbols(label), punctuation);
  mark(symbols("CC"), conjunction);
  mark(symbols("CONJP"), conjunction);
}

void HeadRules::mark(base::Symbol label, Kind kind) {
  if (label >= kinds_.size())
    kinds_.resize(label + 1);
  kinds_[label] = static_cast<unsigned char>(kinds_[label] | kind);
}

std::size_t HeadRules::head(base::Symbol label, std::span<const base::Symbol> children) const {
  const std::size_t found = by_rules(label, children);
  // of X CC X the first is the head, though the rule chose the second
  const bool follows = found >= 2 && is_conjunction(children[found - 1]);
  return follows && !is_punctuation(children[found - 2]) ? found - 2 : found;
}

std::size_t HeadRules::by_rules(base::Symbol label, std::span<const base::Symbol> children) const {
  if (is_noun_phrase(label) && children.back() == possessive_)
    return children.size() - 1;
  if (label < rules_.size())
    for (const auto &scan : rules_[label]) {
      std::size_t found = nowhere;
      if (scan.in_order) {
        for (std::size_t i = 0; i < scan.labels.size() && found == nowhere; ++i)
          found =
              first(children, scan.from_left, [&](base::Symbol c) { return c == scan.labels[i]; });
      } else {
        found = first(children, scan.from_left, [&](base::Symbol c) {
          return std::ranges::find(scan.labels, c) != scan.labels.end();
        });
      }
      if (found != nowhere)
        return found;
    }
  if (is_noun_phrase(label))
    return children.size() - 1;
  const auto found = first(children, true, [&](base::Symbol c) { return !is_punctuation(c); });
  return found == nowhere ? 0 : found;
}

} // namespace runoff::trees
