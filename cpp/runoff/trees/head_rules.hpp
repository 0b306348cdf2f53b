// Which child of a constituent is its head; the table comes from runoff/data/heads.py.
#pragma once

#include "runoff/base/fingerprints.hpp"

namespace runoff::trees {

// One step of a rule: the first child, seen from a side, that has one of the labels; with
// in_order, labels earlier in the list win over children nearer to that side.
struct HeadScan {
  bool from_left;
  std::vector<std::string> labels;
  bool in_order;
};

struct HeadTable {
  std::unordered_map<std::string, std::vector<HeadScan>> rules;
  std::vector<std::string> noun_phrases, punctuation;
};

// The table in terms of symbols.
class HeadRules {
public:
  HeadRules(const HeadTable &table, base::Symbols &symbols);

  // The place of the head among the labels of a constituent's children, of which there is one.
  std::size_t head(base::Symbol label, std::span<const base::Symbol> children) const;
  bool is_punctuation(base::Symbol label) const { return has(label, punctuation); }
  bool is_noun_phrase(base::Symbol label) const { return has(label, noun_phrase); }
  bool is_conjunction(base::Symbol label) const { return has(label, conjunction); }

private:
  struct Scan {
    bool from_left, in_order;
    std::vector<base::Symbol> labels;
  };
  enum Kind : unsigned char { noun_phrase = 1, punctuation = 2, conjunction = 4 };

  bool has(base::Symbol label, Kind kind) const {
    return label < kinds_.size() && kinds_[label] & kind;
  }
  void mark(base::Symbol label, Kind kind);
  std::size_t by_rules(base::Symbol label, std::span<const base::Symbol> children) const;

  std::vector<std::vector<Scan>> rules_; // by label, where it has one
  std::vector<unsigned char> kinds_;     // by label
  base::Symbol possessive_;
};

} // namespace runoff::trees
