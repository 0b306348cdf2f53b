// Parsing by classification: the search for the trees whose inferences the classifiers of labels
// find least costly (Turian and Melamed, 2006, "Advances in discriminative parsing").
#pragma once

#include "runoff/base/spans.hpp"
#include "runoff/classification/inference_atoms.hpp"
#include "runoff/decision_trees/active_leaves.hpp"
#include "runoff/search/agenda.hpp"

namespace runoff::classification {

// One classifier for each phrase label: h > 0 says that an item may be added.
class LabelClassifiers {
public:
  // Throws std::invalid_argument unless there is an ensemble for each phrase. The atoms must
  // outlive this.
  LabelClassifiers(const InferenceAtoms &atoms,
                   std::span<const decision_trees::Ensemble> ensembles);

  // Memory for scoring; each thread has its own.
  struct Room {
    std::vector<decision_trees::Atom> atoms;
    decision_trees::ActiveLeaves::Room leaves;
    std::vector<std::uint32_t> heads;
  };
  const InferenceAtoms &atoms() const { return atoms_; }
  const ItemLabels &labels() const { return atoms_.labels(); }
  // h of every phrase above a candidate, in the order of labels; of those that are not allowed any
  // number.
  void score(const TreeCut &cut, Candidate one, Room &room, std::span<double> h) const;
  // The leaves that make up h: nodes of the ensemble of the label, counted over all its trees.
  void leaves(const TreeCut &cut, Candidate one, std::uint16_t label, Room &room,
              std::vector<std::uint32_t> &nodes) const;

private:
  const InferenceAtoms &atoms_;
  decision_trees::ActiveLeaves leaves_; // of phrases
};

// The scores of candidates of one sentence: where atoms ask for nothing beyond some neighbours,
// they are scored once, however many states have them.
class KnownScores {
public:
  // The classifiers must outlive this.
  explicit KnownScores(const LabelClassifiers &classifiers)
      : classifiers_(classifiers), h_(classifiers.labels().phrases()) {}

  // As `LabelClassifiers::score` has them, until the next call. An item's number must stay its own.
  std::span<const double> scores(const TreeCut &cut, Candidate one);
  // Before another sentence.
  void clear() {
    windows_.clear();
    known_.clear();
  }

private:
  const LabelClassifiers &classifiers_;
  LabelClassifiers::Room room_;
  std::vector<double> h_;
  base::Spans windows_;
  std::vector<std::uint32_t> window_;
  std::vector<double> known_;
};

// The cost of an inference, ln(1 + exp(-h)).
double inference_cost(double h);

struct TaggedWords {
  std::vector<std::uint32_t> words;
  std::vector<std::uint16_t> tags;
};

// An item of a parse: when it was inferred, and at what cost.
struct ParsedItem {
  std::uint16_t label, start, end;
  std::uint32_t step;
  double cost;
};

struct ClassifiedParse {
  double cost;
  std::vector<ParsedItem> items; // phrases in preorder
  bool proven;                   // no other parse can come before it
  bool forced;                   // unary items were ruled out to come to an end
};

struct ClassifiedParses {
  std::vector<ClassifiedParse> parses; // distinct, cheapest first
  std::size_t explored;                // inferences that were scored
  bool greedy;                         // whether the best is what was found first
};

class ClassificationParser {
public:
  ClassificationParser(const LabelClassifiers &classifiers, Strategies strategies)
      : classifiers_(classifiers), strategies_(strategies) {}

  const ItemLabels &labels() const { return classifiers_.labels(); }
  // At most n trees of a sentence with one word or more. Memory has a bound: the agenda takes 640
  // bytes for each inference that may be explored, and what is looked at some hundred bytes.
  ClassifiedParses parse(const TaggedWords &sentence, search::AgendaLimits limits) const;

  // For each item of a parse, in the order in which they were inferred, the leaves that make up its
  // h. Throws std::invalid_argument where an item cannot be inferred.
  std::vector<std::vector<std::uint32_t>> explain(const TaggedWords &sentence,
                                                  std::span<const ParsedItem> items) const;

private:
  const LabelClassifiers &classifiers_;
  Strategies strategies_;
};

} // namespace runoff::classification
