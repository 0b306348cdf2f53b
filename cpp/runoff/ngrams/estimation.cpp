#include "runoff/ngrams/estimation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace runoff::ngrams {

namespace {

using Numbers = std::vector<std::uint32_t>;

void check_text(std::span<const std::uint32_t> text, std::size_t vocabulary, std::size_t order) {
  const auto fail = [](const char *what) { throw std::invalid_argument(what); };
  if (order < 1 || order > MAX_ORDER)
    fail("the order must be 1 to 6");
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    fail("the text has too many words");
  if (vocabulary <= END)
    fail("the vocabulary must have <unk>, <s> and </s>");
  bool outside = true;
  for (const std::uint32_t word : text) {
    if (word == UNKNOWN || word >= vocabulary)
      fail("a word of the text is not in the vocabulary");
    if ((word == BEGIN) != outside)
      fail("every sentence must have one begin and one end");
    outside = word == END;
  }
  if (text.empty() || !outside)
    fail("every sentence must have one begin and one end");
}

// A text whose positions are sorted by the n-grams that end there, read backwards.
class SortedText {
public:
  SortedText(std::span<const std::uint32_t> text, std::size_t vocabulary, std::size_t order,
             const base::Poll &poll)
      : text_(text), depths_(text.size()) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth = text[i] == BEGIN ? 0 : std::min(depth + 1, order - 1);
      depths_[i] = static_cast<std::uint8_t>(depth);
      if (text[i] != BEGIN)
        sorted_.push_back(static_cast<std::uint32_t>(i));
    }
    Numbers other(sorted_.size());
    for (std::size_t back = order; back-- > 0;) {
      poll();
      sort_by(back, vocabulary, other);
    }
  }

  const Numbers &sorted() const { return sorted_; }
  // The length of the longest n-gram that ends at a position.
  std::size_t length(std::uint32_t position) const { return depths_[position] + std::size_t{1}; }
  // The word some words before a position; 0 before the sentence.
  std::uint32_t word(std::uint32_t position, std::size_t back) const {
    return back < length(position) ? text_[position - back] : 0;
  }

private:
  void sort_by(std::size_t back, std::size_t vocabulary, Numbers &other) {
    Numbers ends(vocabulary + 1);
    for (const std::uint32_t position : sorted_)
      ++ends[word(position, back) + 1];
    for (std::size_t w = 0; w < vocabulary; ++w)
      ends[w + 1] += ends[w];
    for (const std::uint32_t position : sorted_)
      other[ends[word(position, back)]++] = position;
    sorted_.swap(other);
  }

  std::span<const std::uint32_t> text_;
  std::vector<std::uint8_t> depths_;
  Numbers sorted_;
};

// The n-grams of an order while they are counted.
struct Counted {
  Numbers counts; // of occurrences, later adjusted
  Numbers places; // where each occurs first in the sorted text
  Numbers nodes;  // by position: the n-gram that ends there; empty for unigrams and the last order
};

class Estimator {
public:
  Estimator(std::span<const std::uint32_t> text, std::size_t vocabulary, std::size_t order,
            const base::Poll &poll)
      : text_(text), vocabulary_(vocabulary), poll_(poll), counted_(order) {
    made_.orders.resize(order);
  }

  Estimates run() && {
    count();
    for (std::size_t n = 0; n < counted_.size(); ++n)
      adjust(n);
    unigrams();
    for (std::size_t n = 1; n < counted_.size(); ++n) {
      poll_();
      interpolate(n);
    }
    for (auto &order : made_.orders)
      order.probabilities.shrink_to_fit();
    return std::move(made_);
  }

private:
  // Makes the nodes: a position opens one in every order whose n-gram its neighbour does not have.
  void count() {
    const std::size_t order = counted_.size();
    const SortedText sorted(text_, vocabulary_, order, poll_);
    counted_[0].counts.resize(vocabulary_);
    counted_[0].places.resize(vocabulary_);
    for (std::size_t n = 1; n + 1 < order; ++n)
      counted_[n].nodes.resize(text_.size());
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < sorted.sorted().size(); ++i) {
      const std::uint32_t position = sorted.sorted()[i];
      const std::size_t length = sorted.length(position);
      std::size_t common = 0;
      while (i > 0 && common < length &&
             sorted.word(position, common) == sorted.word(before, common))
        ++common;
      open_unigram(sorted.word(position, 0));
      for (std::size_t n = 1; n < length; ++n) {
        if (n >= common)
          open(n, sorted.word(position, n), position);
        ++counted_[n].counts.back();
        if (n + 1 < order)
          counted_[n].nodes[position] = static_cast<std::uint32_t>(counted_[n].counts.size() - 1);
      }
      before = position;
      if (i % 0x100000 == 0)
        poll_();
    }
    close();
  }

  void open_unigram(std::uint32_t word) {
    ++counted_[0].counts[word];
    while (counted_.size() > 1 && made_.orders[0].children.size() <= word)
      made_.orders[0].children.push_back(n_nodes(1));
  }

  void open(std::size_t n, std::uint32_t word, std::uint32_t position) {
    made_.orders[n].words.push_back(word);
    counted_[n].counts.push_back(0);
    counted_[n].places.push_back(position);
    if (n + 1 < counted_.size())
      made_.orders[n].children.push_back(n_nodes(n + 1));
  }

  std::uint32_t n_nodes(std::size_t n) const {
    return static_cast<std::uint32_t>(counted_[n].counts.size());
  }

  void close() {
    for (std::size_t n = 0; n + 1 < counted_.size(); ++n)
      made_.orders[n].children.resize(counted_[n].counts.size() + 1, n_nodes(n + 1));
  }

  // Lower orders count the words before an n-gram, not its occurrences; before BEGIN there are
  // none. Then come the discounts: Chen & Goodman (1998), equation 26.
  void adjust(std::size_t n) {
    auto &own = made_.orders[n];
    auto &counts = counted_[n].counts;
    if (n + 1 < counted_.size())
      for (std::size_t i = 0; i < counts.size(); ++i)
        if (n == 0 || own.words[i] != BEGIN)
          counts[i] = own.children[i + 1] - own.children[i];
    std::array<double, 5> with{}; // n-grams by count
    for (const std::uint32_t count : counts)
      if (count < with.size())
        ++with[count];
    const double y = with[1] / (with[1] + 2 * with[2]);
    for (std::size_t k = 1; k <= own.discounts.size(); ++k) {
      const double discount =
          static_cast<double>(k) - static_cast<double>(k + 1) * y * with[k + 1] / with[k];
      own.discounts[k - 1] = discount;
      if (!(discount > 0 && discount <= static_cast<double>(k) && with[k + 1] > 0))
        own.fallback = true; // also where a division was by 0
    }
    if (own.fallback)
      own.discounts = FALLBACK;
  }

  double discount(std::size_t n, std::uint32_t count) const {
    return count == 0 ? 0 : made_.orders[n].discounts[std::min<std::size_t>(count, 3) - 1];
  }

  // Interpolated with equal probabilities for all words, of which BEGIN is none.
  void unigrams() {
    const auto &counts = counted_[0].counts;
    double total = 0, lost = 0;
    for (const std::uint32_t count : counts) {
      total += count;
      lost += discount(0, count);
    }
    lower_.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      lower_[i] = (counts[i] - discount(0, counts[i])) / total +
                  lost / total / static_cast<double>(vocabulary_ - 1);
    lower_[BEGIN] = 1;
    write(0);
  }

  void interpolate(std::size_t n) {
    auto &below = made_.orders[n - 1];
    const auto &counts = counted_[n].counts;
    Numbers contexts(counts.size());
    std::vector<double> totals(lower_.size()), lost(lower_.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::uint32_t last = counted_[n].places[i] - 1;
      contexts[i] = n == 1 ? text_[last] : counted_[n - 1].nodes[last];
      totals[contexts[i]] += counts[i];
      lost[contexts[i]] += discount(n, counts[i]);
    }
    below.backoffs.resize(lower_.size(), NO_EXTENSION);
    std::vector<double> own(counts.size());
    for (std::size_t parent = 0; parent < lower_.size(); ++parent) {
      if (totals[parent] > 0)
        below.backoffs[parent] =
            static_cast<float>(std::log10(lost[parent] / totals[parent])) + 0.0F;
      for (std::size_t i = below.children[parent]; i < below.children[parent + 1]; ++i) {
        const std::size_t c = contexts[i];
        own[i] = (counts[i] - discount(n, counts[i]) + lost[c] * lower_[parent]) / totals[c];
      }
    }
    lower_.swap(own);
    write(n);
  }

  void write(std::size_t n) {
    for (const double probability : lower_)
      made_.orders[n].probabilities.push_back(static_cast<float>(std::log10(probability)));
  }

  std::span<const std::uint32_t> text_;
  std::size_t vocabulary_;
  const base::Poll &poll_;
  std::vector<Counted> counted_;
  std::vector<double> lower_; // probabilities of the order that was finished last
  Estimates made_;
};

} // namespace

Estimates estimate(std::span<const std::uint32_t> text, std::size_t vocabulary, std::size_t order,
                   const base::Poll &poll) {
  check_text(text, vocabulary, order);
  return Estimator(text, vocabulary, order, poll).run();
}

} // namespace runoff::ngrams
