#include "runoff/classification/training_states.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"

#include <cmath>
#include <stdexcept>

namespace runoff::classification {
namespace {

// The next of a sequence of random numbers (splitmix64, Steele et al. 2014).
std::uint64_t next_random(std::uint64_t &state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void require(bool holds) {
  if (!holds)
    throw std::invalid_argument("the columns do not hold trees to learn from");
}

void check_tree(const LearnedTrees &trees, std::size_t begin, std::size_t end,
                const ItemLabels &known) {
  std::vector<std::size_t> open;
  std::size_t words = 0;
  for (auto node = begin; node < end; ++node) {
    while (!open.empty() && open.back() <= node)
      open.pop_back();
    require(open.empty() == (node == begin));
    const auto stop = begin + base::at(trees.ends[node]), label = base::at(trees.labels[node]);
    require(trees.ends[node] > 0 && stop > node && stop <= (open.empty() ? end : open.back()));
    const bool is_word = stop == node + 1;
    require(is_word ? label < known.tags : label >= known.tags && label < known.labels);
    require((label == known.top) == (node == begin));
    const auto word = static_cast<std::uint32_t>(trees.words[node]);
    require(is_word ? trees.words[node] >= 0 && number_of(word) < known.words
                    : trees.words[node] == -1);
    words += is_word;
    open.push_back(stop);
  }
  require(begin < end && begin + base::at(trees.ends[begin]) == end && words <= most_words);
}

} // namespace

void LearnedTrees::check(const ItemLabels &known) const {
  base::check_offsets(offsets, labels.size(), "trees");
  require(labels.size() == ends.size() && labels.size() == words.size());
  for (std::size_t tree = 0; tree + 1 < offsets.size(); ++tree)
    check_tree(*this, base::at(offsets[tree]), base::at(offsets[tree + 1]), known);
}

// A tree that is being built: its nodes, and the frontier.
struct TrainingStates::Path {
  struct Node {
    std::uint32_t above = 0, children = 0, waiting = 0; // waiting: children to be inferred
  };
  std::vector<Node> nodes;
  std::vector<std::uint32_t> todo;   // phrases, children before parents, in the strategy's order
  std::vector<std::uint32_t> owners; // frontier place -> node
  std::vector<ItemId> frontier;
  std::span<const Item> items;
  std::uint32_t words = 0;

  Path(const LearnedTrees &trees, std::size_t tree, Strategy strategy);
  // The nodes that may be inferred next: one, or bottom-up all whose children are there.
  std::vector<std::uint32_t> ready(Strategy strategy) const {
    std::vector<std::uint32_t> found;
    if (strategy != Strategy::bottom_up)
      return {todo.front()};
    for (const auto node : todo)
      if (nodes[node].waiting == 0)
        found.push_back(node);
    return found;
  }
  // The children of a node, all of which are on the frontier.
  Candidate children(std::uint32_t node) const {
    const auto child = std::ranges::find_if(owners, [&](auto n) { return nodes[n].above == node; });
    return {static_cast<std::uint32_t>(child - owners.begin()), nodes[node].children};
  }
  // Puts a node's item in place of its children.
  void infer(std::uint32_t node, Candidate children, ItemId item) {
    const auto first = static_cast<std::ptrdiff_t>(children.first);
    const auto rest = first + static_cast<std::ptrdiff_t>(children.size);
    frontier.erase(frontier.begin() + first + 1, frontier.begin() + rest);
    owners.erase(owners.begin() + first + 1, owners.begin() + rest);
    frontier[children.first] = item;
    owners[children.first] = node;
    if (node > 0)
      --nodes[nodes[node].above].waiting;
    todo.erase(std::ranges::find(todo, node));
  }
};

TrainingStates::Path::Path(const LearnedTrees &trees, std::size_t tree, Strategy strategy) {
  const auto begin = base::at(trees.offsets[tree]), end = base::at(trees.offsets[tree + 1]);
  nodes.resize(end - begin);
  std::vector<std::uint32_t> open;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    while (!open.empty() && base::at(trees.ends[begin + open.back()]) <= node)
      open.pop_back();
    if (!open.empty()) {
      nodes[node].above = open.back();
      ++nodes[open.back()].children;
    }
    if (base::at(trees.ends[begin + node]) > node + 1) {
      if (!open.empty())
        ++nodes[open.back()].waiting;
      open.push_back(node);
      todo.push_back(node);
    } else {
      owners.push_back(node);
    }
  }
  nodes[0].above = static_cast<std::uint32_t>(nodes.size()); // nothing is above the root
  if (strategy != Strategy::left_to_right) {
    std::ranges::reverse(todo); // parents first, left to right: reversed, right to left, upwards
    return;
  }
  // Parents after children, left to right: by the ends of their subtrees, the inner ones first.
  std::ranges::stable_sort(todo, [&](auto a, auto b) {
    const auto end_a = trees.ends[begin + a], end_b = trees.ends[begin + b];
    return end_a != end_b ? end_a < end_b : a > b;
  });
}

TrainingStates::TrainingStates(const ItemLabels &labels, Strategies strategies,
                               const LearnedTrees &trees, std::span<const std::int64_t> chosen,
                               const Options &options, const base::Poll &poll)
    : labels_(labels), strategies_(strategies), options_(options) {
  if (!(options.balance >= 0.0 && options.balance <= 1.0))
    throw std::invalid_argument("balance must lie between 0 and 1");
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    if (n % 256 == 0)
      poll();
    if (chosen[n] < 0 || base::at(chosen[n]) + 1 >= trees.offsets.size())
      throw std::invalid_argument("a chosen tree is out of range");
    add_tree(trees, base::at(chosen[n]));
  }
}

void TrainingStates::add_tree(const LearnedTrees &trees, std::size_t tree) {
  Path path(trees, tree, strategies_.strategy);
  const auto begin = base::at(trees.offsets[tree]), base_item = items_.size();
  const auto label_of = [&](std::uint32_t node) {
    return static_cast<std::uint16_t>(trees.labels[begin + node]);
  };
  for (const auto node : path.owners) {
    const auto place = static_cast<std::uint16_t>(path.words++);
    path.frontier.push_back(place);
    items_.push_back({static_cast<std::uint32_t>(trees.words[begin + node]), label_of(node),
                      label_of(node), place, static_cast<std::uint16_t>(place + 1), place});
  }
  std::vector<Positive> correct;
  std::uint64_t random = options_.seed ^ (tree * 0x9e3779b97f4a7c15);
  auto last = strategies_.first_place(path.frontier.size());
  while (!path.todo.empty()) {
    const auto ready = path.ready(strategies_.strategy);
    correct.clear();
    for (const auto node : ready)
      if (const auto children = path.children(node); children.size <= strategies_.max_children)
        correct.push_back({children, label_of(node)});
    path.items = std::span(items_).subspan(base_item);
    add_state(path, last, correct);
    const auto node = ready.size() == 1 ? ready[0] : ready[next_random(random) % ready.size()];
    const auto children = path.children(node);
    too_wide_ += children.size > strategies_.max_children;
    const TreeCut cut{path.items, path.frontier, path.words, last};
    items_.push_back(cut.infer(labels_, children, label_of(node)));
    path.infer(node, children, static_cast<ItemId>(items_.size() - 1 - base_item));
    last = children.first;
  }
  sentences_.push_back(
      {base_item, static_cast<std::uint32_t>(items_.size() - base_item), path.words});
}

void TrainingStates::add_state(const Path &path, std::uint32_t last,
                               std::span<const Positive> correct) {
  const TreeCut cut{path.items, path.frontier, path.words, last};
  std::size_t inferences = 0;
  strategies_.each(path.frontier.size(), last,
                   [&](Candidate one) { inferences += cut.choices(labels_, one); });
  const auto negatives = inferences - correct.size();
  const double shared = std::pow(static_cast<double>(negatives), options_.balance);
  states_.push_back({frontiers_.size(), static_cast<std::uint32_t>(path.frontier.size()),
                     static_cast<std::uint32_t>(sentences_.size()), last,
                     static_cast<std::uint32_t>(positives_.size()),
                     negatives > 0 ? static_cast<float>(0.5 / shared) : 0});
  if (states_.size() >= unknown_word)
    throw std::invalid_argument("there are too many states");
  frontiers_.insert(frontiers_.end(), path.frontier.begin(), path.frontier.end());
  positives_.insert(positives_.end(), correct.begin(), correct.end());
}

TreeCut TrainingStates::cut(std::size_t state) const {
  const auto &found = states_[state];
  const auto &sentence = sentences_[found.sentence];
  return {std::span(items_).subspan(sentence.items, sentence.size),
          std::span(frontiers_).subspan(found.frontier, found.size), sentence.words, found.last};
}

std::span<const TrainingStates::Positive> TrainingStates::positives_of(std::size_t state) const {
  const auto end = state + 1 < states_.size() ? states_[state + 1].positives : positives_.size();
  return std::span(positives_).subspan(states_[state].positives, end - states_[state].positives);
}

std::pair<bool, float> TrainingStates::judged(std::size_t state, Candidate one,
                                              std::uint16_t label) const {
  const auto correct = positives_of(state);
  const bool is_correct = std::ranges::any_of(correct, [&](const Positive &gold) {
    return gold.label == label && gold.children.first == one.first &&
           gold.children.size == one.size;
  });
  return {is_correct, is_correct ? static_cast<float>(0.5 / static_cast<double>(correct.size()))
                                 : states_[state].negative};
}

TrainingStates::Examples TrainingStates::examples(std::uint16_t label) const {
  Examples made;
  for (std::size_t state = 0; state < states_.size(); ++state) {
    const TreeCut here = cut(state);
    strategies_.each(here.frontier.size(), here.last, [&](Candidate one) {
      if (!here.allows(labels_, one, label))
        return;
      const auto [is_correct, bias] = judged(state, one, label);
      made.pointers.push_back(pointer(state, one));
      made.y.push_back(is_correct ? 1 : -1);
      made.bias.push_back(bias);
    });
  }
  return made;
}

std::uint64_t TrainingStates::candidates() const {
  std::uint64_t count = 0;
  for (const auto &state : states_)
    strategies_.each(state.size, state.last, [&](Candidate) { ++count; });
  return count;
}

std::uint64_t TrainingStates::inferences() const {
  std::uint64_t count = 0;
  for (std::size_t state = 0; state < states_.size(); ++state) {
    const TreeCut here = cut(state);
    strategies_.each(here.frontier.size(), here.last,
                     [&](Candidate one) { count += here.choices(labels_, one); });
  }
  return count;
}

std::size_t TrainingStates::bytes() const {
  return items_.capacity() * sizeof(Item) + frontiers_.capacity() * sizeof(ItemId) +
         sentences_.capacity() * sizeof(Sentence) + states_.capacity() * sizeof(State) +
         positives_.capacity() * sizeof(Positive);
}

std::vector<std::uint64_t> TrainingStates::seen_atoms(const InferenceAtoms &atoms,
                                                      const base::Poll &poll) const {
  std::vector<bool> seen(atoms.size());
  std::vector<decision_trees::Atom> present;
  std::vector<std::uint32_t> heads;
  for (std::size_t state = 0; state < states_.size(); ++state) {
    if (state % 256 == 0)
      poll();
    const TreeCut here = cut(state);
    strategies_.each(here.frontier.size(), here.last, [&](Candidate one) {
      heads.clear();
      for (auto label = labels_.tags; label < labels_.labels; ++label)
        if (here.allows(labels_, one, static_cast<std::uint16_t>(label)))
          heads.push_back(here.head(labels_, one, static_cast<std::uint16_t>(label)));
      std::ranges::sort(heads);
      heads.erase(std::ranges::unique(heads).begin(), heads.end());
      for (const auto head : heads) {
        atoms.extract(here, {one, head}, present);
        for (const auto atom : present)
          seen[atom] = true;
      }
    });
  }
  std::vector<std::uint64_t> counts(atoms.groups() + 1);
  for (std::size_t atom = 0; atom < seen.size(); ++atom)
    counts[atoms.group_of(static_cast<decision_trees::Atom>(atom))] += seen[atom];
  return counts;
}

} // namespace runoff::classification
