// How much the scores of half-read candidates still move: means and variances, looked up on a grid
// (Ginter, Mylläri and Salakoski, 2006, section 2.2).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace runoff::search {

// What is expected of the score that a candidate will have once it is complete.
struct Expected {
  double mean, variance;
};

// The errors of several target functions by the degree of completion, which has `rows` places from
// 0 to 1, and by the normalised score, which has `columns` places from a low to a high value. In
// between, values are interpolated; beyond, they are those of the border.
class ScoreErrors {
public:
  // Of all arrays the last index runs fastest.
  struct Arrays {
    std::span<const double> centres, scales; // target: subtracted from a score, and divided by
    std::span<const double> lows, highs;     // target: range of the normalised score
    std::span<const double> means;           // target, row, column
    std::span<const double> deviations;      // target, row, column
    std::span<const double> correlations;    // row, target, target; the diagonal is 1
  };

  ScoreErrors(const Arrays &arrays, std::size_t rows, std::size_t columns);

  std::size_t targets() const { return centres_.size(); }

  // Of a candidate that is complete to the degree u, by its scores so far, one for each target.
  Expected expected(double u, std::span<const double> scores) const;

private:
  double normalised(std::size_t target, double score) const {
    return (score - centres_[target]) / scales_[target];
  }

  std::size_t rows_, columns_;
  std::vector<double> centres_, scales_, lows_, highs_, means_, deviations_, correlations_;
};

} // namespace runoff::search
