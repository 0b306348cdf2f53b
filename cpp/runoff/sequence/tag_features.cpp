#include "runoff/sequence/tag_features.hpp"

#include "runoff/base/offsets.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::sequence {
namespace {

void require(bool condition, const char *message) {
  if (!condition)
    throw std::invalid_argument(message);
}

std::uint64_t hash_of(const FeatureKey &key) {
  const auto wide = [](std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
  };
  std::uint64_t hash = wide(key.values[0], key.pattern) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
  hash += wide(key.values[2], key.values[1]);
  hash *= 0xbf58476d1ce4e5b9u;
  hash ^= hash >> 32;
  hash *= 0x94d049bb133111ebu;
  return hash ^ hash >> 31;
}

} // namespace

std::vector<std::uint32_t> flat(std::span<const FeatureKey> keys) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(4 * keys.size());
  for (const auto &key : keys)
    numbers.insert(numbers.end(), {key.pattern, key.values[0], key.values[1], key.values[2]});
  return numbers;
}

void TagCorpus::check(std::size_t n_sets) const {
  require(n_forms > 0 && !sets.empty() && forms.size() == sets.size() * n_forms,
          "forms must have as many rows as sets, and row 0");
  base::check_offsets(offsets, words.size(), "offsets");
  require(std::ranges::all_of(words, [&](auto word) { return word < sets.size(); }),
          "a word is not a row of forms");
  require(std::ranges::all_of(sets, [&](auto set) { return set < n_sets; }),
          "a word has a set of tags that is not there");
}

TagTemplates::TagTemplates(std::span<const std::int32_t> atoms, std::size_t n_forms)
    : templates_(atoms.size() / 6), n_forms_(n_forms) {
  require(atoms.size() % 6 == 0, "a template has six numbers");
  for (std::size_t i = 0; i < templates_.size(); ++i) {
    std::int32_t back = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const Atom atom{atoms[6 * i + 2 * j], atoms[6 * i + 2 * j + 1]};
      const bool is_tag = atom.form == Atom::tag;
      require(atom.form >= Atom::unused && atom.form < static_cast<std::int32_t>(n_forms),
              "a template names a form that is not there");
      require(is_tag ? atom.place == -1 || atom.place == -2 : atom.place > -100 && atom.place < 100,
              "a template looks too far away");
      back = std::max(back, is_tag ? -atom.place : 0);
      templates_[i][j] = atom;
    }
    groups_[static_cast<std::size_t>(back)].push_back(static_cast<std::uint32_t>(i));
  }
}

TagSets::TagSets(std::span<const std::int64_t> offsets, std::span<const Tag> tags,
                 std::size_t n_tags)
    : offsets_(offsets.begin(), offsets.end()), tags_(tags.begin(), tags.end()), n_tags_(n_tags) {
  require(n_tags > 0 && n_tags < std::numeric_limits<Tag>::max(), "too many tags, or none");
  base::check_offsets(offsets, tags.size(), "set offsets");
  for (std::size_t i = 0; i < size(); ++i) {
    const auto set = (*this)[i];
    require(!set.empty() && set.back() < n_tags &&
                std::ranges::adjacent_find(set, std::greater_equal()) == set.end(),
            "a set of tags is empty, or its tags do not rise");
  }
}

std::size_t FeatureTable::place(const FeatureKey &key, std::uint64_t hash) const {
  const auto check = static_cast<std::uint32_t>(hash >> 32);
  return slots_.place(
      hash, [&](const Slot &slot) { return slot.check == check && keys_[slot.number] == key; });
}

std::uint32_t FeatureTable::find(const FeatureKey &key) const {
  return slots_[place(key, hash_of(key))].number;
}

void FeatureTable::find(std::span<const FeatureKey> keys, std::vector<std::uint32_t> &found) const {
  constexpr std::size_t together = 64;
  struct Sought {
    std::uint64_t hash;
    std::uint32_t number;
  };
  std::array<Sought, together> sought;
  for (; !keys.empty(); keys = keys.subspan(std::min(together, keys.size()))) {
    const auto own = keys.first(std::min(together, keys.size()));
    for (std::size_t i = 0; i < own.size(); ++i) {
      sought[i].hash = hash_of(own[i]);
      __builtin_prefetch(&slots_.first(sought[i].hash));
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto &slot = slots_.first(sought[i].hash);
      sought[i].number = slot.number;
      if (slot.number != none)
        __builtin_prefetch(&keys_[slot.number]);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto at =
          sought[i].number == none ? none : slots_[place(own[i], sought[i].hash)].number;
      if (at != none)
        found.push_back(at);
    }
  }
}

std::uint32_t FeatureTable::insert(const FeatureKey &key) {
  const std::uint64_t hash = hash_of(key);
  std::size_t at = place(key, hash);
  if (!slots_[at].is_free())
    return slots_[at].number;
  if (!slots_.fits(keys_.size() + 1)) {
    slots_.grow([this](const Slot &slot) { return hash_of(keys_[slot.number]); });
    at = place(key, hash);
  }
  const auto number = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  slots_[at] = {static_cast<std::uint32_t>(hash >> 32), number};
  return number;
}

void GatheredFeatures::add(const FeatureKey &key) {
  const auto number = table_.insert(key);
  if (number == counts_.size())
    counts_.push_back(0);
  ++counts_[number];
  features_.push_back(number);
}

void GatheredFeatures::finish(std::size_t min_count) {
  std::vector<std::uint32_t> renumbered(counts_.size(), FeatureTable::none);
  for (std::uint32_t number = 0; number < counts_.size(); ++number)
    if (counts_[number] >= min_count) {
      renumbered[number] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(table_.keys()[number]);
    }
  std::size_t end = 0;
  for (std::size_t place = 0; place < offsets_.size(); ++place) {
    const auto own = (*this)[place];
    offsets_[place] = end; // what was read lies behind it
    for (const auto number : own)
      if (renumbered[number] != FeatureTable::none)
        features_[end++] = renumbered[number];
  }
  features_.resize(end);
  features_.shrink_to_fit();
  table_ = FeatureTable();
}

} // namespace runoff::sequence
