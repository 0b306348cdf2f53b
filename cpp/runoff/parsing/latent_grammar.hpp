// Grammars with hidden substates (Petrov, Barrett, Thibaux & Klein 2006).
//
// Every label of a treebank is split into substates, which nobody annotated and EM finds: an NP
// that is a subject, a name, a measure. A tree's probability sums over all ways to give its nodes
// substates. Trees are binary: X over A B C is X over A and @X, which is over B and C.
#pragma once

#include "runoff/base/parallel.hpp"
#include "runoff/parsing/head_model.hpp"
#include "runoff/trees/brackets.hpp"

#include <string>
#include <unordered_map>

namespace runoff::parsing {

// A node of a binary tree. Children come before their parents. A tag has a word instead of
// children.
struct LatentNode {
  Label symbol;             // a label, or behind all labels the intermediate one of a label
  std::int32_t left, right; // children; right -1: only one; left -1: right is the word
  bool operator==(const LatentNode &) const = default;
};
using LatentTree = std::vector<LatentNode>;

// Trees that share what they have in common, since those of an n-best list differ little.
class LatentForest {
public:
  void clear();
  // Adds a tree, and returns the place of its top among the nodes.
  std::size_t add(std::span<const LatentNode> tree);
  std::span<const LatentNode> nodes() const { return nodes_; }

private:
  struct Hash {
    std::size_t operator()(const LatentNode &node) const;
  };
  LatentTree nodes_; // no two alike
  std::unordered_map<LatentNode, std::int32_t, Hash> places_;
  std::vector<std::int32_t> added_; // places of the nodes of the tree that is added
};

// Makes brackets binary trees. One more label than is given stands for all that are not known.
class LatentTreeReader {
public:
  explicit LatentTreeReader(std::span<const std::string> labels);

  Label labels() const { return static_cast<Label>(labels_.size()) + 1; }
  // The tree of the brackets, whose words have these numbers. Throws std::invalid_argument unless
  // it is one tree over the words, each of which has a tag.
  void read(std::string_view brackets, std::span<const Word> words, LatentTree &tree);

private:
  std::unordered_map<std::string, Label> labels_;
  std::vector<trees::FlatTree> flat_;
  std::vector<std::int32_t> places_, children_; // of nodes in the tree that is made; of one node
};

// A rule over symbols; its entries say how likely it is with which substates.
struct LatentRule {
  Label parent, left, right; // as in LatentNode, with symbols for children
  auto operator<=>(const LatentRule &) const = default;
};
LatentRule rule_of(std::span<const LatentNode> tree, const LatentNode &node);

struct LatentEntry {
  std::uint8_t parent, left, right; // substates; 0 where there is no child
  float probability;
};

// Rules in order, each with its entries.
struct LatentRules {
  Label labels = 0;                      // symbols are twice as many
  std::vector<std::uint8_t> substates;   // of each symbol, at least 1
  std::vector<LatentRule> rules;         // rising
  std::vector<std::uint32_t> offsets{0}; // of rules in the entries
  std::vector<LatentEntry> entries;      // of a rule: rising by parent, left, right

  std::span<const LatentEntry> of(std::size_t rule) const {
    return std::span(entries).subspan(offsets[rule], offsets[rule + 1] - offsets[rule]);
  }
  // How many substates the left and the right child of a rule have; 1 where it has none.
  std::pair<std::uint32_t, std::uint32_t> below(const LatentRule &rule) const;
  // The place of an entry among all that its rule could have.
  std::uint32_t place(const LatentRule &rule, const LatentEntry &entry) const {
    const auto [lefts, rights] = below(rule);
    return (entry.parent * lefts + entry.left) * rights + entry.right;
  }
  LatentEntry entry_at(const LatentRule &rule, std::uint32_t place, float probability) const;
  // Throw std::invalid_argument unless all fits together; the first leaves out the entries.
  void check_rules() const;
  void check() const;
};

inline constexpr std::int32_t UNSEEN_RULE = -1;

// Inside probabilities of the nodes of trees, each node's divided by its largest.
class LatentInside {
public:
  // `rules` gives the number of each node's rule, or UNSEEN_RULE.
  void run(const LatentRules &grammar, std::span<const LatentNode> nodes,
           std::span<const std::int32_t> rules);

  std::span<const double> of(std::size_t node) const {
    return std::span(values_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
  }
  std::size_t offset(std::size_t node) const { return offsets_[node]; }
  double largest(std::size_t node) const { return largest_[node]; } // what a node was divided by

private:
  std::vector<std::size_t> offsets_;
  std::vector<double> values_, largest_;
};

// Substates share a little of each other's probability, as smoothing: this much for a rule.
double latent_smoothing(const LatentNode &node);

// Gives every value a share of their mean; it is its own adjoint, so outside values take it too.
void share(std::span<double> values, double amount);

// A grammar that judges trees.
class LatentGrammar {
public:
  explicit LatentGrammar(LatentRules rules);

  const LatentRules &rules() const { return rules_; }
  // The log-probabilities of the trees with these tops. A rule that training had not has a small
  // constant probability.
  std::vector<double> log_probabilities(std::span<const LatentNode> nodes,
                                        std::span<const std::size_t> tops) const;

private:
  LatentRules rules_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_; // of rules, by their keys
};

struct LatentOptions {
  int cycles = 5;      // how often substates are split in two
  int iterations = 20; // of EM in a cycle
  double merged = 0.5; // share of the splits that are taken back in each cycle
  std::uint64_t seed = 0;
};

// Learns a grammar by splitting, EM and merging. The result depends on the seed, and not on the
// threads. Probabilities are rounded as `latent_probability` has them.
LatentGrammar train_latent_grammar(Label labels, std::span<const LatentTree> trees,
                                   const LatentOptions &options, const base::Threads &threads);

// Probabilities as files have them: powers of 2 in steps of 1/2048.
std::uint16_t latent_code(double probability);
float latent_probability(std::uint16_t code);

} // namespace runoff::parsing
