#include "runoff/tree_translation/rule_extraction.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::tree_translation {

using base::at;
using translation::Link;

namespace {

constexpr std::size_t PAIRS_PER_CHUNK = 4096, PAIRS_PER_BLOCK = 64;

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

// The spans of the nodes of a tree, and which nodes are on the frontier.
class Frontier {
public:
  struct Span {
    std::size_t begin = 0, end = 0; // target words
    bool empty() const { return begin == end; }
  };

  Frontier(const SourceTree &tree, std::size_t target_size, std::span<const Link> links,
           bool deletions)
      : spans(tree.size()), is_frontier(tree.size()) {
    std::vector<std::size_t> by_source(tree.words() + 1), by_target(target_size + 1);
    std::vector<Span> words(tree.words(), Span{target_size, 0});
    for (const auto &link : links) {
      require(link.source < words.size() && link.target < target_size,
              "a link lies outside its sentences");
      ++by_source[link.source + 1];
      ++by_target[link.target + 1];
      auto &own = words[link.source];
      own.begin = std::min(own.begin, std::size_t{link.target});
      own.end = std::max(own.end, std::size_t{link.target} + 1);
    }
    for (std::size_t i = 0; i + 1 < by_source.size(); ++i)
      by_source[i + 1] += by_source[i];
    for (std::size_t j = 0; j + 1 < by_target.size(); ++j)
      by_target[j + 1] += by_target[j];
    for (std::uint32_t node = tree.size(); node-- > 0;) {
      Span own{target_size, 0};
      if (tree.is_word(node))
        own = words[tree.first_words[node]];
      tree.children(node, [&](std::uint32_t child) {
        if (!spans[child].empty()) {
          own.begin = std::min(own.begin, spans[child].begin);
          own.end = std::max(own.end, spans[child].end);
        }
      });
      if (own.begin > own.end)
        own = {0, 0};
      const auto inside = by_source[tree.last_words[node]] - by_source[tree.first_words[node]];
      const auto touched = by_target[own.end] - by_target[own.begin];
      spans[node] = own;
      is_frontier[node] = !tree.is_word(node) && inside == touched && (inside > 0 || deletions);
    }
    if (tree.size() > 0 && !links.empty())
      spans[0] = {0, target_size};
  }

  std::vector<Span> spans;
  std::vector<std::uint8_t> is_frontier;
};

// Variables of a rule from the left, and how many minimal rules it is made of.
struct Fragment {
  std::vector<std::uint32_t> variables;
  std::size_t size;
};

// The frontier nodes right below a node.
std::vector<std::uint32_t> minimal_variables(const SourceTree &tree, const Frontier &frontier,
                                             std::uint32_t root) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = root + 1; node < tree.ends[root];) {
    if (frontier.is_frontier[node] != 0) {
      found.push_back(node);
      node = tree.ends[node];
    } else {
      ++node;
    }
  }
  return found;
}

// All rules with a root: the minimal one, and those with rules below in place of variables.
std::vector<Fragment> fragments_of(std::span<const std::uint32_t> variables,
                                   const std::vector<std::vector<Fragment>> &below,
                                   const ExtractionOptions &how) {
  std::vector<Fragment> made{{{}, 1}};
  for (const auto variable : variables) {
    std::vector<Fragment> longer;
    for (const auto &one : made) {
      longer.push_back(one);
      longer.back().variables.push_back(variable);
    }
    for (const auto &one : made)
      for (const auto &own : below[variable]) {
        if (one.size + own.size > how.compose)
          break;
        longer.push_back({one.variables, one.size + own.size});
        auto &all = longer.back().variables;
        all.insert(all.end(), own.variables.begin(), own.variables.end());
      }
    std::ranges::stable_sort(longer, {}, &Fragment::size);
    if (longer.size() > how.most)
      longer.resize(how.most);
    made = std::move(longer);
  }
  std::erase_if(made, [](const Fragment &one) { return one.variables.size() > MOST_VARIABLES; });
  return made;
}

// The target of a rule. Variables without a span keep their order, before the next one with a span.
std::vector<std::uint32_t> target_of(const Frontier &frontier, std::uint32_t root,
                                     std::span<const std::uint32_t> variables) {
  struct Place {
    std::size_t begin, end;
    std::uint32_t variable;
  };
  const auto whole = frontier.spans[root];
  std::vector<Place> places;
  std::size_t next = whole.end;
  for (std::size_t i = variables.size(); i-- > 0;) {
    const auto own = frontier.spans[variables[i]];
    if (!own.empty())
      next = own.begin;
    places.push_back({own.empty() ? next : own.begin, own.empty() ? next : own.end,
                      static_cast<std::uint32_t>(i)});
  }
  std::ranges::sort(places, [](const Place &a, const Place &b) {
    return a.begin != b.begin ? a.begin < b.begin
           : a.end != b.end   ? a.end < b.end
                              : a.variable < b.variable;
  });
  std::vector<std::uint32_t> target;
  std::size_t place = whole.begin;
  const auto words_until = [&](std::size_t end) {
    for (; place < end; ++place)
      target.push_back(static_cast<std::uint32_t>(place));
  };
  for (const auto &one : places) {
    words_until(one.begin);
    target.push_back(VARIABLE + one.variable);
    place = one.end;
  }
  words_until(whole.end);
  return target;
}

// The rules of a sentence pair as a counter takes them, end to end.
struct Instances {
  struct Ends {
    std::size_t decisions, target;
    std::uint32_t root;
    std::array<float, 2> lexical;
  };
  std::vector<std::uint32_t> decisions, target;
  std::vector<Ends> rules;
};

struct Pair {
  SourceTree tree;
  std::vector<std::uint32_t> source; // its words
  std::span<const std::uint32_t> target;
  std::span<const Link> links;
  translation::LinkedPlaces by_source, by_target;
};

class Extraction {
public:
  Extraction(const ParsedBitext &bitext, const ExtractionOptions &how, RuleCounter &counter)
      : bitext_(bitext), how_(how), counter_(counter) {}

  std::vector<std::uint32_t> run(const base::Threads &threads) {
    const std::size_t n = bitext_.trees.size();
    for (std::size_t s = 0; s < n; ++s) {
      if (s % 1024 == 0)
        threads.poll();
      const auto pair = read(s);
      target_words_.count(pair.target, pair.source, pair.by_target);
      source_words_.count(pair.source, pair.target, pair.by_source);
    }
    std::vector<std::uint32_t> found(n);
    for (std::size_t first = 0; first < n; first += PAIRS_PER_CHUNK) {
      const std::size_t size = std::min(PAIRS_PER_CHUNK, n - first);
      std::vector<Pair> pairs;
      for (std::size_t s = first; s < first + size; ++s) {
        pairs.push_back(read(s));
        counter_.number_productions(pairs.back().tree, how_.any_label);
      }
      std::vector<Instances> made(size);
      base::in_blocks(size, PAIRS_PER_BLOCK, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          made[i] = instances(pairs[i]);
      });
      for (std::size_t i = 0; i < size; ++i) {
        add(made[i]);
        found[first + i] = static_cast<std::uint32_t>(made[i].rules.size());
      }
    }
    return found;
  }

private:
  Pair read(std::size_t s) const {
    const auto part = [s](const auto &all, const auto &bounds) {
      return all.subspan(at(bounds[s]), at(bounds[s + 1] - bounds[s]));
    };
    Pair pair{SourceTree(bitext_.trees[s]),
              {},
              part(bitext_.target, bitext_.target_offsets),
              part(bitext_.links, bitext_.link_offsets),
              {},
              {}};
    for (std::uint32_t node = 0; node < pair.tree.size(); ++node)
      if (pair.tree.is_word(node))
        pair.source.push_back(pair.tree.symbols[node]);
    pair.by_source.resize(pair.source.size());
    pair.by_target.resize(pair.target.size());
    for (const auto &link : pair.links) {
      require(link.source < pair.source.size() && link.target < pair.target.size(),
              "a link lies outside its sentences");
      pair.by_source[link.source].push_back(link.target);
      pair.by_target[link.target].push_back(link.source);
    }
    return pair;
  }

  Instances instances(const Pair &pair) const {
    Instances made;
    std::vector<double> source_weights, target_weights;
    source_words_.weigh(pair.source, pair.target, pair.by_source, source_weights);
    target_words_.weigh(pair.target, pair.source, pair.by_target, target_weights);
    // What the source words before each place weigh together.
    std::vector<double> sums{0};
    for (const double weight : source_weights)
      sums.push_back(sums.back() + weight);
    const auto below = [&](std::uint32_t node) {
      return sums[pair.tree.last_words[node]] - sums[pair.tree.first_words[node]];
    };
    std::vector<std::uint8_t> is_variable(pair.tree.size());
    std::vector<std::uint32_t> decisions;
    for (const auto &rule : rules_of(pair.tree, pair.target.size(), pair.links, how_)) {
      double given_target = below(rule.root), given_source = 0;
      for (const auto variable : rule.variables) {
        is_variable[variable] = 1;
        given_target -= below(variable);
      }
      write_decisions(pair.tree, rule.root, is_variable, decisions);
      for (const auto variable : rule.variables)
        is_variable[variable] = 0;
      made.decisions.insert(made.decisions.end(), decisions.begin(), decisions.end());
      for (const auto token : rule.target) {
        made.target.push_back(token >= VARIABLE ? token : pair.target[token]);
        given_source += token >= VARIABLE ? 0 : target_weights[token];
      }
      made.rules.push_back({made.decisions.size(),
                            made.target.size(),
                            pair.tree.symbols[rule.root],
                            {static_cast<float>(given_source), static_cast<float>(given_target)}});
      if (const auto any = pair.tree.any_productions[rule.root]; any != NONE) {
        made.decisions.push_back(any + 1);
        made.target.insert(made.target.end(), made.target.end() - at(rule.target.size()),
                           made.target.end());
        made.rules.push_back(
            {made.decisions.size(), made.target.size(), how_.any_label, made.rules.back().lexical});
      }
    }
    return made;
  }

  void add(const Instances &made) {
    std::size_t decisions = 0, target = 0;
    for (const auto &rule : made.rules) {
      counter_.add(std::span(made.decisions).subspan(decisions, rule.decisions - decisions),
                   std::span(made.target).subspan(target, rule.target - target), rule.root, 1,
                   rule.lexical);
      decisions = rule.decisions;
      target = rule.target;
    }
  }

  const ParsedBitext &bitext_;
  const ExtractionOptions &how_;
  RuleCounter &counter_;
  translation::WordProbabilities target_words_, source_words_; // given the other side
};

} // namespace

std::vector<PlacedRule> rules_of(const SourceTree &tree, std::size_t target_size,
                                 std::span<const Link> links, const ExtractionOptions &how) {
  const Frontier frontier(tree, target_size, links, how.deletions);
  if (links.empty())
    return {};
  std::vector<std::vector<Fragment>> fragments(tree.size());
  std::vector<PlacedRule> rules;
  for (std::uint32_t node = tree.size(); node-- > 0;)
    if (frontier.is_frontier[node] != 0)
      fragments[node] = fragments_of(minimal_variables(tree, frontier, node), fragments, how);
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    for (auto &one : fragments[node]) {
      auto target = target_of(frontier, node, one.variables);
      rules.push_back({node, std::move(one.variables), std::move(target), one.size});
    }
  return rules;
}

std::vector<std::uint32_t> extract_rules(const ParsedBitext &bitext, const ExtractionOptions &how,
                                         RuleCounter &counter, const base::Threads &threads) {
  const std::size_t n = bitext.trees.size();
  require(how.compose >= 1 && how.most >= 1, "rules are made of at least one minimal rule");
  require(bitext.target_offsets.size() == n + 1 && bitext.link_offsets.size() == n + 1,
          "there must be a target and links for every tree");
  base::check_offsets(bitext.target_offsets, bitext.target.size(), "target");
  base::check_offsets(bitext.link_offsets, bitext.links.size(), "links");
  for (const auto word : bitext.target)
    require(word < VARIABLE, "the text has too many words");
  return Extraction(bitext, how, counter).run(threads);
}

} // namespace runoff::tree_translation
