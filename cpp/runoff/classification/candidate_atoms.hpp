// The atoms of the inferences of a label, as the learner of decision trees asks for them.
#pragma once

#include "runoff/classification/training_states.hpp"

namespace runoff::classification {

// The candidates of a label as examples of decision trees; the label chooses the heads.
class CandidateAtoms final : public decision_trees::AtomSource {
public:
  CandidateAtoms(const TrainingStates &states, const InferenceAtoms &atoms, std::uint16_t label)
      : states_(states), atoms_(atoms), label_(label) {}

  bool test(std::uint64_t pointer, decision_trees::Atom atom) const override;
  void extract(std::uint64_t pointer, std::vector<decision_trees::Atom> &atoms) const override;
  // Throws std::invalid_argument unless each points to a candidate of a state.
  void check(std::span<const std::uint64_t> pointers) const;

private:
  Inference inference(const TreeCut &cut, std::uint64_t pointer) const;

  const TrainingStates &states_;
  const InferenceAtoms &atoms_;
  std::uint16_t label_;
};

} // namespace runoff::classification
