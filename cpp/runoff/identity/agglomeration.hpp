// Greedy agglomeration of records into sets: Algorithm 1 of Culotta & McCallum (2006).
//
// Every candidate merge is in a heap with its gain. The best one is made, and the gains of its
// neighbours change: the aggregates between two sets are kept on the edge that joins them, so a
// merge costs the edges of both sets, not their pairs. Of equal gains the merge of the records that
// come first is made, so the result depends on the order of records only through ties.
#pragma once

#include "runoff/base/threads.hpp"
#include "runoff/identity/sets.hpp"

#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace runoff::identity {

// When sets are merged. The gain of a merge is the log-odds that the union is one thing; by
// `difference`, those of the parts are subtracted, by what is said of each part alone. A Chinese
// restaurant process of this concentration is the prior on the number and sizes of sets; 0 is none.
struct MergeRule {
  bool difference = false;
  double stop = 0.0;
  double concentration = 0.0;
};

struct Merge {
  std::uint32_t kept, lost; // the sets, named by their first records
  double gain;
  double score; // log-odds of the union
};

// What sampling does with a merge that is wrong by gold: makes it too, or leaves it.
enum class Sampling : std::uint8_t { weak, guided };

struct Samples {
  std::vector<double> values;      // rows × statements, of the union
  std::vector<double> parts;       // the same, the sum of those of both parts
  std::vector<std::uint8_t> right; // whether both parts are of one thing
  std::vector<std::uint32_t> sizes;
};

class Agglomeration {
public:
  // `start` names the set that each record is in at first. `apart` are pairs of records that are
  // never in one set. Throws std::invalid_argument if they contradict each other.
  Agglomeration(const Sets &sets, std::span<const double> weights, const MergeRule &rule,
                std::span<const std::uint32_t> start, std::span<const std::uint32_t> apart_left,
                std::span<const std::uint32_t> apart_right, const base::Poll &poll);

  // Merges until no gain is above the stop.
  std::vector<Merge> run(const base::Poll &poll);

  // Two merges at once where each alone gains nothing: makes the best one that gains, if any, and
  // goes on. Costs all triples of neighbours whose first merge loses at most `margin`.
  std::vector<Merge> look_ahead(double margin, const base::Poll &poll);

  // The sets whose merge is considered on the way, by gold clusters of the records. A merge is
  // right if most records of both parts are of one thing. Besides the merges that are the best when
  // they are considered, after each merge every `every`-th of those that become possible is taken,
  // by a hash of what it joins; 0 takes none.
  Samples sample(std::span<const std::uint32_t> gold, Sampling how, std::uint64_t every,
                 std::size_t most, const base::Poll &poll);

  // The first record of the set of each record.
  std::vector<std::uint32_t> assignment() const;
  // Log-odds of the set of each record; 0 of a single one.
  std::vector<double> scores() const;

  // By record, the greatest gain of a merge of its set that was not made; minus infinity of none.
  std::vector<double> doubts() const;

  // Merges that were not made: sets, gain. The greatest gains first.
  std::vector<Merge> open(std::size_t most) const;

private:
  struct Edge {
    std::uint32_t pair = none; // the only pair between the sets
    std::uint32_t slot = none; // or where their aggregates are
    std::uint64_t count = 0;   // of pairs that have values
    bool forbidden = false;
  };
  struct Link {
    std::uint32_t other;
    std::uint32_t edge;
  };
  struct Entry {
    double gain;
    std::uint32_t a, b, stamp_a, stamp_b;
    bool operator<(const Entry &other) const; // for the heap: less urgent
  };

  double own_score(Summary summary) const;
  Summary &merged(std::uint32_t a, std::uint32_t b, const Edge &edge) const;
  double gain(std::uint32_t a, std::uint32_t b, const Edge &edge, double *score = nullptr) const;
  void add_set(std::uint32_t set, Summary &summary) const;
  void add_edge(const Edge &edge, std::span<double> folded) const;
  void add_between(const Edge &edge, Summary &summary) const;
  void forget_between(Summary &summary) const;
  Merge merge(std::uint32_t a, std::uint32_t b);
  void join_links(std::uint32_t kept, std::uint32_t lost);
  Edge joined(const Edge &a, const Edge &b);
  void push(std::uint32_t a, std::uint32_t b, std::uint32_t edge);
  void push_all(const base::Poll &poll);
  bool valid(const Entry &entry) const;
  const Edge &edge_between(std::uint32_t a, std::uint32_t b) const;
  void relink(std::uint32_t set, std::uint32_t old, std::uint32_t now, std::uint32_t edge);
  std::uint32_t new_slot();
  void release(Edge &edge);
  std::span<double> slot(std::uint32_t index);
  std::span<const double> slot(std::uint32_t index) const;
  std::uint32_t root(std::uint32_t record) const;
  void take(std::uint32_t a, std::uint32_t b, bool right, Samples &samples) const;

  struct Set {
    Summary summary;
    std::vector<std::vector<std::uint32_t>> labels;
  };

  const Sets &sets_;
  const Language &language_;
  std::span<const double> weights_;
  MergeRule rule_;
  std::vector<std::uint32_t> parent_, stamps_;
  std::vector<std::uint32_t> places_; // of the summary of a set that is not a single record
  std::vector<Set> merged_;
  std::vector<std::uint32_t> free_sets_;
  std::vector<double> scores_;           // of the last union
  std::vector<double> own_scores_;       // what `difference` subtracts
  std::vector<std::vector<Link>> links_; // by set, sorted by the other one
  std::vector<Edge> edges_;
  std::vector<double> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::priority_queue<Entry> heap_;
  mutable Summary work_;
  mutable std::vector<std::uint32_t> labels_a_, labels_b_;
};

// Moves single records to the set, or to a set of their own, that raises the sum of log-odds most,
// until none does or after this many passes. Returns the assignment, and the number of moves.
std::pair<std::vector<std::uint32_t>, std::size_t>
move_records(const Sets &sets, std::span<const double> weights,
             std::span<const std::uint32_t> start, std::size_t passes, std::size_t largest,
             const base::Poll &poll);

} // namespace runoff::identity
