#include "runoff/identity/canopies.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::identity {

namespace {

constexpr std::size_t window = 4; // neighbours of a record that no token finds
constexpr double slack = 1e-6;    // cosines are sums of floats: equal vectors must reach 1

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
      for (auto i = given.offsets[r]; i < given.offsets[r + 1]; ++i) {
        const auto token = given.tokens[static_cast<std::size_t>(i)];
        if (starts[token + 1] > starts[token])
          records[next[token]++] = static_cast<std::uint32_t>(r);
      }
  }

  std::span<const std::uint32_t> of(std::uint32_t token) const {
    return std::span(records).subspan(starts[token], starts[token + 1] - starts[token]);
  }
};

class Finder {
public:
  Finder(const TokenVectors &records, std::size_t n_tokens, const Thresholds &thresholds)
      : records_(records), thresholds_(thresholds),
        postings_(records, n_tokens, thresholds.frequent), seen_(records.size(), 0),
        done_(records.size(), false) {}

  void canopy(std::size_t centre, Pairs &pairs) {
    if (done_[centre])
      return;
    done_[centre] = true;
    members_.clear();
    tight_.clear();
    bool found = false;
    const auto stamp = static_cast<std::uint32_t>(centre + 1);
    seen_[centre] = stamp;
    for (auto i = records_.offsets[centre]; i < records_.offsets[centre + 1]; ++i)
      for (const auto other : postings_.of(records_.tokens[static_cast<std::size_t>(i)])) {
        found = true;
        if (seen_[other] != stamp) {
          seen_[other] = stamp;
          admit(centre, other);
        }
      }
    if (!found)
      neighbours(centre, pairs);
    for (const auto member : members_)
      add(static_cast<std::uint32_t>(centre), member, pairs);
    for (const auto close : tight_)
      for (const auto member : members_)
        if (member != close)
          add(close, member, pairs);
  }

private:
  void admit(std::size_t centre, std::uint32_t other) {
    if (records_.blocks[other] != records_.blocks[centre])
      return;
    const double near = product(records_, centre, other) + slack;
    if (near < thresholds_.loose)
      return;
    members_.push_back(other);
    if (near >= thresholds_.tight && !done_[other]) {
      tight_.push_back(other);
      done_[other] = true;
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
  std::vector<std::uint32_t> seen_;
  std::vector<bool> done_;
  std::vector<std::uint32_t> members_, tight_;
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
