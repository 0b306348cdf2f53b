// The k best derivations of a hypergraph, found lazily and exactly (Huang and Chiang, 2005, "Better
// k-best parsing", algorithm 3), all of them or one of each class.
#pragma once

#include "runoff/search/hypergraph.hpp"

#include <functional>
#include <unordered_set>

namespace runoff::search {

// One derivation of a node: an edge, and which of their derivations its tails contribute, from 0.
struct Step {
  double weight;
  std::int32_t edge, left, right;
  std::int32_t more = -1; // where KBest has the ranks of the other tails; -1 where all are 0
};

// The class of a derivation, from its last edge and the classes of its tails' derivations: what is
// alike in all that matters to the caller, such as the text that is derived.
using Classes =
    std::function<std::uint32_t(std::int32_t edge, std::span<const std::uint32_t> tails)>;

// The derivations of a root, best first, each once. Equal weights are ordered by the number of the
// edge, then by the ranks of the tails' derivations, from the left; the order is the same however
// many are asked for. A weight is ((edge + first tail) + second tail) + ... in floating point, at
// every node.
//
// With classes, only the best derivation of each class is given, and ranks count only those. That
// holds at every node: what is alike there is alike in whatever is built from it. So many ways to
// derive the same cost no more than a look at each.
//
// The graph must outlive this. Construction takes linear time; after that only what the next
// derivation needs is looked at. What is still to do is kept on the heap, so depth has no limit.
// Derivations share their parts: a new one adds at most one Step to each node that it passes.
class KBest {
public:
  KBest(const Hypergraph &graph, std::int32_t root, Classes classes = {});

  // Finds one more derivation; false if there are no more.
  bool next();

  // How many were found; the functions below take places below that.
  std::size_t size() const { return size_; }
  double weight(std::size_t place) const;

  // The edges of a derivation, heads before tails and left before right, in place of `out`.
  void edges(std::size_t place, std::vector<std::int32_t> &out) const;

  // A node's derivation of that rank, for callers that walk themselves: start with the root and
  // a place, go on with the tails of the edge and their ranks.
  Step step(std::int32_t node, std::int32_t rank) const;
  std::int32_t rank(const Step &step, std::size_t tail) const {
    if (tail < 2)
      return tail == 0 ? step.left : step.right;
    return step.more < 0 ? 0 : more_[base::at(step.more) + tail - 2];
  }

private:
  // What is known of a node of which more than the best derivation was asked for.
  struct Opened {
    std::vector<Step> found;    // best first
    std::vector<Step> frontier; // a heap; everything else is worse than something in it
    Step last;                  // the last from the frontier, whose followers are not in it yet
    bool exhausted = false;
  };
  // The same of their classes.
  struct Known {
    std::vector<std::uint32_t> found;
    std::unordered_set<std::uint32_t> all;
  };

  void find_another(std::int32_t node);
  Opened &open(std::int32_t node);
  std::int32_t missing_tail(const Step &last) const;
  void add_followers(Opened &node, const Step &last);
  bool take_best(std::int32_t node);
  bool missing(std::int32_t node, std::int32_t rank) const;
  bool has(std::int32_t node, std::int32_t rank) const;
  void add(Opened &node, const Step &last, std::size_t tail);
  bool comes_after(const Step &a, const Step &b) const;
  auto order() const {
    return [this](const Step &a, const Step &b) { return comes_after(a, b); };
  }
  std::uint32_t class_of(const Step &step);
  std::uint32_t best_class(std::int32_t node);

  const Hypergraph &graph_;
  std::int32_t root_;
  Classes classes_;
  std::size_t size_ = 0;
  std::vector<double> best_;            // node -> weight of its best derivation
  std::vector<std::int32_t> best_edge_; // node -> edge of that
  std::vector<std::int32_t> opened_at_; // node -> place in opened_, or -1
  std::vector<Opened> opened_;
  std::vector<std::int32_t> more_;    // ranks of tails after the second, of all steps
  std::vector<std::int32_t> waiting_; // nodes that need another derivation, the next on top
  // With classes only.
  std::vector<std::int64_t> best_class_; // node -> class of its best derivation, -1 if not asked
  std::vector<Known> known_;             // beside opened_
  std::vector<std::uint32_t> tails_;     // room for the classes of one step
};

} // namespace runoff::search
