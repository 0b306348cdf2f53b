// Yes/no atoms of examples: where the learner of decision trees gets them from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace runoff::decision_trees {

using Atom = std::uint32_t;

// What an example's atoms are, asked on demand (Turian & Melamed 2006, W 3.4). A pointer is
// whatever the source means by it. Both are called on several threads at once.
struct AtomSource {
  virtual ~AtomSource() = default;
  // Whether this one atom is present.
  virtual bool test(std::uint64_t pointer, Atom atom) const = 0;
  // All atoms that are present, rising.
  virtual void extract(std::uint64_t pointer, std::vector<Atom> &atoms) const = 0;
  // How many tests an extraction takes as long as; trees with more nodes are walked by extraction.
  virtual std::size_t extraction_cost() const { return 100; }
};

// Throws std::invalid_argument unless atoms rise and lie below n_atoms.
inline void check_atoms(std::span<const Atom> atoms, std::size_t n_atoms) {
  for (std::size_t at = 0; at < atoms.size(); ++at)
    if (atoms[at] >= n_atoms || (at > 0 && atoms[at] <= atoms[at - 1]))
      throw std::invalid_argument("the atoms of an example must rise and lie below n_atoms");
}

// The rows of a sparse matrix, atoms rising in each; a pointer is the number of a row. The arrays
// outlive it and were checked.
class SparseRows : public AtomSource {
public:
  SparseRows(std::span<const std::int64_t> offsets, std::span<const Atom> atoms)
      : offsets_(offsets), atoms_(atoms) {}

  std::size_t rows() const { return offsets_.size() - 1; }
  std::span<const Atom> row(std::uint64_t pointer) const {
    const auto begin = static_cast<std::size_t>(offsets_[pointer]);
    return atoms_.subspan(begin, static_cast<std::size_t>(offsets_[pointer + 1]) - begin);
  }
  bool test(std::uint64_t pointer, Atom atom) const override {
    const auto atoms = row(pointer);
    return std::binary_search(atoms.begin(), atoms.end(), atom);
  }
  void extract(std::uint64_t pointer, std::vector<Atom> &atoms) const override {
    const auto found = row(pointer);
    atoms.assign(found.begin(), found.end());
  }
  std::size_t extraction_cost() const override { return 10; }

private:
  std::span<const std::int64_t> offsets_;
  std::span<const Atom> atoms_;
};

} // namespace runoff::decision_trees
