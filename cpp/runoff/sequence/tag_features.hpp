// What a tagger looks at: combinations of forms of words and of the tags before them.
// A form is a number that stands for a string: the word itself, its suffix, its shape.
#pragma once

#include "runoff/base/hash_index.hpp"
#include "runoff/base/threads.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace runoff::sequence {

using Tag = std::uint16_t;

// Part of a template: the form of the word `place` words away, or the tag there.
struct Atom {
  static constexpr std::int32_t unused = -2, tag = -1;
  std::int32_t place = 0, form = unused;
};

// A template and what it found; 0 where it has fewer than three atoms.
struct FeatureKey {
  std::uint32_t pattern = 0;
  std::array<std::uint32_t, 3> values{};

  auto operator<=>(const FeatureKey &) const = default;
};

// Four numbers per key.
std::vector<std::uint32_t> flat(std::span<const FeatureKey> keys);

// Sentences laid end to end: sentence i has the words [offsets[i], offsets[i + 1]), and each is a
// row of `forms`. Form 0 stands for nothing known; row 0 is what lies outside sentences.
struct TagCorpus {
  std::span<const std::uint32_t> forms; // rows * n_forms
  std::size_t n_forms;
  std::span<const std::uint32_t> sets; // rows: the set of tags that the word may have
  std::span<const std::uint32_t> words;
  std::span<const std::int64_t> offsets; // sentences + 1

  std::size_t sentences() const { return offsets.size() - 1; }

  // Throws std::invalid_argument unless the arrays fit together.
  void check(std::size_t n_sets) const;
};

// A sentence of a corpus.
class TagSentence {
public:
  TagSentence(const TagCorpus &corpus, std::size_t sentence)
      : corpus_(corpus),
        words_(corpus.words.subspan(
            static_cast<std::size_t>(corpus.offsets[sentence]),
            static_cast<std::size_t>(corpus.offsets[sentence + 1] - corpus.offsets[sentence]))) {}

  std::size_t size() const { return words_.size(); }
  std::uint32_t set(std::size_t at) const { return corpus_.sets[words_[at]]; }
  std::uint32_t form(std::int64_t at, std::int32_t form) const {
    const bool outside = at < 0 || static_cast<std::size_t>(at) >= words_.size();
    const std::size_t row = outside ? 0 : words_[static_cast<std::size_t>(at)];
    return corpus_.forms[row * corpus_.n_forms + static_cast<std::size_t>(form)];
  }

private:
  const TagCorpus &corpus_;
  std::span<const std::uint32_t> words_;
};

// The tags of the words one and two before.
struct TagHistory {
  Tag one, two;
};

// Templates, grouped by how far back the tags are that they look at.
class TagTemplates {
public:
  // `atoms` has six numbers per template: place and form of each of its three atoms.
  TagTemplates(std::span<const std::int32_t> atoms, std::size_t n_forms);

  std::size_t size() const { return templates_.size(); }
  std::size_t n_forms() const { return n_forms_; }
  // Numbers of the templates that look at no tag, at the tag before, at the one before that.
  const std::vector<std::uint32_t> &looking_back(std::size_t words) const { return groups_[words]; }

  // Whether a template finds something, and what.
  bool find(std::uint32_t pattern, const TagSentence &sentence, std::size_t at, TagHistory history,
            FeatureKey &key) const {
    key.pattern = pattern;
    for (std::size_t i = 0; i < 3; ++i) {
      const Atom atom = templates_[pattern][i];
      if (atom.form == Atom::unused) {
        key.values[i] = 0;
        continue;
      }
      key.values[i] = atom.form == Atom::tag
                          ? (atom.place == -1 ? history.one : history.two) + 1u
                          : sentence.form(static_cast<std::int64_t>(at) + atom.place, atom.form);
      if (key.values[i] == 0)
        return false;
    }
    return true;
  }

private:
  std::vector<std::array<Atom, 3>> templates_;
  std::array<std::vector<std::uint32_t>, 3> groups_;
  std::size_t n_forms_;
};

// Sets of tags: what words may be.
class TagSets {
public:
  // Throws std::invalid_argument unless every set has a tag, and its tags rise below n_tags.
  TagSets(std::span<const std::int64_t> offsets, std::span<const Tag> tags, std::size_t n_tags);

  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t n_tags() const { return n_tags_; }
  std::span<const Tag> operator[](std::size_t set) const {
    return {tags_.data() + offsets_[set], tags_.data() + offsets_[set + 1]};
  }

private:
  std::vector<std::int64_t> offsets_;
  std::vector<Tag> tags_;
  std::size_t n_tags_;
};

// Numbers of features by their keys.
class FeatureTable {
public:
  static constexpr std::uint32_t none = base::NumberSlot::none;

  // The feature's number, or `none`.
  std::uint32_t find(const FeatureKey &key) const;
  // Appends the numbers of those that are there, in their order; faster than one by one, since
  // memory is fetched for all of them at once.
  void find(std::span<const FeatureKey> keys, std::vector<std::uint32_t> &found) const;
  // The feature's number; a new one gets the next.
  std::uint32_t insert(const FeatureKey &key);
  const std::vector<FeatureKey> &keys() const { return keys_; }

private:
  struct Slot {
    std::uint32_t check = 0, number = none; // the check: half of the hash

    bool is_free() const { return number == none; }
  };
  std::size_t place(const FeatureKey &key, std::uint64_t hash) const;

  base::HashIndex<Slot> slots_;
  std::vector<FeatureKey> keys_;
};

// The features of one place after another: gathered, then those that are too rare left out. They
// are numbered as they are met, so that what belongs to rare ones is read in one go.
class GatheredFeatures {
public:
  // Begins the next place, and adds features to it.
  void open() { offsets_.push_back(features_.size()); }
  void add(const FeatureKey &key);
  // To be called once, when all places have their features.
  void finish(std::size_t min_count);

  std::size_t places() const { return offsets_.size(); }
  const std::vector<FeatureKey> &keys() const { return keys_; }
  std::span<const std::uint32_t> operator[](std::size_t place) const {
    const std::size_t last = place + 1 < offsets_.size() ? offsets_[place + 1] : features_.size();
    return std::span(features_).subspan(offsets_[place], last - offsets_[place]);
  }

private:
  FeatureTable table_;
  std::vector<std::uint32_t> counts_, features_;
  std::vector<std::size_t> offsets_;
  std::vector<FeatureKey> keys_;
};

} // namespace runoff::sequence
