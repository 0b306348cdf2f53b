#include "runoff/parsing/head_parser.hpp"

#include "runoff/base/at.hpp"
#include "runoff/parsing/forest_builder.hpp"
#include "runoff/parsing/forest_pruning.hpp"
#include "runoff/search/kbest.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <unordered_set>

namespace runoff::parsing {

HeadParser::HeadParser(const HeadModel &model, std::vector<std::string> label_names, Beam beam)
    : model_(model), grammar_(model), names_(std::move(label_names)), beam_(beam) {
  if (names_.size() != base::at(model_.labels().count))
    throw std::invalid_argument("every label must have a name");
  if (!(beam.coarse > 0 && beam.coarse < 1 && beam.fine > 0 && beam.fine < 1 && beam.edges > 0))
    throw std::invalid_argument("a beam lies between 0 and 1");
}

std::vector<TagChoice> HeadParser::own_tags(Word word, double ratio) const {
  std::vector<std::pair<double, TagChoice>> found; // by how likely the tag is
  for (Label tag = 0; tag < model_.labels().tags; ++tag) {
    const double p = model_.word1({tag, word});
    found.push_back({p * model_.tag_share(tag), {tag, p}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<TagChoice> tags;
  for (const auto &[likely, choice] : found)
    if (likely >= ratio * found.front().first)
      tags.push_back(choice);
  return tags;
}

namespace {

// How often a beam is changed before a sentence is given up.
constexpr int TRIES = 6;
constexpr float WIDER = 0.01F, NARROWER = 10.0F;
constexpr float WIDEST = WIDER * WIDER * WIDER * WIDER; // once it is wider

// Memory of a chart, at most; and above which sentences wait for each other.
constexpr std::size_t CHART_BYTES = 300'000'000, MUCH_FOR_A_CHART = 64'000'000;
constexpr int LONGEST = 1 << 12; // words

// What is left for the next sentence, at most: of each about 30 MB.
constexpr std::size_t STATES_KEPT = 200'000, FOREST_KEPT = 1'000'000;

// What is left of a forest whose derivations are too many.
constexpr std::size_t FEWER = 4;

// The threshold to try next; never one that holds less than one that holds no parse, nor more than
// one that holds too much.
class Thresholds {
public:
  explicit Thresholds(float first) : now_(first) {}
  float now() const { return now_; }
  void narrow() {
    large_ = now_;
    now_ = empty_ < 1 ? between() : std::min(now_ * NARROWER, 0.5F);
  }
  void widen() {
    empty_ = now_;
    now_ = large_ > 0 ? between() : now_ * WIDER;
  }

private:
  float between() const { return std::sqrt(large_ * empty_); }
  float now_, large_ = 0, empty_ = 1;
};

// Derivations that are looked at, for each tree that is wanted. About one of a hundred is a tree
// that was there before; the bound is for sentences where nearly all are.
constexpr std::size_t MOST_DERIVATIONS = 100;

} // namespace

int HeadParser::longest() const {
  int words = 1;
  while (words < LONGEST && CoarseChart::bytes(grammar_, words + 1) <= CHART_BYTES)
    ++words;
  return words;
}

int HeadParser::fill_forest(const Sentence &sentence, Workspace &work, Allowance &allowance) const {
  auto &states = work.states;
  if (CoarseChart::bytes(grammar_, sentence.size()) > MUCH_FOR_A_CHART)
    allowance.take_turn();
  Thresholds thresholds(beam_.coarse);
  std::unique_ptr<CoarseChart> chart;
  for (int n = 0; n < TRIES; ++n) {
    if (!chart || thresholds.now() < chart->threshold()) {
      // Few sentences need a wider beam; for those, one more chart is wide enough for every try.
      const float least = n == 0 ? thresholds.now() : thresholds.now() * WIDEST;
      chart.reset(); // before the other one takes its memory
      chart = std::make_unique<CoarseChart>(grammar_, sentence, least, work.sums, allowance);
      if (!chart->parsed()) {
        work.forest.root = -1;
        return 0;
      }
    }
    chart->prune(thresholds.now());
    const bool fresh = states.size() == 0;
    work.forest = build_forest(model_, grammar_, *chart, sentence, states, thresholds.now(),
                               allowance, std::move(work.forest));
    if (work.forest.parsed()) {
      fill_outside(work.forest);
      return chart->scale(chart->cell(0, chart->size()));
    }
    if (states.edges() > allowance.edges()) {
      states.clear();
      if (!fresh) { // what sentences before it left there must not matter
        --n;
        continue;
      }
    }
    if (work.forest.too_large)
      thresholds.narrow();
    else
      thresholds.widen();
  }
  return 0;
}

Derivations HeadParser::derivations(Forest &forest, const Sentence &sentence, int scale,
                                    Allowance &allowance) const {
  if (!model_.lexicalised())
    return unlexicalised(model_, forest, sentence, scale);
  auto found = lexicalised(model_, forest, sentence, allowance);
  if (found.too_large)
    fill_best(forest);
  while (found.too_large && forest.edges.size() >= FEWER) {
    auto fewer = narrowed(forest, forest.edges.size() / FEWER);
    if (!fewer.parsed() || fewer.edges.size() == forest.edges.size())
      break;
    forest = std::move(fewer);
    found = lexicalised(model_, forest, sentence, allowance);
  }
  return found;
}

std::unique_ptr<Workspace> HeadParser::take_workspace() const {
  const std::scoped_lock lock(idle_lock_);
  if (idle_.empty())
    return std::make_unique<Workspace>(model_, grammar_);
  auto work = std::move(idle_.back());
  idle_.pop_back();
  return work;
}

void HeadParser::give_back(std::unique_ptr<Workspace> work) const {
  if (work->states.size() > STATES_KEPT)
    work->states.clear();
  if (work->forest.edges.capacity() > FOREST_KEPT)
    work->forest = {};
  const std::scoped_lock lock(idle_lock_);
  idle_.push_back(std::move(work));
}

std::vector<Parse> HeadParser::parse(const Sentence &sentence, std::span<const std::string> words,
                                     std::size_t n, const base::Poll &poll) const {
  if (sentence.words.empty())
    return {};
  auto work = take_workspace();
  auto parses = parse(sentence, words, n, *work, poll);
  give_back(std::move(work));
  return parses;
}

std::vector<Parse> HeadParser::parse(const Sentence &sentence, std::span<const std::string> words,
                                     std::size_t n, Workspace &work, const base::Poll &poll) const {
  Allowance allowance(beam_.edges, turn_, poll);
  const int scale = fill_forest(sentence, work, allowance);
  const auto &whole = work.forest;
  if (!whole.parsed())
    return {};
  double threshold = beam_.fine;
  for (int tries = 0; tries < TRIES; ++tries, threshold *= WIDER) {
    auto kept = pruned(whole, threshold);
    if (!kept.parsed())
      continue;
    if (tries > 0 && kept.edges.size() > beam_.edges / 10)
      break; // too much for the lexicalised pass
    const auto found = derivations(kept, sentence, scale, allowance);
    auto parses = best_trees(kept, found, words, n);
    if (!parses.empty())
      return parses;
  }
  return {};
}

std::vector<Parse> HeadParser::best_trees(const Forest &forest, const Derivations &derivations,
                                          std::span<const std::string> words, std::size_t n) const {
  std::vector<Parse> parses;
  if (derivations.root < 0)
    return parses;
  // A tree may be derived with other heads as well, which the head rules would not choose: what
  // counts is its best derivation.
  search::KBest best(derivations.graph, derivations.root);
  std::unordered_set<std::string> known;
  std::vector<std::int32_t> edges;
  for (std::size_t place = 0; parses.size() < n && place / MOST_DERIVATIONS < n && best.next();
       ++place) {
    best.edges(place, edges);
    auto tree = brackets(forest, derivations, edges, words);
    if (known.insert(tree).second)
      parses.push_back({std::move(tree), best.weight(place)});
  }
  return parses;
}

namespace {

void append_escaped(std::string &text, const std::string &word) {
  for (const char c : word)
    if (c == '(')
      text += "-LRB-";
    else if (c == ')')
      text += "-RRB-";
    else
      text += c;
}

} // namespace

std::string HeadParser::brackets(const Forest &forest, const Derivations &derivations,
                                 std::span<const std::int32_t> edges,
                                 std::span<const std::string> words) const {
  struct Open {
    int tails; // still to come
    bool bracket;
  };
  std::string text;
  std::vector<Open> open;
  std::vector<std::int32_t> todo{derivations.root}; // the nodes of the edges to come
  const auto origin = [&](std::int32_t node) -> const ForestNode & {
    return forest.nodes[base::at(derivations.origins[base::at(node)])];
  };
  const Label np = model_.labels().np, base_np = model_.labels().base_np;
  const auto begin = [&](Label label) {
    text += text.empty() ? "(" : " (";
    text += names_[base::at(label == base_np ? np : label)];
  };
  for (const auto number : edges) {
    const auto &edge = derivations.graph.edges[base::at(number)];
    const auto &node = origin(todo.back());
    todo.pop_back();
    for (const auto tail : {edge.right, edge.left})
      if (tail >= 0)
        todo.push_back(tail);
    const auto move = static_cast<Move>(edge.label);
    // A noun phrase of nothing but a base noun phrase is the same as that.
    const bool bracket =
        move == Move::left_stop || move == Move::top ||
        (move == Move::unary && !(node.label == np && origin(edge.left).label == base_np));
    if (bracket || move == Move::leaf)
      begin(node.label);
    if (move == Move::leaf) {
      text += ' ';
      append_escaped(text, words[base::at(node.start)]);
      text += ')';
    }
    open.push_back({(edge.left >= 0) + (edge.right >= 0), bracket});
    while (!open.empty() && open.back().tails == 0) {
      if (open.back().bracket)
        text += ')';
      open.pop_back();
      if (!open.empty())
        --open.back().tails;
    }
  }
  return text;
}

} // namespace runoff::parsing
