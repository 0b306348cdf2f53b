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
