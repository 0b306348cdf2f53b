#include "runoff/boosting/pair_weights.hpp"

#include "runoff/boosting/log_loss.hpp"

#include <cmath>
#include <limits>

namespace runoff::boosting {

PairWeights::PairWeights(const trees::SharedTrees &trees, Loss loss,
                         std::span<const double> exponents)
    : trees_(trees), kind_(loss),
      exponents_(trees.members().size(), -std::numeric_limits<double>::infinity()),
      weights_(trees.members().size()), pairs_(trees.groups().size(), 0),
      list_start_(trees.groups().size()), list_end_(trees.groups().size()),
      list_loss_(loss == Loss::logarithmic ? trees.groups().size() : 0) {
  const auto groups = trees.groups();
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    const bool begins = group == 0 || groups[group].list != groups[group - 1].list;
    list_start_[group] = begins ? group : list_start_[group - 1];
    for (auto other = list_start_[group]; other <= group; ++other)
      list_end_[other] = group + 1;
    for (std::size_t place = 1; place < groups[group].size; ++place) {
      const auto member = groups[group].first + place;
      exponents_[member] = exponents[trees.members()[member]];
      if (exponents_[member] != -std::numeric_limits<double>::infinity())
        pairs_[group] |= std::uint64_t{1} << place;
    }
  }
  double sum = 0.0;
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (list_start_[group] == group)
      sum += weigh_list(group);
  recompute(base::scale_for(sum));
}

// The loss of a list by its first group; fresh_ becomes the weights of its pairs.
double PairWeights::weigh_list(std::size_t group) {
  const auto first = trees_.groups()[group].first;
  const auto &last = trees_.groups()[list_end_[group] - 1];
  const auto own = std::span(exponents_).subspan(first, last.first + last.size - first);
  if (kind_ == Loss::logarithmic)
    return log_loss(own, fresh_);
  fresh_.resize(own.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < own.size(); ++i)
    sum += fresh_[i] = std::exp(own[i]);
  return sum;
}

void PairWeights::recompute(double scale) {
  scale_ = scale;
  total_ = loss_ = 0;
  for (std::size_t group = 0; group < pairs_.size(); ++group) {
    if (list_start_[group] != group)
      continue;
    const double loss = weigh_list(group);
    if (kind_ == Loss::logarithmic)
      loss_ += list_loss_[group] = base::in_units(loss, scale_);
    for (std::size_t i = 0; i < fresh_.size(); ++i)
      total_ += weights_[trees_.groups()[group].first + i] = base::in_units(fresh_[i], scale_);
  }
  if (kind_ == Loss::exponential)
    loss_ = total_;
}

bool PairWeights::rescale() {
  if (!base::needs_scale(loss_, scale_))
    return false;
  recompute(base::scale_for(loss()));
  return true;
}

void PairWeights::add(std::size_t group, std::uint64_t candidates, double change,
                      std::vector<std::int64_t> &changes) {
  const auto first = trees_.groups()[group].first;
  const auto moved = moved_by(group);
  const auto moved_first = trees_.groups()[moved.front()].first;
  const auto &last = trees_.groups()[moved.back()];
  changes.assign(last.first + last.size - moved_first, 0);
  const auto set = [&](std::size_t member, double weight) {
    const auto fresh = base::in_units(weight, scale_);
    total_ += changes[member - moved_first] = fresh - weights_[member];
    weights_[member] = fresh;
  };
  for (auto rest = candidates; rest != 0; rest &= rest - 1) {
    const auto member = first + static_cast<std::size_t>(std::countr_zero(rest));
    exponents_[member] += change;
    if (kind_ == Loss::exponential)
      set(member, std::exp(exponents_[member]));
  }
  if (kind_ == Loss::exponential) {
    loss_ = total_;
    return;
  }
  const auto loss = base::in_units(weigh_list(list_start_[group]), scale_);
  loss_ += loss - list_loss_[list_start_[group]];
  list_loss_[list_start_[group]] = loss;
  for (std::size_t i = 0; i < fresh_.size(); ++i)
    set(moved_first + i, fresh_[i]);
}

} // namespace runoff::boosting
