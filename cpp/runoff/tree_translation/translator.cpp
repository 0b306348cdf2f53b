#include "runoff/tree_translation/translator.hpp"

#include "runoff/tree_translation/cube.hpp"
#include "runoff/tree_translation/strings.hpp"

#include <algorithm>
#include <numbers>

namespace runoff::tree_translation {

using base::at;

namespace {

constexpr std::size_t BETWEEN_POLLS = 64;

double lm_score(const Models &models, std::span<const std::uint32_t> words) {
  auto state = models.lm.begin();
  double sum = 0;
  for (const auto word : words)
    sum += static_cast<double>(
        models.lm.score(state, word >= COPIED ? ngrams::UNKNOWN : models.lm_words[word], state));
  return (sum + static_cast<double>(models.lm.score(state, ngrams::END, state))) *
         std::numbers::ln10;
}

class Translator {
public:
  Translator(const Models &models, SourceTree &tree, std::span<const std::uint32_t> copies,
             const SearchOptions &how, const base::Poll &poll)
      : budget_(how.budget), models_(models), derivations_(models, tree, copies), how_(how),
        poll_(poll) {}

  Translations run(std::size_t n, bool distinct) {
    Translations made;
    if (derivations_.graph.nodes() == 0) {
      made.found.push_back(finished({}, how_.mode != Mode::direct));
      return made;
    }
    if (how_.mode == Mode::cube) {
      const auto items = cube_pruned(models_, derivations_, how_.pops, budget_, poll_);
      best(items, n, distinct, true, made);
      count(items, made);
    } else {
      const bool rescored = how_.mode == Mode::rescore;
      best(derivations_.graph, rescored ? std::max(n, how_.k) : n, distinct, rescored, made);
      count(derivations_.graph, made);
    }
    std::ranges::stable_sort(made.found, std::ranges::greater{}, &Translation::score);
    if (made.found.size() > n)
      made.found.resize(n);
    return made;
  }

private:
  static void count(const search::Hypergraph &graph, Translations &made) {
    made.vertices = at(graph.nodes());
    made.edges = graph.edges.size();
  }

  // The k best derivations, each string once if they are to be distinct; no more than one after the
  // time is up.
  void best(const search::Hypergraph &graph, std::size_t k, bool distinct, bool with_lm,
            Translations &made) {
    Strings strings;
    search::Classes classes;
    if (distinct)
      classes = [&](std::int32_t edge, std::span<const std::uint32_t> tails) {
        const auto label = graph.edges[at(edge)].label;
        if (label < 0)
          return tails[0];
        return strings.number(derivations_.tokens(derivations_.applications[at(label)]), tails);
      };
    search::KBest found(graph, graph.nodes() - 1, classes);
    std::vector<std::int32_t> edges;
    std::vector<std::uint32_t> applications;
    while (found.size() < k && (found.size() == 0 || !budget_.is_spent()) && found.next()) {
      if (found.size() % BETWEEN_POLLS == 0)
        poll_();
      found.edges(found.size() - 1, edges);
      applications.clear();
      for (const auto edge : edges)
        if (const auto label = graph.edges[at(edge)].label; label >= 0)
          applications.push_back(static_cast<std::uint32_t>(label));
      made.found.push_back(finished(applications, with_lm));
    }
  }

  Translation finished(std::span<const std::uint32_t> applications, bool with_lm) const {
    Translation made;
    made.words = words_of(derivations_, applications);
    for (const auto number : applications) {
      const auto &one = derivations_.applications[number];
      made.steps.push_back({one.node, one.rule, one.variables, derivations_.features(one)});
      made.score += one.weight;
    }
    if (with_lm) {
      const double lm = lm_score(models_, made.words);
      made.score += models_.weights[feature::LANGUAGE_MODEL] * lm;
      if (!made.steps.empty())
        made.steps[0].features[feature::LANGUAGE_MODEL] = lm;
    }
    return made;
  }

  base::Budget budget_; // which begins before derivations are built
  const Models &models_;
  Derivations derivations_;
  SearchOptions how_;
  const base::Poll &poll_;
};

} // namespace

Translations translate(const Models &models, SourceTree &tree,
                       std::span<const std::uint32_t> copies, const SearchOptions &how,
                       std::size_t n, bool distinct, const base::Poll &poll) {
  return Translator(models, tree, copies, how, poll).run(n, distinct);
}

} // namespace runoff::tree_translation
