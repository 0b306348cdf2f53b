// Names of features as numbers.
//
// A name is text; where it has spaces they part it into tokens. The fingerprint of a name is folded
// from those of its tokens, so that code which knows the tokens never has to write the name.
#pragma once

#include "runoff/base/hash_index.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace runoff::base {

// 96 bits: features are told apart by the key; the check notices where two names share a key.
struct Fingerprint {
  std::uint64_t key;
  std::uint32_t check;
};

// Two independent hashes: of a token, or of the tokens so far.
struct Fold {
  std::uint64_t a = 0x2545f4914f6cdd1d, b = 0x9e3779b97f4a7c15;

  Fold then(const Fold &token) const {
    const std::uint64_t x = (a ^ token.a) * 0xd6e8feb86659fd93;
    const std::uint64_t y = (b + token.b) * 0xff51afd7ed558ccd;
    return {x ^ (x >> 32), y ^ (y >> 29)};
  }
  // Folds in a number, for keys that are no names.
  Fold then(std::uint64_t number) const {
    return then(Fold{number * 0x9fb21c651e98df25, number * 0xd1342543de82ef95});
  }
  Fingerprint fingerprint() const;
};

Fold fold_token(std::string_view token);
Fingerprint fingerprint(std::string_view name);

// Numbers tokens in the order in which they are first seen.
using Symbol = std::uint32_t;
class Symbols {
public:
  Symbol operator()(std::string_view text);
  Symbol joined(Symbol label, Symbol word); // NP/president
  Symbol marked(Symbol label);              // VBD!
  const std::string &text(Symbol symbol) const { return texts_[symbol]; }
  const Fold &fold(Symbol symbol) const { return folds_[symbol]; }
  std::size_t size() const { return texts_.size(); }

private:
  std::deque<std::string> texts_;
  std::vector<Fold> folds_; // of the texts, by which they are found
  HashIndex<NumberSlot> numbers_{64};
  std::unordered_map<std::uint64_t, Symbol> joined_;
  std::vector<Symbol> marked_; // of each symbol, or none
};

// Numbers fingerprints in the order in which they are first seen; 16 to 20 bytes each.
class FingerprintTable {
public:
  static constexpr std::uint32_t none = NumberSlot::none;

  FingerprintTable() = default;
  FingerprintTable(const FingerprintTable &) = delete;
  FingerprintTable(FingerprintTable &&) = default;
  FingerprintTable &operator=(FingerprintTable &&) = default;

  // The number of a fingerprint, a new one if need be. Throws std::runtime_error if its key is
  // known with another check: two names that cannot be told apart.
  std::uint32_t add(const Fingerprint &one);
  // The number of a key, or none.
  std::uint32_t find(std::uint64_t key) const;
  std::size_t size() const { return size_; }
  void clear();

private:
  static constexpr std::size_t block = 1 << 12;

  Fingerprint at(std::size_t number) const {
    return {keys_[number / block][number % block], checks_[number / block][number % block]};
  }
  std::size_t place(std::uint64_t key) const;

  std::size_t size_ = 0;
  HashIndex<NumberSlot, ThreeQuartersFull> numbers_;
  std::vector<std::unique_ptr<std::uint64_t[]>> keys_;
  std::vector<std::unique_ptr<std::uint32_t[]>> checks_;
};

} // namespace runoff::base
