#include "runoff/ranking/encoding.hpp"

#include "runoff/base/offsets.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace runoff::ranking {
namespace {

// Collects the features of one list.
class ListEncoder {
public:
  ListEncoder(const Encodings &encodings, std::size_t n_features)
      : encodings_(encodings), places_(n_features) {}

  void add(std::size_t source, std::size_t candidate, double value) {
    const auto end = static_cast<std::size_t>(encodings_.offsets[source + 1]);
    for (auto at = static_cast<std::size_t>(encodings_.offsets[source]); at < end; ++at) {
      const double cut = encodings_.cuts[at];
      const bool binary = !std::isnan(cut);
      if (binary && !(cut > 0 ? value >= cut : value <= cut))
        continue;
      const auto id = static_cast<std::uint32_t>(encodings_.ids[at]);
      if (places_[id]++ == 0)
        ids_.push_back(id);
      made_.push_back({id, static_cast<std::uint32_t>(candidate), binary ? 1.0 : value, binary});
    }
  }

  // Adds the list, which has so many candidates, to others, and forgets it.
  void finish(std::size_t candidates, Entries &out) {
    sort_by_id();
    const auto first = out.counts.size();
    out.counts.resize(first + candidates);
    kept_.clear();
    std::size_t start = 0;
    for (const auto id : ids_) {
      const auto end = std::exchange(places_[id], 0);
      const bool all_have_it = end - start == candidates;
      for (; start < end; ++start)
        if (const auto &one = by_id_[start]; !one.binary || !all_have_it) {
          kept_.push_back(one);
          ++out.counts[first + one.candidate];
        }
    }
    std::size_t end = out.ids.size();
    ends_.clear();
    for (std::size_t i = first; i < out.counts.size(); ++i)
      ends_.push_back(std::exchange(end, end + static_cast<std::size_t>(out.counts[i])));
    out.ids.resize(end);
    out.values.resize(end);
    for (const auto &one : kept_) {
      const auto at = ends_[one.candidate]++;
      out.ids[at] = one.id;
      out.values[at] = one.value;
    }
    ids_.clear();
    made_.clear();
  }

private:
  struct Made {
    std::uint32_t id, candidate; // the candidate by its place in the list
    double value;
    bool binary;
  };

  // Afterwards places_ says where the run of each feature ends.
  void sort_by_id() {
    std::ranges::sort(ids_);
    std::size_t end = 0;
    for (const auto id : ids_)
      end += std::exchange(places_[id], end);
    by_id_.resize(made_.size());
    for (const auto &one : made_)
      by_id_[places_[one.id]++] = one;
  }

  const Encodings &encodings_;
  std::vector<std::size_t> places_; // of each feature, how often it was made; then see above
  std::vector<std::uint32_t> ids_;  // that were made
  std::vector<Made> made_, by_id_, kept_;
  std::vector<std::size_t> ends_; // of each candidate's entries, while they are written
};

} // namespace

void Encodings::check(std::size_t n_features) const {
  base::check_offsets(offsets, ids.size(), "the offsets of encodings");
  if (cuts.size() != ids.size())
    throw std::invalid_argument("there must be one cut per id");
  for (const auto id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= n_features)
      throw std::invalid_argument("an encoding has an id that is out of range");
}

Entries encode_features(const Problem &found, std::span<const std::int64_t> places,
                        const Encodings &encodings, std::size_t n_features,
                        const base::Poll &poll) {
  Entries out;
  ListEncoder list(encodings, n_features);
  const auto sources = static_cast<std::int64_t>(encodings.offsets.size()) - 1;
  for (std::size_t i = 0; i < found.lists(); ++i) {
    poll();
    const auto first = static_cast<std::size_t>(found.list_offsets[i]);
    const auto last = static_cast<std::size_t>(found.list_offsets[i + 1]);
    for (std::size_t j = first; j < last; ++j)
      for (auto at = static_cast<std::size_t>(found.feature_offsets[j]);
           at < static_cast<std::size_t>(found.feature_offsets[j + 1]); ++at)
        if (const auto source = places[found.feature_ids[at]]; source >= 0) {
          if (source >= sources)
            throw std::invalid_argument("a place is out of range");
          list.add(static_cast<std::size_t>(source), j - first, found.feature_values[at]);
        }
    list.finish(last - first, out);
  }
  return out;
}

} // namespace runoff::ranking
