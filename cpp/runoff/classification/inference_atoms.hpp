// What the classifiers ask of an inference (Turian and Melamed, 2006, section 4, 4.2 and Table 3):
// is there an item in this group whose label, head word, head tag or class of head tag is this one?
#pragma once

#include "runoff/classification/inferences.hpp"
#include "runoff/decision_trees/atoms.hpp"

#include <optional>

namespace runoff::classification {

// The kinds of groups, in the order of KINDS in runoff/proposers/parsing/classification/atoms.py.
enum class GroupKind : std::uint8_t {
  first_children, // the first n children
  last_children,  // the last n children
  left_context,   // the n items before the children, on the frontier
  right_context,  // the n items after them
  left_of_head,   // the n children before the head
  right_of_head,  // the n children after it
  head,           // the head
  frontier_item,  // the item that is n before or after an anchor on the frontier
  terminal,       // the word that is n before or after an anchor's
  grandchild,     // the anchor of an anchor: leftmost, head or rightmost child of such a child
  all_items,      // from here on, many frontier items, whose number is asked as well
  left_items,     // all before the children
  right_items,    // all after them
  non_leftmost,   // all children but the first
  non_head,       // all but the head
  non_rightmost,  // all but the last
  left_with_head, // the children up to the head
  left_of_head_all,
  right_with_head, // the children from the head on
  right_of_head_all,
  all_children,
};

enum class Anchor : std::uint8_t { leftmost, head, rightmost };

struct Group {
  GroupKind kind;
  Anchor anchor;          // where the kind has one
  std::int8_t n;          // how many, or how far; of a grandchild the second anchor
  bool terminals = false; // the words below the items instead of the items

  bool asks_words() const { return terminals || kind == GroupKind::terminal; }
  bool has_length() const {
    return kind >= GroupKind::all_items && (!terminals || kind == GroupKind::all_children);
  }
};

// An inference: a candidate with its head, which depends on the label that is inferred.
struct Inference {
  Candidate children;
  std::uint32_t head; // a place on the frontier
};

// Atoms are numbered group by group: labels, head words, head tags, classes of head tags, and
// shapes of head words where these are asked for; of groups of words no labels, which are tags.
// After these come lengths: = 0..15, > 0..15.
class InferenceAtoms {
public:
  static constexpr std::uint32_t lengths = 16;

  // shapes: how many shapes of words there are, or 0 if they are not asked for. Throws
  // std::invalid_argument if there are too many atoms. The labels must outlive this.
  InferenceAtoms(const ItemLabels &labels, std::vector<Group> groups, std::uint32_t shapes = 0);

  std::size_t size() const { return size_; }
  std::size_t groups() const { return groups_.size(); }
  // The group of an atom; lengths come after all groups.
  std::size_t group_of(decision_trees::Atom atom) const {
    return atom < first_length_ ? atom / stride_ : groups_.size();
  }
  const ItemLabels &labels() const { return labels_; }
  // How many items beside the children matter, on either side; none if all do.
  std::optional<std::uint32_t> reach() const { return reach_; }
  bool test(const TreeCut &cut, const Inference &one, decision_trees::Atom atom) const;
  // All atoms that are present, rising, in place of `atoms`.
  void extract(const TreeCut &cut, const Inference &one,
               std::vector<decision_trees::Atom> &atoms) const;

private:
  const ItemLabels &labels_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> with_length_; // groups
  std::uint32_t shapes_, stride_, first_length_;
  std::size_t size_;
  std::optional<std::uint32_t> reach_ = 0;
};

} // namespace runoff::classification
