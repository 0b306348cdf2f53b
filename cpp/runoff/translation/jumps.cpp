#include "runoff/translation/jumps.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::translation {

Jumps::Jumps() {
  Counts counts{};
  for (std::size_t b = 0; b < SIZE; ++b) // most go one word on
    counts[b] = std::exp(-std::abs(static_cast<double>(b) - static_cast<double>(FARTHEST + 1)));
  double total = 0;
  for (const double count : counts)
    total += count;
  for (std::size_t b = 0; b < SIZE; ++b)
    jumps_[b] = counts[b] / total;
}

void Jumps::renew(const Counts &counts) {
  double total = static_cast<double>(SIZE); // each was seen once more
  for (const double count : counts)
    total += count;
  for (std::size_t b = 0; b < SIZE; ++b)
    jumps_[b] = (counts[b] + 1) / total;
}

std::size_t Jumps::bucket(std::size_t from, std::size_t to) {
  const auto last = static_cast<std::ptrdiff_t>(FARTHEST);
  const auto jump = static_cast<std::ptrdiff_t>(to + 1) - static_cast<std::ptrdiff_t>(from);
  return static_cast<std::size_t>(std::clamp(jump, -last, last) + last);
}

std::vector<double> Jumps::transitions(std::size_t size) const {
  std::vector<double> made((size + 1) * size);
  for (std::size_t from = 0; from <= size; ++from) {
    double total = 0;
    for (std::size_t to = 0; to < size; ++to)
      total += jumps_[bucket(from, to)];
    for (std::size_t to = 0; to < size; ++to)
      made[from * size + to] = SMOOTHING / static_cast<double>(size) +
                               (1 - SMOOTHING) * jumps_[bucket(from, to)] / total;
  }
  return made;
}

// reached_ has n + 1 rows of m + 1 places: row 0 is before the first target word, place 0 before
// the first source word. linked_ has n rows of m places, unlinked_ n rows of m + 1.
double ForwardBackward::run(const std::vector<double> &transitions,
                            std::span<const double> emissions, std::size_t source_size,
                            std::size_t target_size, double empty, std::span<float> weights,
                            Jumps::Counts &counts) {
  m_ = source_size;
  n_ = target_size;
  empty_ = empty;
  transitions_ = transitions.data();
  emissions_ = emissions.data();
  linked_.assign(n_ * m_, 0);
  unlinked_.assign(n_ * (m_ + 1), 0);
  reached_.assign((n_ + 1) * (m_ + 1), 0);
  following_.assign(m_ + 1, 1);
  after_linked_.assign(m_, 0);
  scales_.assign(n_, 0);
  reached_[0] = 1;
  double likelihood = 0;
  for (std::size_t j = 0; j < n_; ++j)
    likelihood += std::log(forward(j));
  for (std::size_t j = n_; j-- > 0;) { // following_ is of the places after word j
    double none = 0;
    for (std::size_t place = 0; place <= m_; ++place)
      none += unlinked_[j * (m_ + 1) + place] * following_[place];
    weights[j] = static_cast<float>(none);
    for (std::size_t i = 0; i < m_; ++i)
      weights[(i + 1) * n_ + j] = static_cast<float>(linked_[j * m_ + i] * following_[i + 1]);
    for (std::size_t i = 0; i < m_; ++i)
      after_linked_[i] =
          (1 - empty_) * emissions_[(i + 1) * n_ + j] * following_[i + 1] / scales_[j];
    count(j, counts);
    backward(j);
  }
  return likelihood;
}

// One word on; returns its probability given the words before it.
double ForwardBackward::forward(std::size_t j) {
  const double *before = reached_.data() + j * (m_ + 1);
  double *linked = linked_.data() + j * m_, *unlinked = unlinked_.data() + j * (m_ + 1);
  double sum = 0;
  for (std::size_t place = 0; place <= m_; ++place) {
    if (before[place] == 0)
      continue;
    for (std::size_t i = 0; i < m_; ++i)
      linked[i] += before[place] * transitions_[place * m_ + i];
    unlinked[place] = before[place] * empty_ * emissions_[j];
    sum += unlinked[place];
  }
  for (std::size_t i = 0; i < m_; ++i) {
    linked[i] *= (1 - empty_) * emissions_[(i + 1) * n_ + j];
    sum += linked[i];
  }
  double *after = reached_.data() + (j + 1) * (m_ + 1);
  for (std::size_t place = 0; place <= m_; ++place) {
    unlinked[place] /= sum;
    if (place > 0)
      linked[place - 1] /= sum;
    after[place] = unlinked[place] + (place > 0 ? linked[place - 1] : 0);
  }
  scales_[j] = sum;
  return sum;
}

// What was jumped to reach word j; the share of SMOOTHING is no jump.
void ForwardBackward::count(std::size_t j, Jumps::Counts &counts) const {
  const double *before = reached_.data() + j * (m_ + 1);
  const double equal = Jumps::SMOOTHING / static_cast<double>(m_);
  for (std::size_t place = 0; place <= m_; ++place) {
    if (before[place] == 0)
      continue;
    for (std::size_t i = 0; i < m_; ++i)
      counts[Jumps::bucket(place, i)] +=
          before[place] * (transitions_[place * m_ + i] - equal) * after_linked_[i];
  }
}

void ForwardBackward::backward(std::size_t j) {
  for (std::size_t place = 0; place <= m_; ++place) {
    double sum = empty_ * emissions_[j] / scales_[j] * following_[place];
    for (std::size_t i = 0; i < m_; ++i)
      sum += transitions_[place * m_ + i] * after_linked_[i];
    following_[place] = sum;
  }
}

} // namespace runoff::translation
