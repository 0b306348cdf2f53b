#include "runoff/translation/aligner.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/translation/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace runoff::translation {

using base::at;

namespace {

constexpr std::size_t SENTENCES_PER_BLOCK = 64, WORDS_PER_BLOCK = 16;
constexpr double LEAST_TENSION = 0.1, MOST_TENSION = 14, STEP = 20; // those of fast_align
constexpr int STEPS = 8;
constexpr float LEAST_PROBABILITY = 1e-20F; // where directions agree on nothing, none is 0

// The derivative of the logarithm of the gamma function.
double digamma(double x) {
  double result = 0;
  for (; x < 7; ++x)
    result -= 1 / x;
  x -= 0.5;
  const double xx = 1 / x, xx2 = xx * xx, xx4 = xx2 * xx2;
  return result + std::log(x) + xx2 / 24 - 7.0 / 960 * xx4 + 31.0 / 8064 * xx4 * xx2 -
         127.0 / 30720 * xx4 * xx4;
}

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

} // namespace

void Bitext::check() const {
  require(!source_offsets.empty() && source_offsets.size() == target_offsets.size(),
          "both sides must have the same number of sentences");
  base::check_offsets(source_offsets, source.size(), "source");
  base::check_offsets(target_offsets, target.size(), "target");
  for (const std::uint32_t word : source)
    require(word > 0 && word < source_words, "a source word is not in the vocabulary");
  for (const std::uint32_t word : target)
    require(word < target_words, "a target word is not in the vocabulary");
}

DiagonalPrior::DiagonalPrior(double tension, std::size_t source_size, std::size_t target_size)
    : tension_(tension), source_size_(static_cast<double>(source_size)),
      target_size_(static_cast<double>(target_size)), ratio_(std::exp(-tension / source_size_)) {}

double DiagonalPrior::distance(std::size_t i, std::size_t j) const {
  return std::abs(static_cast<double>(i + 1) / source_size_ -
                  static_cast<double>(j + 1) / target_size_);
}

double DiagonalPrior::sum(std::size_t j) const {
  const auto size = static_cast<std::size_t>(source_size_);
  const double diagonal = static_cast<double>(j + 1) * source_size_ / target_size_;
  const auto above = std::min(static_cast<std::size_t>(diagonal), size); // places up to it
  const auto series = [&](double first, std::size_t terms) {
    return terms == 0 ? 0
                      : first * (1 - std::pow(ratio_, static_cast<double>(terms))) / (1 - ratio_);
  };
  const double before = above == 0 ? 0 : std::exp(-tension_ * distance(above - 1, j));
  const double after = above == size ? 0 : std::exp(-tension_ * distance(above, j));
  return series(before, above) + series(after, size - above);
}

void DiagonalPrior::write(std::size_t j, std::span<double> weights) const {
  const double diagonal = static_cast<double>(j + 1) * source_size_ / target_size_;
  const auto above = std::min(static_cast<std::size_t>(diagonal), weights.size());
  const double scale = 1 / sum(j);
  double weight = above == 0 ? 0 : scale * std::exp(-tension_ * distance(above - 1, j));
  for (std::size_t i = above; i-- > 0; weight *= ratio_)
    weights[i] = weight;
  weight = above == weights.size() ? 0 : scale * std::exp(-tension_ * distance(above, j));
  for (std::size_t i = above; i < weights.size(); ++i, weight *= ratio_)
    weights[i] = weight;
}

namespace {

// Every pair of words of a sentence pair, with the number of its pair of word types. Row 0 of a
// sentence is the empty word, row i its i-th source word; a row has one pair per target word.
class WordPairs {
public:
  WordPairs(const Bitext &bitext, const base::Poll &poll) : bitext_(bitext) {
    list_rows();
    number_pairs(poll);
  }

  std::size_t source_size(std::size_t s) const { return size(bitext_.source_offsets, s); }
  std::size_t target_size(std::size_t s) const { return size(bitext_.target_offsets, s); }
  std::size_t first(std::size_t s) const { return firsts_[s]; } // pair of a sentence
  const std::vector<std::uint32_t> &types() const { return types_; }

  struct Row {
    std::size_t first, size; // its pairs
  };
  // The rows of a source word.
  std::span<const Row> rows(std::size_t word) const {
    return {rows_.data() + row_ends_[word], rows_.data() + row_ends_[word + 1]};
  }
  // The types of a source word are [types_from(word), types_from(word + 1)).
  std::size_t types_from(std::size_t word) const { return type_starts_[word]; }

private:
  static std::size_t size(std::span<const std::int64_t> offsets, std::size_t s) {
    return at(offsets[s + 1] - offsets[s]);
  }

  void list_rows() {
    const std::size_t n = bitext_.size();
    firsts_.assign(1, 0);
    row_ends_.assign(bitext_.source_words + 1, 0);
    row_ends_[1] = n;
    for (const std::uint32_t word : bitext_.source)
      ++row_ends_[word + 1];
    for (std::size_t word = 0; word < bitext_.source_words; ++word)
      row_ends_[word + 1] += row_ends_[word];
    rows_.resize(n + bitext_.source.size());
    std::vector<std::size_t> next(row_ends_.begin(), row_ends_.end() - 1);
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t width = target_size(s);
      for (std::size_t i = 0; i <= source_size(s); ++i) {
        const std::size_t word = i == 0 ? 0 : bitext_.source[at(bitext_.source_offsets[s]) + i - 1];
        rows_[next[word]++] = {firsts_[s] + i * width, width};
        targets_.push_back(at(bitext_.target_offsets[s]));
      }
      firsts_.push_back(firsts_[s] + (source_size(s) + 1) * width);
    }
  }

  // Gives every pair of a source word and a target word that meet a number; those of a source word
  // follow each other.
  void number_pairs(const base::Poll &poll) {
    types_.resize(firsts_.back());
    std::vector<std::size_t> row_targets(rows_.size());
    order_targets(row_targets);
    std::vector<std::uint32_t> known(bitext_.target_words), seen(bitext_.target_words, 0);
    type_starts_.assign(1, 0);
    std::size_t count = 0;
    for (std::size_t word = 0; word < bitext_.source_words; ++word) {
      if (word % 1024 == 0)
        poll();
      for (std::size_t r = row_ends_[word]; r < row_ends_[word + 1]; ++r)
        for (std::size_t j = 0; j < rows_[r].size; ++j) {
          const std::uint32_t target = bitext_.target[row_targets[r] + j];
          if (seen[target] != word + 1) {
            seen[target] = static_cast<std::uint32_t>(word + 1);
            require(count < 0xffffffff, "the text has too many pairs of words");
            known[target] = static_cast<std::uint32_t>(count++);
          }
          types_[rows_[r].first + j] = known[target];
        }
      type_starts_.push_back(count);
    }
  }

  // Where the target sentence of every row, in the order of source words, begins.
  void order_targets(std::vector<std::size_t> &ordered) {
    std::vector<std::size_t> next(row_ends_.begin(), row_ends_.end() - 1);
    std::size_t row = 0;
    for (std::size_t s = 0; s < bitext_.size(); ++s)
      for (std::size_t i = 0; i <= source_size(s); ++i) {
        const std::size_t word = i == 0 ? 0 : bitext_.source[at(bitext_.source_offsets[s]) + i - 1];
        ordered[next[word]++] = targets_[row++];
      }
    targets_ = {};
  }

  const Bitext &bitext_;
  std::vector<std::size_t> firsts_, row_ends_, type_starts_, targets_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> types_;
};

class Aligner {
public:
  Aligner(const Bitext &bitext, const AlignerOptions &options, const base::Threads &threads)
      : bitext_(bitext), options_(options), threads_(threads), pairs_(bitext, threads.poll),
        probabilities_(pairs_.types_from(bitext.source_words),
                       static_cast<float>(1.0 / static_cast<double>(bitext.target_words))),
        weights_(pairs_.types().size()), sentence_likelihoods_(bitext.size()),
        distances_(bitext.size()), tension_(options.tension) {
    for (std::size_t s = 0; s < bitext.size(); ++s)
      if (pairs_.source_size(s) > 0)
        ++sizes_[{pairs_.source_size(s), pairs_.target_size(s)}];
  }

  std::size_t rounds() const { return options_.ibm1 + options_.diagonal + options_.hmm; }

  // The probabilities of links in a round, by the model of that round; the last one is no training.
  void expect(std::size_t round) {
    if (round >= rounds())
      options_.hmm > 0 ? weigh_jumps() : weigh(options_.diagonal > 0);
    else if (round < options_.ibm1 + options_.diagonal)
      likelihoods_.push_back(weigh(round >= options_.ibm1));
    else
      likelihoods_.push_back(weigh_jumps());
  }

  // The probabilities of words from those of links.
  void maximise(std::size_t round) {
    if (round > 0 && round >= options_.ibm1 && round < options_.ibm1 + options_.diagonal)
      pull();
    renew();
  }

  Alignments finish() { return {links(), std::move(likelihoods_), tension_}; }

  // Makes both directions agree: a link has the product of its probabilities in either.
  static void agree(Aligner &forward, Aligner &backward) {
    const auto work = [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) {
        const std::size_t m = forward.pairs_.source_size(s), n = forward.pairs_.target_size(s);
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < n; ++j) {
            float &one = forward.weights_[forward.pairs_.first(s) + (i + 1) * n + j];
            float &other = backward.weights_[backward.pairs_.first(s) + (j + 1) * m + i];
            one = other = one * other;
          }
      }
    };
    base::in_blocks(forward.bitext_.size(), SENTENCES_PER_BLOCK, forward.threads_, work);
  }

private:
  // The probability of every link, given the words: the E-step.
  double weigh(bool diagonal) {
    base::in_blocks(bitext_.size(), SENTENCES_PER_BLOCK, threads_,
                    [&](std::size_t first, std::size_t last) {
                      std::vector<double> prior;
                      for (std::size_t s = first; s < last; ++s)
                        weigh_sentence(s, diagonal, prior);
                    });
    return total_likelihood();
  }

  double total_likelihood() const {
    double total = 0;
    for (const double own : sentence_likelihoods_)
      total += own;
    return total;
  }

  void weigh_sentence(std::size_t s, bool diagonal, std::vector<double> &prior) {
    const std::size_t m = pairs_.source_size(s), n = pairs_.target_size(s), first = pairs_.first(s);
    const DiagonalPrior near(tension_, std::max<std::size_t>(m, 1), n);
    prior.assign(m, m == 0 ? 0 : 1 / static_cast<double>(m));
    double likelihood = 0, distance = 0;
    const double empty = m == 0 ? 1 : options_.empty;
    for (std::size_t j = 0; j < n; ++j) {
      if (diagonal && m > 0)
        near.write(j, prior);
      const auto pair = [&](std::size_t row) { return first + row * n + j; };
      const auto word = [&](std::size_t row) {
        return static_cast<double>(probabilities_[pairs_.types()[pair(row)]]);
      };
      double sum = empty * word(0);
      for (std::size_t i = 0; i < m; ++i)
        sum += (1 - empty) * prior[i] * word(i + 1);
      likelihood += std::log(sum);
      weights_[pair(0)] = static_cast<float>(empty * word(0) / sum);
      for (std::size_t i = 0; i < m; ++i) {
        const double weight = (1 - empty) * prior[i] * word(i + 1) / sum;
        weights_[pair(i + 1)] = static_cast<float>(weight);
        distance += weight * near.distance(i, j);
      }
    }
    sentence_likelihoods_[s] = likelihood;
    distances_[s] = distance;
  }

  // The same by the hidden Markov model, whose jumps are fitted. Those of a block of sentences are
  // added up first, and the blocks in order.
  double weigh_jumps() {
    std::map<std::size_t, std::vector<double>> transitions;
    for (const auto &[size, count] : sizes_)
      if (!transitions.contains(size.first))
        transitions.emplace(size.first, jumps_.transitions(size.first));
    const std::size_t n = bitext_.size();
    std::vector<Jumps::Counts> counts((n + SENTENCES_PER_BLOCK - 1) / SENTENCES_PER_BLOCK);
    base::in_blocks(n, SENTENCES_PER_BLOCK, threads_, [&](std::size_t first, std::size_t last) {
      ForwardBackward pass;
      std::vector<double> buffer;
      for (std::size_t s = first; s < last; ++s)
        weigh_jumps(s, transitions, pass, buffer, counts[s / SENTENCES_PER_BLOCK]);
    });
    Jumps::Counts all{};
    for (const auto &own : counts)
      for (std::size_t b = 0; b < all.size(); ++b)
        all[b] += own[b];
    jumps_.renew(all);
    return total_likelihood();
  }

  void weigh_jumps(std::size_t s, const std::map<std::size_t, std::vector<double>> &transitions,
                   ForwardBackward &pass, std::vector<double> &emissions, Jumps::Counts &counts) {
    const std::size_t m = pairs_.source_size(s), n = pairs_.target_size(s), first = pairs_.first(s);
    if (m == 0) {
      weigh_sentence(s, false, emissions);
      return;
    }
    emissions.resize((m + 1) * n);
    for (std::size_t k = 0; k < emissions.size(); ++k)
      emissions[k] = static_cast<double>(probabilities_[pairs_.types()[first + k]]);
    sentence_likelihoods_[s] = pass.run(transitions.at(m), emissions, m, n, options_.empty,
                                        std::span(weights_).subspan(first, (m + 1) * n), counts);
  }

  // Adds the weights of links up and makes probabilities of them: the M-step.
  void renew() {
    base::in_blocks(bitext_.source_words, WORDS_PER_BLOCK, threads_,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t word = begin; word < end; ++word)
                        renew_word(word);
                    });
  }

  void renew_word(std::size_t word) {
    const std::size_t begin = pairs_.types_from(word), end = pairs_.types_from(word + 1);
    std::vector<double> counts(end - begin, options_.alpha);
    for (const auto &row : pairs_.rows(word))
      for (std::size_t pair = row.first; pair < row.first + row.size; ++pair)
        counts[pairs_.types()[pair] - begin] += static_cast<double>(weights_[pair]);
    double total = 0;
    for (const double count : counts)
      total += count;
    const double scale = counts.empty() ? 0 : digamma(total);
    for (std::size_t i = 0; i < counts.size(); ++i)
      probabilities_[begin + i] =
          std::max(LEAST_PROBABILITY, static_cast<float>(std::exp(digamma(counts[i]) - scale)));
  }

  // Moves the tension to where the distances that the prior expects are those of the links.
  void pull() {
    double found = 0, words = 0;
    for (const double distance : distances_)
      found += distance;
    for (const auto &[size, count] : sizes_)
      words += static_cast<double>(count * size.second);
    for (int step = 0; step < STEPS && words > 0; ++step) {
      double expected = 0;
      std::vector<double> prior;
      for (const auto &[size, count] : sizes_) {
        const DiagonalPrior near(tension_, size.first, size.second);
        prior.resize(size.first);
        for (std::size_t j = 0; j < size.second; ++j) {
          near.write(j, prior);
          for (std::size_t i = 0; i < size.first; ++i)
            expected += static_cast<double>(count) * prior[i] * near.distance(i, j);
        }
      }
      tension_ += STEP * (expected - found) / words;
      tension_ = std::clamp(tension_, LEAST_TENSION, MOST_TENSION);
    }
  }

  std::vector<std::int32_t> links() const {
    std::vector<std::int32_t> found(bitext_.target.size());
    for (std::size_t s = 0; s < bitext_.size(); ++s) {
      const std::size_t n = pairs_.target_size(s);
      for (std::size_t j = 0; j < n; ++j) {
        std::size_t best = 0;
        for (std::size_t row = 1; row <= pairs_.source_size(s); ++row)
          if (weights_[pairs_.first(s) + row * n + j] > weights_[pairs_.first(s) + best * n + j])
            best = row;
        found[at(bitext_.target_offsets[s]) + j] = static_cast<std::int32_t>(best) - 1;
      }
    }
    return found;
  }

  const Bitext &bitext_;
  const AlignerOptions &options_;
  const base::Threads &threads_;
  WordPairs pairs_;
  std::vector<float> probabilities_; // of a target word given a source word, by type of pair
  std::vector<float> weights_;       // of links, by pair
  std::vector<double> sentence_likelihoods_, distances_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sizes_; // of sentences, how many
  double tension_;
  std::vector<double> likelihoods_;
  Jumps jumps_;
};

void check(const Bitext &bitext, const AlignerOptions &options) {
  bitext.check();
  require(options.empty > 0 && options.empty < 1, "the probability of no link lies in (0, 1)");
  require(options.alpha > 0, "alpha must be positive");
  require(options.tension > 0, "the tension must be positive");
}

} // namespace

Alignments align(const Bitext &bitext, const AlignerOptions &options,
                 const base::Threads &threads) {
  check(bitext, options);
  Aligner aligner(bitext, options, threads);
  for (std::size_t round = 0; round <= aligner.rounds(); ++round) {
    aligner.expect(round);
    if (round < aligner.rounds())
      aligner.maximise(round);
  }
  return aligner.finish();
}

std::pair<Alignments, Alignments> align_both(const Bitext &bitext, const AlignerOptions &options,
                                             const base::Threads &threads) {
  const Bitext swapped{bitext.target,         bitext.source,       bitext.target_offsets,
                       bitext.source_offsets, bitext.target_words, bitext.source_words};
  check(bitext, options);
  check(swapped, options);
  Aligner forward(bitext, options, threads), backward(swapped, options, threads);
  for (std::size_t round = 0; round <= forward.rounds(); ++round) {
    forward.expect(round);
    backward.expect(round);
    if (round == forward.rounds())
      break;
    if (round >= options.ibm1 + options.diagonal)
      Aligner::agree(forward, backward);
    forward.maximise(round);
    backward.maximise(round);
  }
  return {forward.finish(), backward.finish()};
}

} // namespace runoff::translation
