#include "runoff/translation/extraction.hpp"

#include "runoff/base/at.hpp"
#include "runoff/base/fingerprints.hpp"
#include "runoff/base/hash_index.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/translation/lexical_weights.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace runoff::translation {

using base::at;

namespace {

void require(bool holds, const char *what) {
  if (!holds)
    throw std::invalid_argument(what);
}

using Words = std::span<const std::uint32_t>;

// Phrases numbered in the order in which they are first seen; each is kept as a place in the text.
class Phrases {
public:
  explicit Phrases(Words text) : text_(text) {}

  std::uint32_t add(std::size_t begin, std::size_t size) {
    const auto words = text_.subspan(begin, size);
    const auto same = [&](const base::NumberSlot &slot) {
      return std::ranges::equal((*this)[slot.number], words);
    };
    if (!index_.fits(known_.size() + 1))
      index_.grow([&](const base::NumberSlot &slot) { return hash((*this)[slot.number]); });
    auto &slot = index_[index_.place(hash(words), same)];
    if (slot.is_free()) {
      require(known_.size() < base::NumberSlot::none, "the text has too many phrases");
      slot.number = static_cast<std::uint32_t>(known_.size());
      known_.push_back({begin, size});
    }
    return slot.number;
  }

  Words operator[](std::size_t number) const {
    return text_.subspan(known_[number].first, known_[number].second);
  }
  std::size_t size() const { return known_.size(); }

private:
  static std::uint64_t hash(Words words) {
    base::Fold fold;
    for (const auto word : words)
      fold = fold.then(std::uint64_t{word});
    return fold.a;
  }

  Words text_;
  std::vector<std::pair<std::size_t, std::size_t>> known_;
  base::HashIndex<base::NumberSlot> index_;
};

struct Counted {
  std::uint32_t source, target, count = 0;
  std::array<std::uint32_t, 2 * ORIENTATIONS> orientations{};
  std::array<float, 2> lexical{-1e30F, -1e30F};
};

class Extraction {
public:
  Extraction(const Bitext &bitext, std::span<const std::int64_t> offsets,
             std::span<const Link> links, std::size_t longest)
      : bitext_(bitext), offsets_(offsets), links_(links), longest_(longest),
        sources_(bitext.source), targets_(bitext.target) {}

  Blocks run(const base::Poll &poll) && {
    for (std::size_t s = 0; s < bitext_.size(); ++s) {
      if (s % 1024 == 0)
        poll();
      begin(s);
      count_words();
    }
    for (std::size_t s = 0; s < bitext_.size(); ++s) {
      if (s % 256 == 0)
        poll();
      begin(s);
      weigh_words();
      admissible_blocks(source_.size(), target_.size(), own_, longest_,
                        [&](const BlockLink &block) { add(block); });
    }
    return sorted();
  }

private:
  void begin(std::size_t s) {
    const auto part = [s](const auto &all, const auto &bounds) {
      return all.subspan(at(bounds[s]), at(bounds[s + 1] - bounds[s]));
    };
    source_begin_ = at(bitext_.source_offsets[s]);
    target_begin_ = at(bitext_.target_offsets[s]);
    source_ = part(bitext_.source, bitext_.source_offsets);
    target_ = part(bitext_.target, bitext_.target_offsets);
    own_ = part(links_, offsets_);
    by_source_.assign(source_.size(), {});
    by_target_.assign(target_.size(), {});
    for (const auto &link : own_) {
      require(link.source < source_.size() && link.target < target_.size(),
              "a link lies outside its sentences");
      by_source_[link.source].push_back(link.target);
      by_target_[link.target].push_back(link.source);
    }
  }

  void count_words() {
    target_words_.count(target_, source_, by_target_);
    source_words_.count(source_, target_, by_source_);
  }

  // The lexical weight of every word: all links of a word of an admissible block are in the block.
  void weigh_words() {
    target_words_.weigh(target_, source_, by_target_, target_weights_);
    source_words_.weigh(source_, target_, by_source_, source_weights_);
  }

  void add(const BlockLink &block) {
    const std::size_t s = block.source_begin, t = block.target_begin;
    const auto source = sources_.add(source_begin_ + s, block.source_end - s + 1);
    const auto target = targets_.add(target_begin_ + t, block.target_end - t + 1);
    auto &counted = find(source, target);
    ++counted.count;
    ++counted.orientations[at(before(block))];
    ++counted.orientations[ORIENTATIONS + at(after(block))];
    double given_source = 0, given_target = 0;
    for (std::size_t j = t; j <= block.target_end; ++j)
      given_source += target_weights_[j];
    for (std::size_t i = s; i <= block.source_end; ++i)
      given_target += source_weights_[i];
    counted.lexical[0] = std::max(counted.lexical[0], static_cast<float>(given_source));
    counted.lexical[1] = std::max(counted.lexical[1], static_cast<float>(given_target));
  }

  Counted &find(std::uint32_t source, std::uint32_t target) {
    const auto hash = [](std::uint32_t a, std::uint32_t b) {
      return base::Fold{}.then(std::uint64_t{a} << 32 | b).a;
    };
    if (!index_.fits(blocks_.size() + 1))
      index_.grow([&](const base::NumberSlot &slot) {
        return hash(blocks_[slot.number].source, blocks_[slot.number].target);
      });
    auto &slot = index_[index_.place(hash(source, target), [&](const base::NumberSlot &known) {
      return blocks_[known.number].source == source && blocks_[known.number].target == target;
    })];
    if (slot.is_free()) {
      require(blocks_.size() < base::NumberSlot::none, "the text has too many blocks");
      slot.number = static_cast<std::uint32_t>(blocks_.size());
      blocks_.push_back({source, target});
    }
    return blocks_[slot.number];
  }

  bool linked(std::ptrdiff_t i, std::ptrdiff_t j) const {
    const auto m = static_cast<std::ptrdiff_t>(source_.size());
    const auto n = static_cast<std::ptrdiff_t>(target_.size());
    if (i < 0 || j < 0 || i == m || j == n) // both sentences begin and end together
      return (i < 0 && j < 0) || (i == m && j == n);
    return std::ranges::binary_search(
        own_, Link{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
  }

  Orientation before(const BlockLink &block) const {
    const auto begin = static_cast<std::ptrdiff_t>(block.source_begin);
    const auto end = static_cast<std::ptrdiff_t>(block.source_end);
    const auto j = static_cast<std::ptrdiff_t>(block.target_begin) - 1;
    return linked(begin - 1, j) ? Orientation::monotone
           : linked(end + 1, j) ? Orientation::swap
                                : Orientation::other;
  }

  Orientation after(const BlockLink &block) const {
    const auto begin = static_cast<std::ptrdiff_t>(block.source_begin);
    const auto end = static_cast<std::ptrdiff_t>(block.source_end);
    const auto j = static_cast<std::ptrdiff_t>(block.target_end) + 1;
    return linked(end + 1, j)     ? Orientation::monotone
           : linked(begin - 1, j) ? Orientation::swap
                                  : Orientation::other;
  }

  // The ranks of phrases when they are sorted by their words.
  static std::vector<std::uint32_t> ranks(const Phrases &phrases,
                                          std::vector<std::uint32_t> &order) {
    order.resize(phrases.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(phrases[a], phrases[b]);
    });
    std::vector<std::uint32_t> made(phrases.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      made[order[i]] = static_cast<std::uint32_t>(i);
    return made;
  }

  Blocks sorted() {
    std::vector<std::uint32_t> source_order, target_order;
    const auto source_ranks = ranks(sources_, source_order);
    const auto target_ranks = ranks(targets_, target_order);
    std::ranges::sort(blocks_, [&](const Counted &a, const Counted &b) {
      if (a.source != b.source)
        return source_ranks[a.source] < source_ranks[b.source];
      if (a.count != b.count)
        return a.count > b.count;
      return target_ranks[a.target] < target_ranks[b.target];
    });
    Blocks made;
    const auto append = [](std::vector<std::uint32_t> &all, Words words) {
      require(all.size() + words.size() < 0xffffffff, "the blocks have too many words");
      all.insert(all.end(), words.begin(), words.end());
      return static_cast<std::uint32_t>(all.size());
    };
    made.source_starts.push_back(0);
    for (const auto number : source_order)
      made.source_starts.push_back(append(made.sources, sources_[number]));
    made.target_starts.push_back(0);
    for (const auto &block : blocks_) {
      if (made.first_blocks.size() == source_ranks[block.source])
        made.first_blocks.push_back(static_cast<std::uint32_t>(made.counts.size()));
      made.target_starts.push_back(append(made.targets, targets_[block.target]));
      made.target_numbers.push_back(target_ranks[block.target]);
      made.counts.push_back(block.count);
      made.orientations.insert(made.orientations.end(), block.orientations.begin(),
                               block.orientations.end());
      made.lexical.insert(made.lexical.end(), block.lexical.begin(), block.lexical.end());
    }
    made.first_blocks.push_back(static_cast<std::uint32_t>(made.counts.size()));
    return made;
  }

  const Bitext &bitext_;
  std::span<const std::int64_t> offsets_;
  std::span<const Link> links_;
  std::size_t longest_;
  Phrases sources_, targets_;
  WordProbabilities target_words_, source_words_; // given the other side
  base::HashIndex<base::NumberSlot> index_;
  std::vector<Counted> blocks_;
  // Of the sentence pair at hand.
  Words source_, target_;
  std::size_t source_begin_ = 0, target_begin_ = 0;
  std::span<const Link> own_;
  std::vector<std::vector<std::uint32_t>> by_source_, by_target_;
  std::vector<double> source_weights_, target_weights_;
};

} // namespace

void admissible_blocks(std::size_t source_size, std::size_t target_size,
                       std::span<const Link> links, std::size_t longest,
                       const std::function<void(const BlockLink &)> &found) {
  // The links of a place: the lowest and the highest place on the other side.
  struct Reach {
    std::size_t low = static_cast<std::size_t>(-1), high = 0;
    void add(std::size_t place) {
      low = std::min(low, place);
      high = std::max(high, place);
    }
    bool none() const { return low > high; }
  };
  std::vector<Reach> of_source(source_size), of_target(target_size);
  for (const auto &link : links) {
    of_source[link.source].add(link.target);
    of_target[link.target].add(link.source);
  }
  for (std::size_t t = 0; t < target_size; ++t) {
    Reach sources;
    for (std::size_t u = t; u < std::min(target_size, t + longest); ++u) {
      if (!of_target[u].none()) {
        sources.add(of_target[u].low);
        sources.add(of_target[u].high);
      }
      if (sources.none())
        continue;
      if (sources.high - sources.low >= longest)
        break;
      Reach targets;
      for (std::size_t i = sources.low; i <= sources.high; ++i)
        if (!of_source[i].none()) {
          targets.add(of_source[i].low);
          targets.add(of_source[i].high);
        }
      if (targets.low < t)
        break; // and so will be those of all longer intervals
      if (targets.high > u)
        continue;
      for (std::size_t s = sources.low;; --s) { // words without links at the edges
        for (std::size_t e = sources.high; e < source_size && e - s < longest; ++e) {
          if (e > sources.high && !of_source[e].none())
            break;
          found({s, e, t, u});
        }
        if (s == 0 || !of_source[s - 1].none() || sources.high - s + 1 >= longest)
          break;
      }
    }
  }
}

Blocks extract_blocks(const Bitext &bitext, std::span<const std::int64_t> link_offsets,
                      std::span<const Link> links, std::size_t longest, const base::Poll &poll) {
  bitext.check();
  require(longest >= 1, "blocks have at least one word");
  require(link_offsets.size() == bitext.source_offsets.size(),
          "there must be links for every sentence pair");
  base::check_offsets(link_offsets, links.size(), "links");
  return Extraction(bitext, link_offsets, links, longest).run(poll);
}

} // namespace runoff::translation
