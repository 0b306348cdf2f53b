// Kernels over trees and tagged sequences (Collins & Duffy 2002, sections 4 and 5), and the sum of
// many of them at the cost of one.
#pragma once

#include "runoff/base/spans.hpp"
#include "runoff/trees/trees.hpp"

#include <vector>

namespace runoff::kernels {

// K(T, U) is the sum, over nodes t of T and u of U, of C(t, u), which is 0 where the productions
// of t and u differ, and otherwise
//   base(t, u) * product over children of (1 + mu * C(child of t, child of u)).
//
// tree: a node's production is its label with the labels of its children; leaves have none. base
// is lam, mu is 1.
// tagging: nodes are positions of a sequence, and a node's production is its tag; its one child is
// the position to the right. base is 1, and 1/2 more for the same word, and again for the same
// shape; mu is lam. Such a sequence is given as a tree: below its root a node per position,
// labelled with its tag, and below that the word and its shape.
// plain_tagging: the same without shapes; base is 1, or 2 for the same word.
//
// An unknown label matches nothing, not even itself.
struct Kernel {
  enum class Kind { tree, tagging, plain_tagging } kind = Kind::tree;
  double lam = 0.5;

  double mu() const { return kind == Kind::tree ? 1.0 : lam; }
  // What the same word adds to base, or the same shape.
  double same_mark() const { return kind == Kind::plain_tagging ? 1.0 : 0.5; }
};

// The distinct subtrees of trees: equal ones have the same number, children lower ones than their
// parents. A subtree is known by a span: its production, its marks (word and shape of a tagging),
// and the numbers of its children that are no leaves. A plain tagging has no shapes.
class Subtrees {
public:
  static constexpr std::uint32_t none = base::Spans::none;

  Subtrees(Kernel::Kind kind, std::size_t n_labels);

  // Adds to `found` the subtrees at the nodes of a tree, in an order that depends on the tree
  // alone. Nodes without a production are left out, and so are those whose production is not
  // known; or it becomes known, where `productions` may change.
  void add(const trees::Trees::View &tree, const base::Spans &productions,
           std::vector<std::uint32_t> &found);
  void add(const trees::Trees::View &tree, base::Spans &productions,
           std::vector<std::uint32_t> &found);

  void clear() { spans_.clear(); }
  std::size_t size() const { return spans_.size(); }
  std::uint32_t production(std::uint32_t subtree) const { return spans_[subtree][0]; }
  base::Spans::Items marks(std::uint32_t subtree) const {
    return spans_[subtree].subspan(1, marks_per_node());
  }
  base::Spans::Items children(std::uint32_t subtree) const { // `none` for what matches nothing
    return spans_[subtree].subspan(1 + marks_per_node());
  }
  std::size_t marks_per_node() const { return kind_ == Kernel::Kind::tree ? 0 : 2; }
  std::size_t bytes() const { return spans_.bytes(); }

private:
  template <typename Number>
  void add_tree(const trees::Trees::View &tree, const Number &number,
                std::vector<std::uint32_t> &found);
  template <typename Number>
  void add_tagging(const trees::Trees::View &tree, const Number &number,
                   std::vector<std::uint32_t> &found);
  std::uint32_t known(std::uint32_t label) const { return label == unknown_ ? none : label; }

  Kernel::Kind kind_;
  std::uint32_t unknown_;
  base::Spans spans_;
  std::vector<std::uint32_t> ends_, at_, key_, span_; // of the tree that is being added
};

// A weighted sum of trees, as one graph: each distinct subtree is one node, with the weights of all
// trees that have it added up. What two trees have in common cancels where their weights do, and
// leaves no node behind unless another one needs it.
class SupportGraph {
public:
  struct Part {
    trees::Trees::View tree;
    double weight;
  };
  // What a node adds to the kernel; places count from 1.
  struct Change {
    std::uint32_t production, place;
    double weight;
  };
  struct Link {
    std::uint32_t production, place;
  };
  // The nodes of a production.
  struct Bucket {
    std::vector<double> weights;
    std::vector<std::uint32_t> marks;
    std::vector<Link> links; // to children, node by node; place 0 for what matches nothing

    std::size_t size() const { return weights.size(); }
  };

  SupportGraph(Kernel kernel, std::size_t n_labels);

  // Adds trees with weights; returns what that changed, until the next call.
  std::span<const Change> add(std::span<const Part> parts);
  // Gives all nodes other weights: weight(production, place from 0).
  template <typename Weight> void weigh(const Weight &weight) {
    for (std::uint32_t production = 0; production < buckets_.size(); ++production)
      for (std::size_t place = 0; place < buckets_[production].size(); ++place)
        buckets_[production].weights[place] = weight(production, place);
  }

  const Kernel &kernel() const { return kernel_; }
  const base::Spans &productions() const { return productions_; }
  const Bucket &bucket(std::uint32_t production) const {
    return production < buckets_.size() ? buckets_[production] : nothing_;
  }
  std::size_t nodes() const { return n_nodes_; }
  std::size_t bytes() const;

private:
  // The place of a node in its bucket; it and what is below it are put there if they are not yet.
  std::uint32_t enter(std::uint32_t node);
  void put(std::uint32_t node);

  Kernel kernel_;
  base::Spans productions_;
  Subtrees subtrees_;
  Bucket nothing_;
  std::vector<Bucket> buckets_;       // by production
  std::vector<std::uint32_t> places_; // of subtrees; 0 for those that are in no bucket
  std::size_t n_nodes_ = 0;
  std::vector<std::uint32_t> found_, stack_;
  std::vector<Change> changes_;
};

// The trees of a list against a graph: what they have in common is compared once. Time, after the
// trees are read: the distinct subtrees of the list times the nodes of their production.
class Comparison {
public:
  Comparison(Kernel kernel, std::size_t n_labels) : subtrees_(kernel.kind, n_labels) {}

  void clear();
  // Adds a tree, whose productions are looked up, or become known.
  template <typename Productions>
  void add(const trees::Trees::View &tree, Productions &productions) {
    subtrees_.add(tree, productions, found_);
    ends_.push_back(found_.size());
  }
  // Finds what `kernel` sums. Values of a subtree are dropped after its last parent, so memory does
  // not grow with the length of a sequence; or they are kept for `values`.
  enum class Values { dropped, kept };
  void compare(const SupportGraph &graph, Values values = Values::dropped);
  std::size_t held() const { return held_; } // how many values that took room for

  std::size_t trees() const { return ends_.size() - 1; }
  // The subtrees at the nodes of a tree.
  std::span<const std::uint32_t> of_tree(std::size_t tree) const {
    return {found_.data() + ends_[tree], found_.data() + ends_[tree + 1]};
  }
  const Subtrees &subtrees() const { return subtrees_; }
  // C of a subtree with the nodes of its production, by place; the first entry, 0, is no place.
  // Only where they are kept.
  std::span<const double> values(std::uint32_t subtree) const {
    return {values_.data() + starts_[subtree], values_.data() + starts_[subtree + 1]};
  }
  // The sum over nodes of their weight times C.
  double weighted(std::uint32_t subtree) const { return weighted_[subtree]; }
  // The kernel of a tree with the weighted sum; the order of the trees makes no difference to it.
  double kernel(std::size_t tree) const;

private:
  void compare_kept(const SupportGraph &graph);
  void compare_dropped(const SupportGraph &graph);
  void compare(std::uint32_t subtree, const SupportGraph &graph);

  Subtrees subtrees_;
  std::vector<std::uint32_t> found_;
  std::vector<std::size_t> ends_{0};
  std::vector<std::size_t> starts_;
  std::vector<double> values_, weighted_;
  std::size_t held_ = 0;
  std::vector<std::uint32_t> last_parents_;
  std::vector<std::vector<std::size_t>> free_; // by production: where values were dropped
};

// K(T, T).
double self_kernel(const trees::Trees::View &tree, const Kernel &kernel, std::size_t n_labels);

} // namespace runoff::kernels
