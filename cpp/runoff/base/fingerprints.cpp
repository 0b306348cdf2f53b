#include "runoff/base/fingerprints.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::base {
namespace {

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace

Fingerprint Fold::fingerprint() const {
  return {scrambled(a), static_cast<std::uint32_t>(scrambled(b) >> 32)};
}

Fold fold_token(std::string_view token) {
  Fold fold;
  for (const char c : token) {
    const auto byte = static_cast<unsigned char>(c);
    fold.a = (fold.a ^ byte) * 0x100000001b3;
    fold.b = (fold.b + byte + 1) * 0xc6a4a7935bd1e995;
    fold.b ^= fold.b >> 31;
  }
  return {scrambled(fold.a), scrambled(fold.b)};
}

Fingerprint fingerprint(std::string_view name) {
  Fold fold;
  while (true) {
    const auto space = name.find(' ');
    fold = fold.then(fold_token(name.substr(0, space)));
    if (space == std::string_view::npos)
      return fold.fingerprint();
    name.remove_prefix(space + 1);
  }
}

Symbol Symbols::operator()(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end())
    return known->second;
  const auto symbol = static_cast<Symbol>(texts_.size());
  texts_.emplace_back(text);
  folds_.push_back(fold_token(text));
  marked_.push_back(FingerprintTable::none);
  ids_.emplace(texts_.back(), symbol);
  return symbol;
}

Symbol Symbols::joined(Symbol label, Symbol word) {
  const auto [at, is_new] = joined_.try_emplace((std::uint64_t{label} << 32) | word);
  if (is_new)
    at->second = (*this)(texts_[label] + '/' + texts_[word]);
  return at->second;
}

Symbol Symbols::marked(Symbol label) {
  if (marked_[label] == FingerprintTable::none) {
    const Symbol symbol = (*this)(texts_[label] + '!');
    marked_[label] = symbol;
  }
  return marked_[label];
}

std::size_t FingerprintTable::slot(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = key & mask;
  while (slots_[place] != none && at(slots_[place]).key != key)
    place = (place + 1) & mask;
  return place;
}

std::uint32_t FingerprintTable::find(std::uint64_t key) const { return slots_[slot(key)]; }

std::uint32_t FingerprintTable::add(const Fingerprint &one) {
  if (4 * (size_ + 1) > 3 * slots_.size())
    grow();
  const std::size_t place = slot(one.key);
  if (slots_[place] != none) {
    if (at(slots_[place]).check != one.check)
      throw std::runtime_error("two features have the same fingerprint");
    return slots_[place];
  }
  if (size_ == block * keys_.size()) {
    keys_.push_back(std::make_unique<std::uint64_t[]>(block));
    checks_.push_back(std::make_unique<std::uint32_t[]>(block));
  }
  keys_[size_ / block][size_ % block] = one.key;
  checks_[size_ / block][size_ % block] = one.check;
  slots_[place] = static_cast<std::uint32_t>(size_);
  return static_cast<std::uint32_t>(size_++);
}

void FingerprintTable::clear() {
  size_ = 0;
  std::ranges::fill(slots_, none);
}

void FingerprintTable::grow() {
  slots_.assign(2 * slots_.size(), none);
  for (std::size_t number = 0; number < size_; ++number)
    slots_[slot(at(number).key)] = static_cast<std::uint32_t>(number);
}

} // namespace runoff::base
