// The atoms of examples, held by row and by atom: of a sample while trees are grown on it, or of
// all.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/decision_trees/atoms.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace runoff::decision_trees {

class CachedRows {
public:
  // Extracts the atoms of these examples, which rise, except of those that are held already. Throws
  // std::invalid_argument where atoms do not rise or lie outside n_atoms. Memory is 8 bytes for
  // each atom of each example.
  void take(const AtomSource &source, std::span<const std::uint64_t> pointers,
            std::span<const std::uint32_t> examples, std::size_t n_atoms,
            const base::Threads &threads);

  std::size_t size() const { return examples_.size(); }
  std::size_t n_atoms() const { return columns_.empty() ? 0 : columns_.size() - 1; }
  std::span<const Atom> row(std::size_t number) const {
    return std::span(atoms_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
  }
  // The rows that have an atom, rising.
  std::span<const std::uint32_t> column(std::size_t atom) const {
    return std::span(rows_).subspan(columns_[atom], columns_[atom + 1] - columns_[atom]);
  }

private:
  void transpose(std::size_t n_atoms);

  std::vector<std::uint32_t> examples_;
  std::vector<std::size_t> offsets_{0}; // rows + 1
  std::vector<Atom> atoms_;
  std::vector<std::size_t> columns_; // atoms + 1
  std::vector<std::uint32_t> rows_;
};

} // namespace runoff::decision_trees
