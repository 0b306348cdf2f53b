#include "runoff/decision_trees/cached_rows.hpp"

#include "runoff/base/parallel.hpp"

#include <algorithm>

namespace runoff::decision_trees {
namespace {

constexpr std::size_t rows_per_block = 256;

} // namespace

void CachedRows::take(const AtomSource &source, std::span<const std::uint64_t> pointers,
                      std::span<const std::uint32_t> examples, std::size_t n_atoms,
                      const base::Threads &threads) {
  const std::size_t n = examples.size();
  if (this->n_atoms() == n_atoms && std::ranges::equal(examples, examples_))
    return;
  std::vector<std::size_t> held(n, examples_.size()); // the row that has the example already
  for (std::size_t i = 0, old = 0; i < n; ++i) {
    while (old < examples_.size() && examples_[old] < examples[i])
      ++old;
    if (old < examples_.size() && examples_[old] == examples[i])
      held[i] = old;
  }
  std::vector<std::vector<Atom>> blocks((n + rows_per_block - 1) / rows_per_block);
  std::vector<std::size_t> offsets(n + 1, 0);
  base::in_blocks(n, rows_per_block, threads, [&](std::size_t begin, std::size_t end) {
    auto &block = blocks[begin / rows_per_block];
    std::vector<Atom> fresh;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_fresh = held[i] == examples_.size();
      if (is_fresh) {
        source.extract(pointers[examples[i]], fresh);
        check_atoms(fresh, n_atoms);
      }
      const auto atoms = is_fresh ? std::span<const Atom>(fresh) : row(held[i]);
      block.insert(block.end(), atoms.begin(), atoms.end());
      offsets[i + 1] = atoms.size();
    }
  });
  for (std::size_t i = 0; i < n; ++i)
    offsets[i + 1] += offsets[i];
  atoms_.clear();
  atoms_.reserve(offsets[n]);
  for (auto &block : blocks) {
    atoms_.insert(atoms_.end(), block.begin(), block.end());
    block = {};
  }
  offsets_ = std::move(offsets);
  examples_.assign(examples.begin(), examples.end());
  transpose(n_atoms);
}

void CachedRows::transpose(std::size_t n_atoms) {
  columns_.assign(n_atoms + 2, 0);
  for (const auto atom : atoms_)
    ++columns_[atom + std::size_t{2}];
  for (std::size_t atom = 2; atom < columns_.size(); ++atom)
    columns_[atom] += columns_[atom - 1];
  rows_.resize(atoms_.size());
  for (std::size_t number = 0; number < size(); ++number)
    for (const auto atom : row(number))
      rows_[columns_[atom + std::size_t{1}]++] = static_cast<std::uint32_t>(number);
  columns_.pop_back();
}

} // namespace runoff::decision_trees
