#include "runoff/identity/canopies.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace runoff::identity {

namespace {

constexpr std::size_t window = 4; // neighbours of a record that no token finds
constexpr std::size_t ahead = 8;  // records whose tokens are fetched before they are needed
constexpr double slack = 1e-6;    // cosines are sums of floats: equal vectors must reach 1

double square(double value) { return value * value; }

// Which records have each token that is not too frequent.
struct Postings {
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> records;

  Postings(const TokenVectors &given, std::size_t n_tokens, std::size_t frequent)
      : starts(n_tokens + 1, 0) {
    std::vector<std::size_t> numbers(n_tokens, 0);
    for (const auto token : given.tokens)
      ++numbers[token];
    for (std::size_t t = 0; t < n_tokens; ++t)
      starts[t + 1] = starts[t] + (numbers[t] > frequent ? 0 : numbers[t]);
    records.resize(starts.back());
    auto next = starts;
    for (std::size_t r = 0; r < given.size(); ++r)
      for (auto i = given.offsets[r]; i < given.offsets[r + 1]; ++i)
        if (const auto token = given.tokens[static_cast<std::size_t>(i)];
            starts[token + 1] > starts[token])
          records[next[token]++] = static_cast<std::uint32_t>(r);
  }

  std::span<const std::uint32_t> of(std::uint32_t token) const {
    return std::span(records).subspan(starts[token], starts[token + 1] - starts[token]);
  }
};

class Finder {
public:
  Finder(const TokenVectors &records, std::size_t n_tokens, const Thresholds &thresholds)
      : records_(records), thresholds_(thresholds),
        postings_(records, n_tokens, thresholds.frequent), stamps_(records.size(), 0),
        weights_(n_tokens, 0.0f), done_(records.size(), false) {}

  struct Near {
    std::uint32_t record;
    double cosine;
  };

  // The records of the same block whose cosine with the centre is at least `loose`. Whether any
  // token finds somebody.
  bool near(std::size_t centre, std::vector<Near> &found) {
    found.clear();
    const auto own = places(centre);
    for (auto i = own.first; i < own.second; ++i)
      weights_[records_.tokens[i]] = records_.weights[i];
    meet(centre);
    for (std::size_t k = 0; k < met_.size(); ++k) {
      const auto other = met_[k];
      if (k + ahead < met_.size()) {
        const auto next = places(met_[k + ahead]).first;
        __builtin_prefetch(&records_.tokens[next]);
        __builtin_prefetch(&records_.weights[next]);
      }
      if (other == centre || records_.blocks[other] != records_.blocks[centre])
        continue;
      double cosine = slack;
      const auto theirs = places(other);
      for (auto i = theirs.first; i < theirs.second; ++i)
        cosine += static_cast<double>(weights_[records_.tokens[i]]) *
                  static_cast<double>(records_.weights[i]);
      if (cosine >= thresholds_.loose)
        found.push_back({other, cosine});
    }
    for (auto i = own.first; i < own.second; ++i)
      weights_[records_.tokens[i]] = 0.0f;
    return !met_.empty();
  }

  void canopy(std::size_t centre, Pairs &pairs) {
    if (done_[centre])
      return;
    done_[centre] = true;
    if (!near(centre, near_))
      neighbours(centre, pairs);
    tight_.clear();
    for (const auto [member, cosine] : near_) {
      add(static_cast<std::uint32_t>(centre), member, pairs);
      if (cosine >= thresholds_.tight && !done_[member]) {
        tight_.push_back(member);
        done_[member] = true;
      }
    }
    for (const auto close : tight_)
      for (const auto &member : near_)
        if (member.record != close)
          add(close, member.record, pairs);
  }

private:
  std::pair<std::size_t, std::size_t> places(std::size_t record) const {
    return {static_cast<std::size_t>(records_.offsets[record]),
            static_cast<std::size_t>(records_.offsets[record + 1])};
  }

  // Collects the records that share a token with the centre, the rarest tokens first.
  void meet(std::size_t centre) {
    met_.clear();
    const auto own = places(centre);
    rarest_.assign(records_.tokens.begin() + static_cast<std::ptrdiff_t>(own.first),
                   records_.tokens.begin() + static_cast<std::ptrdiff_t>(own.second));
    const auto size = [this](std::uint32_t token) { return postings_.of(token).size(); };
    std::ranges::stable_sort(rarest_, {}, size);
    std::size_t reads = 0;
    double rest = 0.0; // what those can share with the centre, at most, that were not met yet
    for (auto i = own.first; i < own.second; ++i)
      rest += square(records_.weights[i]);
    for (const auto token : rarest_) {
      reads += size(token);
      if ((reads > thresholds_.reads && !met_.empty()) || rest + slack < square(thresholds_.loose))
        return;
      rest -= square(weights_[token]);
      for (const auto other : postings_.of(token)) {
        if (stamps_[other] == centre + 1)
          continue;
        stamps_[other] = static_cast<std::uint32_t>(centre + 1);
        met_.push_back(other);
      }
    }
  }

  void neighbours(std::size_t centre, Pairs &pairs) const {
    const auto end = std::min(centre + window + 1, records_.size());
    for (auto other = centre + 1; other < end; ++other)
      if (records_.blocks[other] == records_.blocks[centre])
        add(static_cast<std::uint32_t>(centre), static_cast<std::uint32_t>(other), pairs);
  }

  static void add(std::uint32_t a, std::uint32_t b, Pairs &pairs) {
    pairs.emplace_back(std::min(a, b), std::max(a, b));
  }

  const TokenVectors &records_;
  Thresholds thresholds_;
  Postings postings_;
  std::vector<std::uint32_t> stamps_; // by record: for which centre it was met last, plus 1
  std::vector<float> weights_;        // of the centre, by token; 0 between calls
  std::vector<bool> done_;
  std::vector<std::uint32_t> rarest_, met_, tight_;
  std::vector<Near> near_;
};

} // namespace

double product(const TokenVectors &records, std::size_t a, std::size_t b) {
  auto i = static_cast<std::size_t>(records.offsets[a]);
  auto j = static_cast<std::size_t>(records.offsets[b]);
  const auto i_end = static_cast<std::size_t>(records.offsets[a + 1]);
  const auto j_end = static_cast<std::size_t>(records.offsets[b + 1]);
  double sum = 0.0;
  while (i < i_end && j < j_end) {
    if (records.tokens[i] == records.tokens[j])
      sum += static_cast<double>(records.weights[i++]) * static_cast<double>(records.weights[j++]);
    else if (records.tokens[i] < records.tokens[j])
      ++i;
    else
      ++j;
  }
  return sum;
}

void TokenVectors::check(std::size_t n_tokens) const {
  bool sound = !offsets.empty() && offsets.front() == 0 && blocks.size() == size() &&
               tokens.size() == weights.size() &&
               offsets.back() == static_cast<std::int64_t>(tokens.size()) && size() < 0xffffffffu;
  for (std::size_t r = 0; sound && r < size(); ++r)
    sound = offsets[r] <= offsets[r + 1];
  if (!sound || std::ranges::any_of(tokens, [=](auto token) { return token >= n_tokens; }))
    throw std::invalid_argument("the tokens of the records are not sound");
}

std::vector<float> canopy_cosines(const TokenVectors &records, std::size_t n_tokens,
                                  const Thresholds &thresholds, std::size_t every,
                                  const base::Poll &poll) {
  records.check(n_tokens);
  Finder finder(records, n_tokens, thresholds);
  std::vector<float> cosines;
  std::vector<Finder::Near> near;
  for (std::size_t centre = 0; centre < records.size(); centre += std::max<std::size_t>(every, 1)) {
    poll();
    finder.near(centre, near);
    for (const auto &one : near)
      cosines.push_back(static_cast<float>(one.cosine));
  }
  return cosines;
}

Pairs canopy_pairs(const TokenVectors &records, std::size_t n_tokens, const Thresholds &thresholds,
                   const base::Poll &poll) {
  records.check(n_tokens);
  Finder finder(records, n_tokens, thresholds);
  Pairs pairs;
  for (std::size_t centre = 0; centre < records.size(); ++centre) {
    if (centre % 1024 == 0)
      poll();
    finder.canopy(centre, pairs);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

} // namespace runoff::identity
