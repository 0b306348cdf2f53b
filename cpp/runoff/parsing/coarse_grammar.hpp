// The model of the first pass over a sentence.
//
// A PCFG whose modifiers depend on parent, head, side, and on being the first or a later one.
#pragma once

#include "runoff/base/at.hpp"
#include "runoff/parsing/head_model.hpp"

#include <span>
#include <vector>

namespace runoff::parsing {

// The coarse model as arrays; the model that they come from must live as long.
class CoarseGrammar {
public:
  explicit CoarseGrammar(const HeadModel &model);

  struct Pair {
    Label parent, head;
    float head_probability;
    float stops[2][2]; // by side, and whether a modifier came before
    float stop(Side side, bool first) const { return stops[static_cast<int>(side)][!first]; }
    // A constituent with nothing but its head, which has another label.
    float alone() const {
      return parent == head ? 0.0F
                            : head_probability * stop(Side::right, true) * stop(Side::left, true);
    }
  };
  // A label as a modifier of a pair.
  struct Modified {
    std::uint32_t pair;
    float first, later; // probabilities
  };
  const Labels &labels() const { return labels_; }
  std::span<const Pair> pairs() const { return pairs_; }
  const Pair &pair(std::size_t number) const { return pairs_[number]; }
  std::size_t pair_number(Label parent, Label head) const {
    return base::at(numbers_[labels_.pair(parent, head)]);
  }
  std::span<const Modified> modified(Side side, Label label) const {
    return modified_[static_cast<int>(side)][base::at(label)];
  }
  // The number of a modifier among those that a pair takes on a side, from 1; 0 if it takes it not.
  int slot(Side side, std::size_t pair, Label modifier) const {
    return slots_[static_cast<int>(side)][pair * base::at(labels_.count) + base::at(modifier)];
  }
  // How many there are.
  int slots(Side side, std::size_t pair) const { return taken_[static_cast<int>(side)][pair]; }
  std::span<const std::uint32_t> pairs_of_head(Label head) const {
    return by_head_[base::at(head)];
  }
  float top(Label label) const { return top_[base::at(label)]; }

private:
  const Labels &labels_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<Modified>> modified_[2];
  std::vector<std::int16_t> slots_[2];
  std::vector<std::int16_t> taken_[2];
  std::vector<float> top_;
  std::vector<std::vector<std::uint32_t>> by_head_;
  std::vector<std::int32_t> numbers_;
};

} // namespace runoff::parsing
