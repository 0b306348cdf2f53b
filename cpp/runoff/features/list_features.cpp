#include "runoff/features/list_features.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::features {

std::uint32_t ListFeatures::number_of(const base::Fingerprint &one) {
  auto &slot =
      slots_[slots_.place(one.key, [&](const Slot &known) { return known.key == one.key; })];
  if (!slot.is_free()) {
    if (slot.check != one.check)
      throw std::runtime_error("two features have the same fingerprint");
    return slot.number;
  }
  const auto number = static_cast<std::uint32_t>(features_.size());
  slot = {one.key, one.check, number};
  features_.push_back({one, names_.size(), static_cast<std::size_t>(-1), 0, 0, 0});
  names_.insert(names_.end(), tokens_.begin(), tokens_.end());
  if (!slots_.fits(features_.size()))
    slots_.grow([](const Slot &known) { return known.key; });
  return number;
}

void ListFeatures::summarise() {
  for (const auto &entry : entries_) {
    auto &feature = features_[entry.number];
    feature.low = feature.candidates == 0 ? entry.value : std::min(feature.low, entry.value);
    feature.high = std::max(feature.high, entry.value);
    ++feature.candidates;
  }
}

void ListFeatures::finish(std::span<const std::int64_t> thresholds, bool keep_all,
                          EncodedLists &out) {
  summarise();
  numbers_.clear();
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const auto &feature = features_[i];
    const auto number = out.table.add(feature.fingerprint);
    if (number == out.keys.size()) {
      out.keys.push_back(feature.fingerprint.key);
      out.checks.push_back(feature.fingerprint.check);
      const auto end = i + 1 < features_.size() ? features_[i + 1].tokens : names_.size();
      out.tokens.insert(out.tokens.end(),
                        names_.begin() + static_cast<std::ptrdiff_t>(feature.tokens),
                        names_.begin() + static_cast<std::ptrdiff_t>(end));
      out.token_offsets.push_back(static_cast<std::int64_t>(out.tokens.size()));
      out.list_counts.resize(out.list_counts.size() + thresholds.size());
    }
    for (std::size_t k = 0; k < thresholds.size(); ++k)
      out.list_counts[number * thresholds.size() + k] += feature.high >= thresholds[k];
    numbers_.push_back(number);
  }
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const auto end = i + 1 < starts_.size() ? starts_[i + 1] : entries_.size();
    const auto before = out.ids.size();
    for (auto at = starts_[i]; at < end; ++at) {
      const auto &feature = features_[entries_[at].number];
      if (keep_all || feature.candidates < starts_.size() || feature.low != feature.high) {
        out.ids.push_back(numbers_[entries_[at].number]);
        out.values.push_back(entries_[at].value);
      }
    }
    out.feature_counts.push_back(static_cast<std::int64_t>(out.ids.size() - before));
  }
  slots_.clear();
  done_.clear();
  results_.clear();
  log_.clear();
  features_.clear();
  names_.clear();
  entries_.clear();
  starts_.clear();
  first_ = 0;
}

} // namespace runoff::features
