// Scores of several ensembles at once, from the leaves that have a value alone.
//
// With an l1 penalty nearly all leaves are 0. What is left is a set of conjunctions, most of them
// of atoms that must be absent: a present atom rules out all that need its absence, 64 at a time.
#pragma once

#include "runoff/decision_trees/ensemble.hpp"

namespace runoff::decision_trees {

class ActiveLeaves {
public:
  // The ensembles are not needed afterwards.
  explicit ActiveLeaves(std::span<const Ensemble> ensembles);

  // Memory for one example; each thread has its own.
  struct Room {
    std::vector<std::uint64_t> reached; // a bit for each leaf
    std::vector<std::uint32_t> found;   // how many of the atoms that it needs a leaf has
  };

  // Finds the leaves that an example reaches; atoms in any order, unknown ones are allowed. Time is
  // that of one word for every 64 leaves, and of those words for each present atom at most.
  void reach(std::span<const Atom> atoms, Room &room) const;
  // The sum of values of an ensemble's leaves, in the order of its trees.
  double score(std::size_t ensemble, const Room &room) const;
  // Those leaves: nodes, counted over all trees of the ensemble.
  void leaves(std::size_t ensemble, const Room &room, std::vector<std::uint32_t> &nodes) const;

private:
  struct Leaf {
    double value;
    std::uint32_t node, needed; // atoms that must be present
  };
  struct Ruled {
    Atom atom;
    std::uint32_t word;
    std::uint64_t leaves; // of 64, those that need the atom's absence
  };
  struct Needed {
    Atom atom;
    std::uint32_t leaf;
  };
  using Literals = std::vector<std::pair<Atom, bool>>;

  void add(const Leaf &leaf, const Literals &literals);
  void add_tree(std::span<const Node> tree, std::uint32_t first);
  void end_word();
  template <typename Visit>
  void each(std::size_t ensemble, const Room &room, const Visit &visit) const;

  std::vector<Leaf> leaves_;                         // of an ensemble from a multiple of 64 on
  std::vector<std::uint64_t> first_;                 // words: leaves that need no atom
  std::vector<std::uint32_t> words_{0};              // ensembles + 1: where the words of each begin
  std::vector<Ruled> ruled_;                         // by atom
  std::vector<Needed> needed_;                       // by atom
  std::vector<std::uint32_t> ruled_at_, needed_at_;  // atoms + 1
  std::vector<std::pair<Atom, std::uint64_t>> word_; // while it is built: what the last rules out
};

} // namespace runoff::decision_trees
