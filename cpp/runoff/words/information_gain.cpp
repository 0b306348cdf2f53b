#include "runoff/base/parallel.hpp"
#include "runoff/words/class_counter.hpp"

#include <cmath>
#include <numeric>

namespace runoff::words {
namespace {

double n_log_n(double n) { return n > 0 ? n * std::log2(n) : 0.0; }

// The sum over values of n log n minus that of their classes: examples times H(C|V).
double conditional_entropy(const Windows &windows, std::size_t feature, std::size_t n_symbols,
                           const base::Poll &poll) {
  std::vector<std::uint32_t> ends(n_symbols + 1);
  for_places(windows, poll,
             [&](std::uint32_t place) { ++ends[windows.value(place, feature) + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> classes(windows.size()); // of the examples, in order of their value
  for_places(windows, poll, [&](std::uint32_t place) {
    classes[ends[windows.value(place, feature)]++] = windows.cells[place];
  });
  ClassCounter counter(n_symbols);
  double sum = 0.0;
  std::size_t begin = 0, polled = 0;
  for (std::size_t value = 0; value < n_symbols; ++value) {
    const std::size_t end = ends[value];
    if (end - polled >= examples_per_poll) {
      poll();
      polled = end;
    }
    for (std::size_t i = begin; i < end; ++i)
      counter.add(classes[i]);
    sum += n_log_n(static_cast<double>(end - begin));
    for (const auto cls : counter.seen())
      sum -= n_log_n(counter.count(cls));
    counter.clear();
    begin = end;
  }
  return sum;
}

} // namespace

std::vector<double> information_gain(const Windows &windows, std::size_t n_symbols,
                                     const base::Threads &threads) {
  std::vector<double> gains(windows.shifts.size());
  if (windows.places.empty())
    return gains;
  const auto n = static_cast<double>(windows.size());
  ClassCounter counter(n_symbols);
  count_classes(windows, threads.poll, counter);
  double entropy = n_log_n(n);
  for (const auto cls : counter.seen())
    entropy -= n_log_n(counter.count(cls));
  base::in_long_blocks(
      gains.size(), 1, threads, [&](std::size_t f, std::size_t, const base::Poll &poll) {
        gains[f] = (entropy - conditional_entropy(windows, f, n_symbols, poll)) / n;
      });
  return gains;
}

} // namespace runoff::words
