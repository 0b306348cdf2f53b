#include "runoff/parsing/latent_grammar.hpp"

#include "runoff/base/at.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runoff::parsing {
namespace {

constexpr double UNSEEN = 1e-6;
constexpr double RULE_SMOOTHING = 0.01, WORD_SMOOTHING = 0.05; // Petrov et al. 2006, section 2.4
constexpr double STEPS = 2048;                                 // of a code, for a factor of 2

void require(bool holds, const char *problem) {
  if (!holds)
    throw std::invalid_argument(problem);
}

std::uint64_t key(const LatentRule &rule) {
  return base::at(rule.parent) << 48 | base::at(rule.left + 1) << 32 |
         static_cast<std::uint32_t>(rule.right);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

std::size_t LatentForest::Hash::operator()(const LatentNode &node) const {
  std::uint64_t mixed = base::at(node.symbol);
  for (const auto part : {node.left, node.right})
    mixed = (mixed ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ mixed >> 32;
}

void LatentForest::clear() {
  nodes_.clear();
  places_.clear();
}

std::size_t LatentForest::add(std::span<const LatentNode> tree) {
  const auto placed = [&](std::int32_t child) { return child < 0 ? -1 : added_[base::at(child)]; };
  added_.clear();
  for (auto node : tree) {
    if (node.left >= 0)
      node = {node.symbol, placed(node.left), placed(node.right)};
    const auto [found, is_new] = places_.try_emplace(node, nodes_.size());
    if (is_new)
      nodes_.push_back(node);
    added_.push_back(found->second);
  }
  return base::at(added_.back());
}

LatentTreeReader::LatentTreeReader(std::span<const std::string> labels) {
  for (const auto &label : labels)
    labels_.emplace(label, static_cast<Label>(labels_.size()));
}

void LatentTreeReader::read(std::string_view brackets, std::span<const Word> words,
                            LatentTree &tree) {
  trees::BracketScanner scanner;
  flat_.clear();
  scanner.feed(brackets, flat_);
  scanner.finish();
  require(flat_.size() == 1, "there must be one tree");
  const trees::FlatTree &flat = flat_.front();
  require(!words.empty() && flat.words.size() == words.size(),
          "a tree has other words than its sentence");
  tree.clear();
  places_.assign(flat.labels.size(), 0);
  const auto add = [&](LatentNode node) {
    tree.push_back(node);
    return static_cast<std::int32_t>(tree.size()) - 1;
  };
  for (std::size_t node = flat.labels.size(); node-- > 0;) { // children before parents
    const auto known = labels_.find(flat.labels[node]);
    const auto label = known == labels_.end() ? labels() - 1 : known->second;
    const auto end = base::at(flat.ends[node]);
    if (end == node + 1) {
      require(flat.stops[node] - flat.starts[node] == 1, "a tag must stand on one word");
      places_[node] = add({label, -1, words[base::at(flat.starts[node])]});
      continue;
    }
    children_.clear();
    auto covered = flat.starts[node];
    for (auto child = node + 1; child < end; child = base::at(flat.ends[child])) {
      require(flat.starts[child] == covered, "a word has no tag");
      covered = flat.stops[child];
      children_.push_back(places_[child]);
    }
    require(covered == flat.stops[node], "a word has no tag");
    if (children_.size() == 1) {
      places_[node] = add({label, children_[0], -1});
      continue;
    }
    auto right = children_.back();
    for (auto child = children_.size() - 2; child > 0; --child)
      right = add({labels() + label, children_[child], right});
    places_[node] = add({label, children_[0], right});
  }
}

std::pair<std::uint32_t, std::uint32_t> LatentRules::below(const LatentRule &rule) const {
  if (rule.left < 0)
    return {1, 1};
  return {substates[base::at(rule.left)], rule.right < 0 ? 1 : substates[base::at(rule.right)]};
}

LatentEntry LatentRules::entry_at(const LatentRule &rule, std::uint32_t place,
                                  float probability) const {
  const auto [lefts, rights] = below(rule);
  require(place / rights / lefts < substates[base::at(rule.parent)],
          "an entry of a grammar with substates is out of range");
  return {static_cast<std::uint8_t>(place / rights / lefts),
          static_cast<std::uint8_t>(place / rights % lefts),
          static_cast<std::uint8_t>(place % rights), probability};
}

void LatentRules::check_rules() const {
  const auto symbols = 2 * labels;
  require(labels > 0 && labels < 1 << 14 && substates.size() == base::at(symbols),
          "a grammar with substates has the wrong number of labels");
  for (const auto count : substates)
    require(count > 0, "a label has no substate");
  require(offsets.size() == rules.size() + 1 && offsets.front() == 0 &&
              offsets.back() == entries.size(),
          "the rules of a grammar with substates have the wrong number of entries");
  for (std::size_t n = 0; n < rules.size(); ++n) {
    const auto &rule = rules[n];
    const bool lexical = rule.left == -1;
    require(rule.parent >= 0 && rule.parent < symbols && rule.left >= -1 && rule.left < symbols &&
                (lexical ? rule.right >= 0 : rule.right >= -1 && rule.right < symbols) &&
                (n == 0 || rules[n - 1] < rule),
            "a rule of a grammar with substates is out of range or out of order");
    require(offsets[n] <= offsets[n + 1] && offsets[n + 1] <= entries.size(),
            "the entries of a grammar with substates are out of order");
  }
}

void LatentRules::check() const {
  check_rules();
  for (std::size_t n = 0; n < rules.size(); ++n) {
    const auto &rule = rules[n];
    const auto own = of(n);
    const auto [lefts, rights] = below(rule);
    for (std::size_t e = 0; e < own.size(); ++e)
      require(own[e].parent < substates[base::at(rule.parent)] && own[e].left < lefts &&
                  own[e].right < rights && own[e].probability > 0 && own[e].probability <= 1 &&
                  (e == 0 || place(rule, own[e - 1]) < place(rule, own[e])),
              "an entry of a grammar with substates is out of range or out of order");
  }
}

double latent_smoothing(const LatentNode &node) {
  return node.left < 0 ? WORD_SMOOTHING : RULE_SMOOTHING;
}

void share(std::span<double> values, double amount) {
  const double common = amount * mean(values);
  for (auto &value : values)
    value = (1 - amount) * value + common;
}

void LatentInside::run(const LatentRules &grammar, std::span<const LatentNode> nodes,
                       std::span<const std::int32_t> rules) {
  offsets_.assign(1, 0);
  for (const auto &node : nodes)
    offsets_.push_back(offsets_.back() + grammar.substates[base::at(node.symbol)]);
  values_.assign(offsets_.back(), 0.0);
  largest_.resize(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto &node = nodes[n];
    double *const values = values_.data() + offsets_[n];
    const std::span own(values, offsets_[n + 1] - offsets_[n]);
    const double *const left =
        node.left < 0 ? nullptr : values_.data() + offsets_[base::at(node.left)];
    const double *const right =
        node.left < 0 || node.right < 0 ? nullptr : values_.data() + offsets_[base::at(node.right)];
    if (rules[n] != UNSEEN_RULE) {
      const auto entries = grammar.of(base::at(rules[n]));
      if (right)
        for (auto entry = entries.begin(); entry != entries.end();) {
          const auto parent = entry->parent, first = entry->left;
          double sum = 0; // over the substates to the right, in a register
          do
            sum += entry->probability * right[entry->right];
          while (++entry != entries.end() && entry->parent == parent && entry->left == first);
          values[parent] += left[first] * sum;
        }
      else if (left)
        for (const auto &entry : entries)
          values[entry.parent] += entry.probability * left[entry.left];
      else
        for (const auto &entry : entries)
          values[entry.parent] += entry.probability;
    }
    if (*std::ranges::max_element(own) <= 0)
      std::ranges::fill(own, UNSEEN * (left ? mean(of(base::at(node.left))) : 1.0) *
                                 (right ? mean(of(base::at(node.right))) : 1.0));
    share(own, latent_smoothing(node));
    largest_[n] = *std::ranges::max_element(own);
    for (auto &value : own)
      value /= largest_[n];
  }
}

LatentGrammar::LatentGrammar(LatentRules rules) : rules_(std::move(rules)) {
  rules_.check();
  for (std::size_t n = 0; n < rules_.rules.size(); ++n)
    numbers_.emplace(key(rules_.rules[n]), static_cast<std::int32_t>(n));
}

std::vector<double> LatentGrammar::log_probabilities(std::span<const LatentNode> nodes,
                                                     std::span<const std::size_t> tops) const {
  thread_local LatentInside inside;
  thread_local std::vector<std::int32_t> numbers;
  thread_local std::vector<double> divided; // by how much all below a node was, as a logarithm
  numbers.clear();
  for (const auto &node : nodes) {
    const auto found = numbers_.find(key(rule_of(nodes, node)));
    numbers.push_back(found == numbers_.end() ? UNSEEN_RULE : found->second);
  }
  inside.run(rules_, nodes, numbers);
  divided.resize(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto &node = nodes[n];
    divided[n] = std::log(inside.largest(n));
    if (node.left >= 0)
      divided[n] +=
          divided[base::at(node.left)] + (node.right < 0 ? 0 : divided[base::at(node.right)]);
  }
  std::vector<double> result;
  for (const auto top : tops)
    result.push_back(divided[top] + std::log(mean(inside.of(top))));
  return result;
}

LatentRule rule_of(std::span<const LatentNode> tree, const LatentNode &node) {
  if (node.left < 0)
    return {node.symbol, -1, node.right};
  return {node.symbol, tree[base::at(node.left)].symbol,
          node.right < 0 ? -1 : tree[base::at(node.right)].symbol};
}

std::uint16_t latent_code(double probability) {
  const double code = std::round(-STEPS * std::log2(probability));
  return static_cast<std::uint16_t>(std::clamp(code, 0.0, 65535.0));
}

float latent_probability(std::uint16_t code) {
  return static_cast<float>(std::exp2(-static_cast<double>(code) / STEPS));
}

} // namespace runoff::parsing
