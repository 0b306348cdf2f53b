#include "runoff/words/word_clusters.hpp"

#include <algorithm>
#include <limits>

namespace runoff::words {
namespace {

// Classes that are merged, and what each pair of them would cost. A cost is a sum over the cells of
// rows and columns; after a merge those sums change in the cells of the merged classes alone, so
// all other pairs are mended in constant time (Brown et al. 1992, section 3).
class Merger {
public:
  explicit Merger(const WordClasses &words) : bigrams_(words.bigrams()), costs_(size() * size()) {
    for (std::size_t cls = words.n_fixed(); cls < size(); ++cls)
      if (bigrams_.total(cls) > 0)
        open_.push_back(cls);
  }

  Merges run(const base::Poll &poll) {
    for (const auto cls : open_) {
      poll();
      weigh(cls);
    }
    Merges merges;
    while (open_.size() > 1) {
      poll();
      const auto [into, from] = cheapest();
      merges.emplace_back(static_cast<std::uint32_t>(into), static_cast<std::uint32_t>(from));
      std::erase(open_, from);
      std::erase(open_, into);
      change_costs(into, from, -1);
      bigrams_.merge(into, from);
      change_costs(into, from, 1);
      open_.insert(std::ranges::upper_bound(open_, into), into);
      weigh(into);
    }
    return merges;
  }

private:
  std::size_t size() const { return bigrams_.size(); }
  std::int64_t &cost(std::size_t a, std::size_t b) {
    return costs_[std::min(a, b) * size() + std::max(a, b)];
  }

  // What is lost where counts become one.
  std::int64_t lost(std::uint32_t a, std::uint32_t b) const {
    return phi_(a) + phi_(b) - phi_(std::uint64_t{a} + b);
  }

  // What is lost in the cells of another class.
  std::int64_t lost_beside(std::size_t a, std::size_t b, std::size_t other) const {
    return lost(bigrams_.count(a, other), bigrams_.count(b, other)) +
           lost(bigrams_.count(other, a), bigrams_.count(other, b));
  }

  // Finds the costs of a class with every other one.
  void weigh(std::size_t a) {
    for (const auto b : open_)
      if (a != b)
        cost(a, b) = whole_cost(a, b);
  }

  std::int64_t whole_cost(std::size_t a, std::size_t b) const {
    std::int64_t sum = -2 * lost(bigrams_.total(a), bigrams_.total(b));
    const auto behind_a = bigrams_.behind(a), behind_b = bigrams_.behind(b);
    const auto before_a = bigrams_.before(a), before_b = bigrams_.before(b);
    for (std::size_t other = 0; other < size(); ++other)
      sum += lost(behind_a[other], behind_b[other]) + lost(before_a[other], before_b[other]);
    sum -= lost_beside(a, b, a) + lost_beside(a, b, b); // four cells that become one
    const auto aa = bigrams_.count(a, a), ab = bigrams_.count(a, b), ba = bigrams_.count(b, a),
               bb = bigrams_.count(b, b);
    return sum + phi_(aa) + phi_(ab) + phi_(ba) + phi_(bb) - phi_(std::uint64_t{aa} + ab + ba + bb);
  }

  // Adds to the costs of all other pairs what is lost in the cells of two classes, or takes it off.
  void change_costs(std::size_t into, std::size_t from, std::int64_t sign) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      for (std::size_t j = i + 1; j < open_.size(); ++j)
        cost(open_[i], open_[j]) +=
            sign * (lost_beside(open_[i], open_[j], into) + lost_beside(open_[i], open_[j], from));
  }

  std::pair<std::size_t, std::size_t> cheapest() {
    std::pair<std::size_t, std::size_t> best;
    auto least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < open_.size(); ++i)
      for (std::size_t j = i + 1; j < open_.size(); ++j)
        if (const auto one = cost(open_[i], open_[j]); one < least) {
          least = one;
          best = {open_[i], open_[j]};
        }
    return best;
  }

  ClassBigrams bigrams_;
  NLogN phi_;
  std::vector<std::int64_t> costs_;
  std::vector<std::size_t> open_; // rising
};

} // namespace

Merges merge_classes(const WordClasses &words, const base::Poll &poll) {
  return Merger(words).run(poll);
}

} // namespace runoff::words
