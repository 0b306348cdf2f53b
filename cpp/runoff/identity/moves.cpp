#include "runoff/identity/agglomeration.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::identity {

namespace {

using Members = std::vector<std::uint32_t>;

// Sets of records that change one record at a time, named by numbers.
class Partition {
public:
  Partition(const Sets &sets, std::span<const double> weights, std::span<const std::uint32_t> start,
            std::size_t largest)
      : sets_(sets), weights_(weights), of_(start.begin(), start.end()), members_(sets.size()),
        largest_(largest) {
    for (std::size_t r = 0; r < of_.size(); ++r) {
      if (of_[r] >= of_.size())
        throw std::invalid_argument("records start in sets that are not there");
      members_[of_[r]].push_back(static_cast<std::uint32_t>(r));
    }
    for (const auto &one : members_)
      scores_.push_back(score(one));
  }

  // Moves a record to where it raises the sum of log-odds most; whether it did.
  bool improve(std::uint32_t record) {
    const auto from = of_[record];
    if (members_[from].size() > largest_)
      return false;
    auto rest = members_[from];
    std::erase(rest, record);
    const double left = score(rest) - scores_[from];
    auto best = none;
    double best_gain = 1e-9; // a move must gain something, or records move in circles
    if (rest.size() > 0 && left + score({record}) > best_gain) {
      best_gain = left + score({record});
      best = empty();
    }
    Members near;
    for (const auto [other, pair] : sets_.neighbours(record))
      near.push_back(of_[other]);
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
    for (const auto to : near) {
      if (to == from || members_[to].size() >= largest_)
        continue;
      auto more = members_[to];
      more.push_back(record);
      if (const double gain = left + score(more) - scores_[to]; gain > best_gain) {
        best_gain = gain;
        best = to;
      }
    }
    if (best == none)
      return false;
    members_[from] = rest;
    members_[best].push_back(record);
    of_[record] = best;
    scores_[from] = score(members_[from]);
    scores_[best] = score(members_[best]);
    return true;
  }

  // The first record of the set of each record.
  Members assignment() const {
    Members first(of_.size(), none), found;
    for (std::size_t r = 0; r < of_.size(); ++r) {
      first[of_[r]] = std::min(first[of_[r]], static_cast<std::uint32_t>(r));
      found.push_back(first[of_[r]]);
    }
    return found;
  }

private:
  double score(const Members &members) {
    sets_.summarise(members, summary_);
    return summary_.size > 1 ? sets_.language().score(weights_, summary_) : 0.0;
  }

  std::uint32_t empty() const {
    const auto at = std::ranges::find_if(members_, [](const auto &one) { return one.empty(); });
    return static_cast<std::uint32_t>(at - members_.begin());
  }

  const Sets &sets_;
  std::span<const double> weights_;
  Members of_;
  std::vector<Members> members_;
  std::vector<double> scores_;
  std::size_t largest_;
  Summary summary_;
};

} // namespace

std::pair<std::vector<std::uint32_t>, std::size_t>
move_records(const Sets &sets, std::span<const double> weights,
             std::span<const std::uint32_t> start, std::size_t passes, std::size_t largest,
             const base::Poll &poll) {
  if (start.size() != sets.size() || weights.size() != sets.language().size())
    throw std::invalid_argument("weights, start and records do not fit together");
  Partition partition(sets, weights, start, largest);
  std::size_t moved = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const auto before = moved;
    for (std::size_t r = 0; r < sets.size(); ++r) {
      if (r % 64 == 0)
        poll();
      moved += partition.improve(static_cast<std::uint32_t>(r)) ? 1 : 0;
    }
    if (moved == before)
      break;
  }
  return {partition.assignment(), moved};
}

} // namespace runoff::identity
