#include "runoff/features/list_features.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::features {

std::uint32_t ListFeatures::number_of(const base::Fingerprint &one) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = one.key & mask;
  for (; slots_[place].number != base::FingerprintTable::none; place = (place + 1) & mask)
    if (slots_[place].key == one.key) {
      if (slots_[place].check != one.check)
        throw std::runtime_error("two features have the same fingerprint");
      return slots_[place].number;
    }
  const auto number = static_cast<std::uint32_t>(features_.size());
  slots_[place] = {one.key, one.check, number};
  features_.push_back({one, names_.size(), static_cast<std::size_t>(-1), 0, 0, 0});
  names_.insert(names_.end(), tokens_.begin(), tokens_.end());
  if (2 * features_.size() > slots_.size())
    grow();
  return number;
}

void ListFeatures::grow() {
  std::vector<Slot> bigger(2 * slots_.size());
  const std::size_t mask = bigger.size() - 1;
  for (const auto &slot : slots_)
    if (slot.number != base::FingerprintTable::none) {
      std::size_t place = slot.key & mask;
      while (bigger[place].number != base::FingerprintTable::none)
        place = (place + 1) & mask;
      bigger[place] = slot;
    }
  slots_ = std::move(bigger);
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
  std::ranges::fill(slots_, Slot{});
  done_.clear();
  results_.clear();
  log_.clear();
  features_.clear();
  names_.clear();
  entries_.clear();
  starts_.clear();
}

} // namespace runoff::features
