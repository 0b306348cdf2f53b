// A parser: coarse chart, forest, lexicalised derivations, and the n best of them as brackets.
#pragma once

#include "runoff/parsing/lexical_forest.hpp"
#include "runoff/parsing/state_table.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace runoff::parsing {

struct Beam {
  float coarse = 3e-5F;          // share of all parses below which a constituent is given up
  double fine = 1e-6;            // the same, once more is known
  std::size_t edges = 3'000'000; // of a pass, at most; more are never in memory
};

struct Parse {
  std::string brackets;
  double logprob;
};

// What parsing one sentence leaves for the next: states that are known already, and memory.
struct Workspace {
  Workspace(const HeadModel &model, const CoarseGrammar &grammar) : states(model, grammar) {}
  StateTable states;
  std::vector<float> sums; // of a chart
  Forest forest;
};

class HeadParser {
public:
  // The model is not copied and must live as long.
  HeadParser(const HeadModel &model, std::vector<std::string> label_names, Beam beam);
  HeadParser(HeadModel &&model, std::vector<std::string> label_names, Beam beam) = delete;
  HeadParser(const HeadParser &) = delete;
  HeadParser &operator=(const HeadParser &) = delete;

  const HeadModel &model() const { return model_; }

  // The tags that a word may have when nobody says: at least `ratio` times as likely as the best.
  std::vector<TagChoice> own_tags(Word word, double ratio) const;

  // Words of the longest sentence whose chart fits the memory of one; at least 1.
  int longest() const;

  // At most n distinct trees, best first, each with the log-probability of its best derivation;
  // none if the grammar has no tree for the sentence. A beam that holds none is widened, one that
  // holds too much is narrowed; so time and memory have a bound. Any threads may call it. A long
  // sentence polls.
  std::vector<Parse> parse(
      const Sentence &sentence, std::span<const std::string> words, std::size_t n,
      const base::Poll &poll = [] {}) const;

private:
  // Fills the forest of the workspace, with outside values; without a root if there is no parse.
  // Returns the scale of the sentence.
  int fill_forest(const Sentence &sentence, Workspace &work, Allowance &allowance) const;
  std::vector<Parse> parse(const Sentence &sentence, std::span<const std::string> words,
                           std::size_t n, Workspace &work, const base::Poll &poll) const;
  std::unique_ptr<Workspace> take_workspace() const;
  void give_back(std::unique_ptr<Workspace> work) const;
  // What fits of the derivations over a forest, which becomes the part of it that they are over.
  Derivations derivations(Forest &forest, const Sentence &sentence, int scale,
                          Allowance &allowance) const;
  std::vector<Parse> best_trees(const Forest &forest, const Derivations &derivations,
                                std::span<const std::string> words, std::size_t n) const;
  std::string brackets(const Forest &forest, const Derivations &derivations,
                       std::span<const std::int32_t> edges,
                       std::span<const std::string> words) const;

  const HeadModel &model_;
  CoarseGrammar grammar_;
  std::vector<std::string> names_;
  Beam beam_;
  mutable std::mutex turn_; // of the one sentence that takes much memory
  mutable std::mutex idle_lock_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_; // at most one for each thread there was
};

} // namespace runoff::parsing
