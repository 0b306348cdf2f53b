// Parsing by classification (Turian and Melamed, 2006, "Advances in discriminative parsing"):
// items, states, and the inferences that a state allows.
#pragma once

#include "runoff/trees/head_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace runoff::classification {

using ItemId = std::uint32_t;
constexpr ItemId no_item = std::numeric_limits<ItemId>::max();
constexpr std::uint32_t unknown_word = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t unknown_tag = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint16_t no_class = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t most_children = 64;

// A word as items know it: its number, and its shape in the highest 8 bits.
constexpr std::uint32_t no_number = 0xffffff;
constexpr std::uint32_t number_of(std::uint32_t word) { return word & no_number; }
constexpr std::uint32_t shape_of(std::uint32_t word) { return word >> 24; }
constexpr std::size_t most_words = 1 << 12;

// A label over words, with what atoms ask of it. Its children are known by their two ends and the
// head; a word has none.
struct Item {
  std::uint32_t head_word;
  std::uint16_t label, head_tag;
  std::uint16_t start, end, head_at; // words; where the head word is
  ItemId left = no_item, head = no_item, right = no_item;

  bool is_word() const { return left == no_item; }
  bool is_unary() const { return left == right && left != no_item; }
};

// The labels of items, tags before phrases, and what is known of them.
struct ItemLabels {
  // Throws std::invalid_argument unless there are tags and phrases, the top is a phrase, and each
  // tag has a class below `classes` or none.
  ItemLabels(const std::vector<std::string> &names, std::size_t tags, std::size_t words,
             std::uint16_t top, std::vector<std::uint16_t> class_of_tag, std::size_t classes,
             const trees::HeadTable &table);

  std::size_t phrases() const { return labels - tags; }
  // The place of the head among the labels of an item's children.
  std::size_t head(std::uint16_t label, std::span<const base::Symbol> children) const {
    return rules_.head(label, children);
  }

  std::size_t labels, tags, words, classes;
  std::uint16_t top;
  std::vector<std::uint16_t> class_of_tag;

private:
  base::Symbols symbols_; // a label's symbol is its number
  trees::HeadRules rules_;
};

enum class Strategy : std::uint8_t { right_to_left, left_to_right, bottom_up };

// Some neighbours on the frontier that an item may be put above.
struct Candidate {
  std::uint32_t first, size;
};

// The order in which items may be inferred, and how many children they may have. Strictly right to
// left, an item lies to the left of the one before it or contains that; left to right is the mirror
// image. So every tree is built in exactly one order.
struct Strategies {
  Strategy strategy;
  std::uint32_t max_children;

  // Where the item before the first one would be.
  std::uint32_t first_place(std::size_t frontier) const {
    return strategy == Strategy::right_to_left ? static_cast<std::uint32_t>(frontier - 1) : 0;
  }
  bool allows(Candidate one, std::uint32_t last) const {
    return strategy == Strategy::right_to_left   ? one.first <= last
           : strategy == Strategy::left_to_right ? one.first + one.size > last
                                                 : true;
  }
  // Calls visit(candidate) for all of a frontier whose last item is at `last`; large ones first, so
  // that among equals a parse makes headway.
  template <typename Visit>
  void each(std::size_t frontier, std::uint32_t last, const Visit &visit) const {
    const auto length = static_cast<std::uint32_t>(frontier);
    for (std::uint32_t size = std::min(max_children, length); size > 0; --size)
      for (std::uint32_t first = 0; first + size <= length; ++first)
        if (const Candidate one{first, size}; allows(one, last))
          visit(one);
  }
};

// A state: the items without a parent, left to right. Items 0..words are the words; what is below
// an item is reached from it. `last` is where the item is that was inferred last.
struct TreeCut {
  std::span<const Item> items;
  std::span<const ItemId> frontier;
  std::uint32_t words, last;

  const Item &at(std::size_t place) const { return items[frontier[place]]; }
  bool is_complete(const ItemLabels &labels) const {
    return frontier.size() == 1 && at(0).label == labels.top;
  }
  // Whether the item is new, and the top only above all.
  bool allows(const ItemLabels &labels, Candidate one, std::uint16_t label) const;
  // How many phrase labels are allowed above a candidate.
  std::size_t choices(const ItemLabels &labels, Candidate one) const;
  // The place on the frontier of the head of an item with this label.
  std::uint32_t head(const ItemLabels &labels, Candidate one, std::uint16_t label) const;
  // The item itself.
  Item infer(const ItemLabels &labels, Candidate one, std::uint16_t label) const;
};

} // namespace runoff::classification
