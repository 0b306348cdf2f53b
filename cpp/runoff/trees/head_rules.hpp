// Which child of a constituent is its head; the table comes from runoff/data/heads.py.
#pragma once

#include "runoff/base/fingerprints.hpp"

namespace runoff {

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
  HeadRules(const HeadTable &table, Symbols &symbols);

  // The place of the head among the labels of a constituent's children, of which there is one.
  std::size_t head(Symbol label, std::span<const Symbol> children) const;
  bool is_punctuation(Symbol label) const { return has(label, punctuation); }
  bool is_noun_phrase(Symbol label) const { return has(label, noun_phrase); }
  bool is_conjunction(Symbol label) const { return has(label, conjunction); }

private:
  struct Scan {
    bool from_left, in_order;
    std::vector<Symbol> labels;
  };
  enum Kind : unsigned char { noun_phrase = 1, punctuation = 2, conjunction = 4 };

  bool has(Symbol label, Kind kind) const { return label < kinds_.size() && kinds_[label] & kind; }
  void mark(Symbol label, Kind kind);
  std::size_t by_rules(Symbol label, std::span<const Symbol> children) const;

  std::vector<std::vector<Scan>> rules_; // by label, where it has one
  std::vector<unsigned char> kinds_;     // by label
  Symbol possessive_;
};

} // namespace runoff
