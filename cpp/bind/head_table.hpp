// Tables of head rules, and symbols, as Python gives and takes them.
#pragma once

#include "bind.hpp"
#include "runoff/trees/head_rules.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

using Texts = std::vector<std::string>;
using Scans = std::vector<std::tuple<bool, Texts, bool>>;
using Rules = std::unordered_map<std::string, Scans>;

struct HeadTable {
  HeadTable(const Rules &rules, Texts noun_phrases, Texts punctuation)
      : table{{}, std::move(noun_phrases), std::move(punctuation)} {
    for (const auto &[label, scans] : rules)
      for (const auto &[from_left, labels, in_order] : scans)
        table.rules[label].push_back({from_left, labels, in_order});
  }

  runoff::trees::HeadTable table;
};

inline nb::list names_of(const runoff::base::Symbols &symbols) {
  nb::list names;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    names.append(text_of(symbols.text(static_cast<runoff::base::Symbol>(i))));
  return names;
}
