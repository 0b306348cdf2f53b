#include "runoff/classification/candidate_atoms.hpp"

#include <stdexcept>

namespace runoff::classification {

Inference CandidateAtoms::inference(const TreeCut &cut, std::uint64_t pointer) const {
  const auto one = TrainingStates::candidate_of(pointer);
  return {one, cut.head(states_.labels(), one, label_)};
}

bool CandidateAtoms::test(std::uint64_t pointer, decision_trees::Atom atom) const {
  const auto cut = states_.cut(TrainingStates::state_of(pointer));
  return atoms_.test(cut, inference(cut, pointer), atom);
}

void CandidateAtoms::extract(std::uint64_t pointer,
                             std::vector<decision_trees::Atom> &atoms) const {
  const auto cut = states_.cut(TrainingStates::state_of(pointer));
  atoms_.extract(cut, inference(cut, pointer), atoms);
}

void CandidateAtoms::check(std::span<const std::uint64_t> pointers) const {
  for (const auto one : pointers) {
    const auto state = TrainingStates::state_of(one);
    const auto [first, size] = TrainingStates::candidate_of(one);
    if (state >= states_.size() || size == 0 || size > most_children ||
        first + size > states_.cut(state).frontier.size())
      throw std::invalid_argument("a pointer is to no candidate");
  }
}

} // namespace runoff::classification
