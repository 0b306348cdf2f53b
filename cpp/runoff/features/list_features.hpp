// The features of n-best lists, as they are written down one after another.
#pragma once

#include "runoff/base/fingerprints.hpp"

namespace runoff::features {

// Features of several lists under numbers of their own. What has the same value in all candidates
// of a list cannot change their order: it is counted but not kept there, unless all are wanted.
struct EncodedLists {
  base::FingerprintTable table;
  std::vector<std::uint64_t> keys; // of each feature
  std::vector<std::uint32_t> checks;
  std::vector<base::Symbol> tokens; // of the names of all features
  std::vector<std::int64_t> token_offsets{0};
  std::vector<std::int64_t> list_counts;    // (features, thresholds): lists that reach them
  std::vector<std::int64_t> feature_counts; // of each candidate
  std::vector<std::uint32_t> ids;
  std::vector<double> values;
};

// A feature, by its number in the list, and the node it is about.
struct Written {
  std::uint32_t number;
  std::int32_t node;
};

// Collects the features of one list, candidate by candidate.
class ListFeatures {
public:
  explicit ListFeatures(const base::Symbols &symbols) : symbols_(symbols), slots_(1 << 8) {}

  // Names are written token by token; those that begin alike share the work: cut() goes back.
  std::size_t size() const { return tokens_.size(); }
  void cut(std::size_t size) {
    tokens_.resize(size);
    states_.resize(size + 1);
  }
  ListFeatures &add(base::Symbol token, bool lexicalised = false) {
    tokens_.push_back(token);
    const auto &last = states_.back();
    states_.push_back({last.fold.then(symbols_.fold(token)), last.lexicalised || lexicalised});
    return *this;
  }
  bool lexicalised() const { return states_.back().lexicalised; }
  // From now on every feature that is written is noted with the node that was last named.
  void watch(std::vector<Written> *written) { written_ = written; }
  void at(std::size_t node) { node_ = static_cast<std::int32_t>(node); }
  // The candidate has the feature whose name was written: once at most, or so often more.
  void set() { record(0); }
  void count(std::uint32_t times = 1) { record(times); }
  // Does the work, which writes features; where some was done under the same key for an earlier
  // candidate, what came of it is taken instead. The key holds all that the work depends on.
  template <typename Work> void once(const base::Fold &key, Work work) {
    const auto number = done_.add(key.fingerprint());
    if (number < results_.size()) {
      for (auto at = results_[number]; log_[at].number != base::FingerprintTable::none; ++at)
        take(log_[at]);
      return;
    }
    results_.push_back(log_.size());
    work();
    log_.push_back({base::FingerprintTable::none, 0});
  }

  void next_candidate() {
    first_ = entries_.size();
    next_piece();
  }
  // Goes on with the next piece of the same candidate, which has entries of its own.
  void next_piece() { starts_.push_back(entries_.size()); }
  // Adds the list to others, and forgets it.
  void finish(std::span<const std::int64_t> thresholds, bool keep_all, EncodedLists &out);

private:
  struct State {
    base::Fold fold;
    bool lexicalised;
  };
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t check = 0, number = base::NumberSlot::none;

    bool is_free() const { return number == base::NumberSlot::none; }
  };
  struct Feature {
    base::Fingerprint fingerprint;
    std::size_t tokens;                  // where its name begins
    std::size_t entry;                   // its last
    std::uint32_t candidates, low, high; // that have it, and the extremes of its value
  };
  struct Entry {
    std::uint32_t number, value;
  };

  // A feature that was written, and how much it adds; 0 for one that is there or not.
  struct Result {
    std::uint32_t number, times;
  };

  void record(std::uint32_t times) {
    log_.push_back({number_of(states_.back().fold.fingerprint()), times});
    take(log_.back());
  }
  void take(const Result &result) {
    if (written_ != nullptr)
      written_->push_back({result.number, node_});
    auto &feature = features_[result.number];
    if (feature.entry >= starts_.back() && feature.entry < entries_.size()) {
      entries_[feature.entry].value += result.times;
      return;
    }
    if (result.times == 0 && feature.entry >= first_ && feature.entry < entries_.size())
      return; // an earlier piece has it
    feature.entry = entries_.size();
    entries_.push_back({result.number, result.times == 0 ? 1 : result.times});
  }
  std::uint32_t number_of(const base::Fingerprint &one);
  void summarise();

  const base::Symbols &symbols_;
  std::vector<Written> *written_ = nullptr;
  std::int32_t node_ = 0;
  std::vector<base::Symbol> tokens_; // of the name being written
  std::vector<State> states_{{{}, false}};
  base::HashIndex<Slot> slots_;
  std::vector<Feature> features_;
  std::vector<base::Symbol> names_; // tokens of all features
  std::vector<Entry> entries_;
  std::vector<std::size_t> starts_; // of each candidate's or piece's entries
  std::size_t first_ = 0;           // entry of the candidate
  std::vector<std::uint32_t> numbers_;
  base::FingerprintTable done_;      // keys of the work that was done
  std::vector<std::size_t> results_; // of each, where its results begin
  std::vector<Result> log_;
};

} // namespace runoff::features
