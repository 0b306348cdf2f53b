#include "runoff/classification/parser.hpp"

#include <cmath>
#include <stdexcept>

namespace runoff::classification {
namespace {

constexpr std::uint32_t longest_way =
    4; // inferences for each word, before unary ones are ruled out

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The states of a sentence, made as they are reached; what they have in common is held once.
class ParseSpace {
public:
  using State = std::uint32_t;
  struct Step {
    std::uint16_t first, size, label;
    float cost; // of this inference, to be shown
  };
  struct Weighed {
    double cost;
    Step step;
  };

  ParseSpace(const LabelClassifiers &classifiers, const Strategies &strategies,
             const TaggedWords &sentence);

  State start() const { return 0; }
  bool many_paths() const { return strategies_.strategy == Strategy::bottom_up; }
  bool is_goal(State state) const { return cut(state).is_complete(labels_); }
  std::uint64_t key(State state) const { return nodes_[state].key; }
  void steps(State state, std::vector<Weighed> &out);
  State after(State state, const Step &step);
  ClassifiedParse parse(State goal, double cost) const;
  TreeCut cut(State state) const {
    const auto &node = nodes_[state];
    return {items_, std::span(frontiers_).subspan(node.frontier, node.size), words_, node.last};
  }

private:
  struct Node {
    std::size_t frontier; // where it begins
    std::uint32_t size, last, steps;
    std::uint64_t key; // the sum of what its phrases are mixed to
  };
  struct Below {
    std::size_t first; // in children_
    std::uint32_t size, step;
    float cost;
  };

  bool is_forced(const Node &node) const { return node.steps >= longest_way * (words_ + 1); }

  const ItemLabels &labels_;
  const Strategies &strategies_;
  std::uint32_t words_;
  std::vector<Item> items_;
  std::vector<Below> below_; // beside items_
  std::vector<ItemId> frontiers_, children_;
  std::vector<Node> nodes_;
  KnownScores known_;
};

ParseSpace::ParseSpace(const LabelClassifiers &classifiers, const Strategies &strategies,
                       const TaggedWords &sentence)
    : labels_(classifiers.labels()), strategies_(strategies),
      words_(static_cast<std::uint32_t>(sentence.words.size())), known_(classifiers) {
  for (std::uint32_t n = 0; n < words_; ++n) {
    const auto place = static_cast<std::uint16_t>(n);
    items_.push_back({sentence.words[n], sentence.tags[n], sentence.tags[n], place,
                      static_cast<std::uint16_t>(n + 1), place});
    below_.push_back({0, 0, 0, 0});
    frontiers_.push_back(n);
  }
  nodes_.push_back({0, words_, strategies.first_place(words_), 0, 0});
}

void ParseSpace::steps(State state, std::vector<Weighed> &out) {
  const TreeCut here = cut(state);
  const bool forced = is_forced(nodes_[state]);
  strategies_.each(here.frontier.size(), here.last, [&](Candidate one) {
    const auto h = known_.scores(here, one);
    for (std::size_t n = 0; n < h.size(); ++n) {
      const auto label = static_cast<std::uint16_t>(labels_.tags + n);
      if ((forced && one.size == 1 && label != labels_.top) || !here.allows(labels_, one, label))
        continue;
      const double cost = inference_cost(h[n]);
      out.push_back({cost,
                     {static_cast<std::uint16_t>(one.first), static_cast<std::uint16_t>(one.size),
                      label, static_cast<float>(cost)}});
    }
  });
}

ParseSpace::State ParseSpace::after(State state, const Step &step) {
  const Candidate one{step.first, step.size};
  const auto item = static_cast<ItemId>(items_.size());
  const auto made = cut(state).infer(labels_, one, step.label);
  items_.push_back(made);
  const auto from = nodes_[state];
  below_.push_back({children_.size(), step.size, from.steps, step.cost});
  const auto begin = from.frontier + step.first, rest = begin + step.size;
  const auto frontier = frontiers_.size();
  for (auto place = begin; place < rest; ++place)
    children_.push_back(frontiers_[place]);
  for (auto place = from.frontier; place < begin; ++place)
    frontiers_.push_back(frontiers_[place]);
  frontiers_.push_back(item);
  for (auto place = rest; place < from.frontier + from.size; ++place)
    frontiers_.push_back(frontiers_[place]);
  // A unary item is known by its child's label too: of A over B and B over A the items are the
  // same.
  const std::uint64_t child = made.is_unary() ? items_[made.left].label + 1u : 0u;
  const std::uint64_t what = (child << 48) | (std::uint64_t{made.label} << 32) |
                             (std::uint64_t{made.start} << 16) | made.end;
  nodes_.push_back({frontier, static_cast<std::uint32_t>(frontiers_.size() - frontier), step.first,
                    from.steps + 1, from.key + mixed(what * 0x9e3779b97f4a7c15)});
  return static_cast<State>(nodes_.size() - 1);
}

ClassifiedParse ParseSpace::parse(State goal, double cost) const {
  ClassifiedParse parse{cost, {}, false, is_forced(nodes_[goal])};
  std::vector<ItemId> todo{frontiers_[nodes_[goal].frontier]};
  while (!todo.empty()) {
    const auto item = todo.back();
    todo.pop_back();
    const auto &[first, size, step, own] = below_[item];
    const auto &what = items_[item];
    if (size > 0)
      parse.items.push_back({what.label, what.start, what.end, step, own});
    for (auto n = size; n-- > 0;)
      todo.push_back(children_[first + n]);
  }
  return parse;
}

} // namespace

double inference_cost(double h) {
  return h > 0 ? std::log1p(std::exp(-h)) : std::log1p(std::exp(h)) - h;
}

LabelClassifiers::LabelClassifiers(const InferenceAtoms &atoms,
                                   std::span<const decision_trees::Ensemble> ensembles)
    : atoms_(atoms), leaves_(ensembles) {
  if (ensembles.size() != labels().phrases())
    throw std::invalid_argument("there must be a classifier for each label of a phrase");
}

void LabelClassifiers::score(const TreeCut &cut, Candidate one, Room &room,
                             std::span<double> h) const {
  room.heads.resize(h.size());
  for (std::size_t n = 0; n < h.size(); ++n)
    room.heads[n] = cut.head(labels(), one, static_cast<std::uint16_t>(labels().tags + n));
  for (auto head = one.first; head < one.first + one.size; ++head) {
    if (std::ranges::find(room.heads, head) == room.heads.end())
      continue;
    atoms_.extract(cut, {one, head}, room.atoms);
    leaves_.reach(room.atoms, room.leaves);
    for (std::size_t n = 0; n < h.size(); ++n)
      if (room.heads[n] == head)
        h[n] = leaves_.score(n, room.leaves);
  }
}

std::span<const double> KnownScores::scores(const TreeCut &cut, Candidate one) {
  const auto reach = classifiers_.atoms().reach();
  if (!reach) {
    classifiers_.score(cut, one, room_, h_);
    return h_;
  }
  const auto begin = one.first - std::min(one.first, *reach);
  const auto end = std::min<std::size_t>(one.first + one.size + *reach, cut.frontier.size());
  window_.assign({one.first - begin, one.size});
  window_.insert(window_.end(), cut.frontier.begin() + begin,
                 cut.frontier.begin() + static_cast<std::ptrdiff_t>(end));
  const auto number = windows_.number(window_);
  const auto size = h_.size();
  if (number * size == known_.size()) {
    known_.resize(known_.size() + size);
    classifiers_.score(cut, one, room_, std::span(known_).subspan(number * size, size));
  }
  return std::span(known_).subspan(number * size, size);
}

void LabelClassifiers::leaves(const TreeCut &cut, Candidate one, std::uint16_t label, Room &room,
                              std::vector<std::uint32_t> &nodes) const {
  atoms_.extract(cut, {one, cut.head(labels(), one, label)}, room.atoms);
  leaves_.reach(room.atoms, room.leaves);
  leaves_.leaves(label - labels().tags, room.leaves, nodes);
}

ClassifiedParses ClassificationParser::parse(const TaggedWords &sentence,
                                             search::AgendaLimits limits) const {
  ParseSpace space(classifiers_, strategies_, sentence);
  const auto found = search::Agenda<ParseSpace>(space, limits).search();
  ClassifiedParses result{{}, found.explored, found.greedy};
  for (const auto &[cost, state] : found.goals) {
    result.parses.push_back(space.parse(state, cost));
    result.parses.back().proven = result.parses.size() <= found.proven;
  }
  return result;
}

std::vector<std::vector<std::uint32_t>>
ClassificationParser::explain(const TaggedWords &sentence,
                              std::span<const ParsedItem> items) const {
  ParseSpace space(classifiers_, strategies_, sentence);
  LabelClassifiers::Room room;
  std::vector<std::vector<std::uint32_t>> result(items.size());
  auto state = space.start();
  for (std::size_t n = 0; n < items.size(); ++n) {
    const auto &[label, start, end, step, cost] = items[n];
    const auto cut = space.cut(state);
    std::uint16_t first = 0, size = 0;
    for (std::size_t place = 0; place < cut.frontier.size(); ++place) {
      first = static_cast<std::uint16_t>(first + (cut.at(place).end <= start));
      size = static_cast<std::uint16_t>(size +
                                        (cut.at(place).start >= start && cut.at(place).end <= end));
    }
    const Candidate one{first, size};
    if (label < labels().tags || label >= labels().labels || size == 0 || size > most_children ||
        cut.at(first).start != start || cut.at(first + size - 1).end != end)
      throw std::invalid_argument("there is no such inference");
    classifiers_.leaves(cut, one, label, room, result[n]);
    state = space.after(state, {first, size, label, static_cast<float>(cost)});
  }
  return result;
}

} // namespace runoff::classification
