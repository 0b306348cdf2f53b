#include "runoff/features/text_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace runoff::features {
namespace {

constexpr char item_mark = '\xff';

// Features that are not n-grams, in the order in which a candidate has them.
enum Column : std::size_t {
  n_words,
  n_characters,
  per_input_word,
  in_input,
  input_covered,
  word_agreement,   // words come after it
  bigram_agreement, // bigrams come after it
  base_rank,
  first_in_base_order,
  logprob_per_word,
  n_columns
};

constexpr std::array<std::string_view, n_columns> column_names{
    "number of words",
    "number of characters",
    "words per word of input",
    "share of words in the input",
    "share of the input covered",
    "agreement of words",
    "agreement of bigrams",
    "base rank",
    "first in base order",
    "logprob per word",
};

// Adds a text to a name: its tokens, which spaces part.
void add_tokens(std::string_view text, base::Symbols &symbols, std::vector<base::Symbol> &name) {
  while (true) {
    const auto space = text.find(' ');
    name.push_back(symbols(text.substr(0, space)));
    if (space == std::string_view::npos)
      return;
    text.remove_prefix(space + 1);
  }
}

double ratio(std::size_t numerator, std::size_t denominator) {
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

// Of a feature in a list: the candidates that have it, and the extremes of its value.
struct Range {
  std::size_t candidates = 0;
  double low = 0, high = 0;
  bool is_count = true;

  void add(double value) {
    low = candidates == 0 ? value : std::min(low, value);
    high = candidates == 0 ? value : std::max(high, value);
    is_count = is_count && value >= 0 && value == std::floor(value);
    ++candidates;
  }
};

class TextEncoder {
public:
  TextEncoder(std::span<const std::int64_t> thresholds, bool keep_all, base::Symbols &symbols,
              EncodedTexts &out)
      : thresholds_(thresholds), keep_all_(keep_all), symbols_(symbols), out_(out),
        word_{symbols("word:")}, bigram_{symbols("bigram:")}, before_{symbols("<s>")},
        after_{symbols("</s>")} {
    for (std::size_t column = 0; column < n_columns; ++column)
      add_tokens(column_names[column], symbols_, column_tokens_[column]);
  }

  void encode(const TextList &list) {
    n_ = list.outputs.size();
    start_list();
    for (std::size_t candidate = 0; candidate < n_; ++candidate)
      count_grams(list.outputs[candidate], candidate);
    for (std::size_t candidate = 0; candidate < n_; ++candidate)
      fill_columns(list, candidate);
    compare_with_input(list.input);
    number_features();
    for (std::size_t candidate = 0; candidate < n_; ++candidate)
      write(candidate);
  }

private:
  using Words = std::vector<std::string_view>;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = base::NumberSlot::none;

    bool is_free() const { return number == base::NumberSlot::none; }
  };
  struct Gram {
    base::Fingerprint fingerprint;
    std::size_t name;  // where its tokens begin
    std::size_t entry; // its last
    std::uint32_t candidates = 0, occurrences = 0, last = base::NumberSlot::none;
  };
  struct Entry {
    std::uint32_t gram, count;
  };
  // Of a candidate: where its words, and the n-grams of each kind, begin; the next one's end them.
  struct Starts {
    std::size_t words, gram_words, gram_bigrams, words_seen, bigrams_seen;
  };
  static constexpr std::uint32_t left_out = base::FingerprintTable::none;

  void start_list() {
    words_.clear();
    tokens_.clear();
    token_starts_.clear();
    grams_.clear();
    names_.clear();
    index_.clear();
    entries_.clear();
    seen_.clear();
    starts_.clear();
    for (auto &column : columns_)
      column.assign(n_, 0.0);
  }

  void count_grams(std::string_view output, std::size_t candidate) {
    const auto first = words_.size();
    add_words(output, words_);
    for (auto at = first; at < words_.size(); ++at) {
      token_starts_.push_back(tokens_.size());
      add_tokens(words_[at], symbols_, tokens_);
    }
    const auto tokens_of = [&](std::size_t at) {
      const auto end = at + 1 < words_.size() ? token_starts_[at + 1] : tokens_.size();
      return std::span<const base::Symbol>(tokens_).subspan(token_starts_[at],
                                                            end - token_starts_[at]);
    };
    Starts start{first, entries_.size(), 0, seen_.size(), 0};
    for (auto at = first; at < words_.size(); ++at)
      count(word_, tokens_of(at), {}, candidate);
    start.gram_bigrams = entries_.size();
    start.bigrams_seen = seen_.size();
    if (words_.size() > first)
      for (auto at = first; at <= words_.size(); ++at)
        count(bigram_, at > first ? tokens_of(at - 1) : before_,
              at < words_.size() ? tokens_of(at) : after_, candidate);
    starts_.push_back(start);
  }

  // The candidate has an n-gram once more; the tokens of its name are these, one after the other.
  void count(std::span<const base::Symbol> kind, std::span<const base::Symbol> first,
             std::span<const base::Symbol> second, std::size_t candidate) {
    name_.assign(kind.begin(), kind.end());
    name_.insert(name_.end(), first.begin(), first.end());
    name_.insert(name_.end(), second.begin(), second.end());
    const auto number = gram_of(name_);
    auto &gram = grams_[number];
    ++gram.occurrences;
    seen_.push_back(number);
    if (gram.last == candidate) {
      ++entries_[gram.entry].count;
      return;
    }
    gram.last = static_cast<std::uint32_t>(candidate);
    ++gram.candidates;
    gram.entry = entries_.size();
    entries_.push_back({number, 1});
  }

  std::uint32_t gram_of(const std::vector<base::Symbol> &name) {
    base::Fold fold;
    for (const auto token : name)
      fold = fold.then(symbols_.fold(token));
    const auto one = fold.fingerprint();
    auto &slot =
        index_[index_.place(one.key, [&](const Slot &known) { return known.key == one.key; })];
    if (!slot.is_free())
      return slot.number;
    const auto number = static_cast<std::uint32_t>(grams_.size());
    slot = {one.key, number};
    grams_.push_back({one, names_.size(), 0});
    names_.insert(names_.end(), name.begin(), name.end());
    if (!index_.fits(grams_.size() + 1))
      index_.grow([](const Slot &known) { return known.key; });
    return number;
  }

  std::size_t end_of(std::size_t candidate, std::size_t Starts::*start, std::size_t last) const {
    return candidate + 1 < starts_.size() ? starts_[candidate + 1].*start : last;
  }
  std::span<const std::string_view> words_of(std::size_t candidate) const {
    const auto start = starts_[candidate].words;
    return {words_.data() + start, end_of(candidate, &Starts::words, words_.size()) - start};
  }

  void fill_columns(const TextList &list, std::size_t candidate) {
    const auto set = [&](Column column, double value) { columns_[column][candidate] = value; };
    const auto words = words_of(candidate).size();
    const auto output = list.outputs[candidate];
    set(n_words, static_cast<double>(words));
    if (!output.starts_with(item_mark))
      set(n_characters, static_cast<double>(std::ranges::count_if(
                            output, [](char c) { return (c & '\xc0') != '\x80'; })));
    const auto &start = starts_[candidate];
    const auto end = end_of(candidate, &Starts::words_seen, seen_.size());
    set(word_agreement, agreement(start.words_seen, start.bigrams_seen));
    set(bigram_agreement, agreement(start.bigrams_seen, end));
    set(base_rank, static_cast<double>(list.ranks[candidate]));
    set(first_in_base_order, list.ranks[candidate] == 0 ? 1.0 : 0.0);
    if (!std::isnan(list.logprobs[candidate]))
      set(logprob_per_word, list.logprobs[candidate] / static_cast<double>(words + 1));
  }

  // The share of the other candidates that have an n-gram of this one, on average.
  double agreement(std::size_t start, std::size_t end) const {
    if (start == end || n_ < 2)
      return 0;
    std::size_t others = 0;
    for (auto at = start; at < end; ++at)
      others += grams_[seen_[at]].candidates - 1;
    return ratio(others, (end - start) * (n_ - 1));
  }

  void compare_with_input(std::string_view input) {
    given_.clear();
    add_words(input, given_);
    if (given_.empty())
      return;
    const auto length = given_.size();
    std::ranges::sort(given_);
    given_.erase(std::unique(given_.begin(), given_.end()), given_.end());
    for (std::size_t candidate = 0; candidate < n_; ++candidate) {
      const auto words = words_of(candidate);
      found_.assign(given_.size(), 0);
      std::size_t inside = 0;
      for (const auto word : words) {
        const auto place = std::ranges::lower_bound(given_, word);
        if (place == given_.end() || *place != word)
          continue;
        ++inside;
        found_[static_cast<std::size_t>(place - given_.begin())] = 1;
      }
      columns_[per_input_word][candidate] = ratio(words.size(), length);
      columns_[in_input][candidate] = ratio(inside, std::max<std::size_t>(1, words.size()));
      const auto covered = static_cast<std::size_t>(std::ranges::count(found_, 1));
      columns_[input_covered][candidate] = ratio(covered, given_.size());
    }
  }

  void number_features() {
    for (std::size_t column = 0; column < n_columns; ++column) {
      Range range;
      for (const double value : columns_[column])
        if (value != 0) // zero is the same as absent
          range.add(value);
      column_numbers_[column] = left_out;
      if (range.candidates > 0) {
        base::Fold fold;
        for (const auto token : column_tokens_[column])
          fold = fold.then(symbols_.fold(token));
        column_numbers_[column] = number_of(fold.fingerprint(), column_tokens_[column], range);
      }
    }
    ranges_.assign(grams_.size(), {});
    for (const auto &entry : entries_)
      ranges_[entry.gram].add(entry.count);
    gram_numbers_.assign(grams_.size(), left_out);
    for (std::size_t i = 0; i < grams_.size(); ++i) {
      const auto &gram = grams_[i];
      if (gram.candidates == n_ && gram.occurrences == n_)
        continue; // tells nothing
      const auto end = i + 1 < grams_.size() ? grams_[i + 1].name : names_.size();
      gram_numbers_[i] = number_of(
          gram.fingerprint, std::span(names_).subspan(gram.name, end - gram.name), ranges_[i]);
    }
  }

  // The number of a feature that a list has, counted there; `left_out` if it has no entries there.
  std::uint32_t number_of(const base::Fingerprint &fingerprint, std::span<const base::Symbol> name,
                          const Range &range) {
    auto &out = out_.lists;
    const auto number = out.table.add(fingerprint);
    if (number == out.keys.size()) {
      out.keys.push_back(fingerprint.key);
      out.checks.push_back(fingerprint.check);
      out.tokens.insert(out.tokens.end(), name.begin(), name.end());
      out.token_offsets.push_back(static_cast<std::int64_t>(out.tokens.size()));
      out.list_counts.resize(out.list_counts.size() + thresholds_.size());
      out_.is_count.push_back(1);
    }
    for (std::size_t k = 0; k < thresholds_.size(); ++k)
      out.list_counts[number * thresholds_.size() + k] +=
          k == 0 || range.high >= static_cast<double>(thresholds_[k]);
    if (!range.is_count)
      out_.is_count[number] = 0;
    const bool same = range.candidates == n_ && range.low == range.high;
    return same && !keep_all_ ? left_out : number;
  }

  void write(std::size_t candidate) {
    const auto before = out_.lists.ids.size();
    const auto &start = starts_[candidate];
    for (std::size_t column = 0; column < n_columns; ++column) {
      write(column_numbers_[column], columns_[column][candidate]);
      if (column == word_agreement)
        write_grams(start.gram_words, start.gram_bigrams);
      if (column == bigram_agreement)
        write_grams(start.gram_bigrams, end_of(candidate, &Starts::gram_words, entries_.size()));
    }
    out_.lists.feature_counts.push_back(static_cast<std::int64_t>(out_.lists.ids.size() - before));
  }
  void write_grams(std::size_t start, std::size_t end) {
    for (auto at = start; at < end; ++at)
      write(gram_numbers_[entries_[at].gram], entries_[at].count);
  }
  void write(std::uint32_t number, double value) {
    if (number == left_out || value == 0)
      return;
    out_.lists.ids.push_back(number);
    out_.lists.values.push_back(value);
  }

  std::span<const std::int64_t> thresholds_;
  bool keep_all_;
  base::Symbols &symbols_;
  EncodedTexts &out_;
  std::array<base::Symbol, 1> word_, bigram_, before_, after_; // as tokens of names
  std::array<std::vector<base::Symbol>, n_columns> column_tokens_;

  // of the list
  std::size_t n_ = 0;
  Words words_;                      // of all candidates
  std::vector<base::Symbol> tokens_; // of all words, which may have spaces in them
  std::vector<std::size_t> token_starts_;
  std::vector<Starts> starts_;
  std::vector<Gram> grams_;
  base::HashIndex<Slot> index_{1 << 8};
  std::vector<base::Symbol> names_, name_; // tokens of all n-grams, and of the one being named
  std::vector<Entry> entries_;             // of all candidates
  std::vector<std::uint32_t> seen_;        // n-grams of all candidates, one after the other
  std::array<std::vector<double>, n_columns> columns_;
  Words given_;             // of the input, each once, sorted
  std::vector<char> found_; // which of them a candidate has
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> gram_numbers_;
  std::array<std::uint32_t, n_columns> column_numbers_;
};

} // namespace

EncodedTexts encode_texts(std::span<const TextList> lists, std::span<const std::int64_t> thresholds,
                          bool keep_all, base::Symbols &symbols, const base::Poll &poll) {
  EncodedTexts out;
  TextEncoder encoder(thresholds, keep_all, symbols, out);
  for (const auto &list : lists) {
    poll();
    encoder.encode(list);
  }
  return out;
}

} // namespace runoff::features
