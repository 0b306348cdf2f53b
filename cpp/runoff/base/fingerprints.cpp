#include "runoff/base/fingerprints.hpp"

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
  const auto fold = fold_token(text);
  const auto place =
      numbers_.place(fold.a, [&](NumberSlot slot) { return texts_[slot.number] == text; });
  if (!numbers_[place].is_free())
    return numbers_[place].number;
  const auto symbol = static_cast<Symbol>(texts_.size());
  numbers_[place].number = symbol;
  texts_.emplace_back(text);
  folds_.push_back(fold);
  marked_.push_back(FingerprintTable::none);
  if (!numbers_.fits(texts_.size() + 1))
    numbers_.grow([this](NumberSlot slot) { return folds_[slot.number].a; });
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

std::size_t FingerprintTable::place(std::uint64_t key) const {
  return numbers_.place(key, [&](NumberSlot slot) { return at(slot.number).key == key; });
}

std::uint32_t FingerprintTable::find(std::uint64_t key) const {
  return numbers_[place(key)].number;
}

std::uint32_t FingerprintTable::add(const Fingerprint &one) {
  if (!numbers_.fits(size_ + 1))
    numbers_.grow([this](NumberSlot slot) { return at(slot.number).key; });
  auto &slot = numbers_[place(one.key)];
  if (!slot.is_free()) {
    if (at(slot.number).check != one.check)
      throw std::runtime_error("two features have the same fingerprint");
    return slot.number;
  }
  if (size_ == block * keys_.size()) {
    keys_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(block));
    checks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(block));
  }
  keys_[size_ / block][size_ % block] = one.key;
  checks_[size_ / block][size_ % block] = one.check;
  slot.number = static_cast<std::uint32_t>(size_);
  return static_cast<std::uint32_t>(size_++);
}

void FingerprintTable::clear() {
  size_ = 0;
  numbers_.clear();
}

} // namespace runoff::base
