#include "runoff/words/igtree.hpp"
#include "runoff/base/parallel.hpp"

#include <algorithm>
#include <stdexcept>

namespace runoff::words {
namespace {

constexpr std::size_t examples_per_block = 1 << 10;

[[noreturn]] void broken() { throw std::invalid_argument("the tree is broken"); }

struct Scored {
  std::uint32_t cls;
  double probability;
};

} // namespace

IGTree::IGTree(const Arrays &arrays, std::span<const std::uint32_t> order)
    : tree_(arrays), order_(order.begin(), order.end()) {
  const auto nodes = tree_.values.size();
  if (nodes == 0 || tree_.totals.size() != nodes || tree_.kinds.size() != nodes ||
      tree_.children.size() != nodes + 1 || tree_.entries.size() != nodes + 1 ||
      tree_.counts.size() != tree_.classes.size())
    broken();
}

IGTree::Range IGTree::children_of(std::size_t node) const {
  const Range range{tree_.children[node], tree_.children[node + 1]};
  if (range.begin > range.end || range.end > tree_.values.size() || range.begin <= node)
    broken();
  return range;
}

IGTree::Range IGTree::entries_of(std::size_t node) const {
  if (node >= tree_.values.size())
    broken();
  const Range range{tree_.entries[node], tree_.entries[node + 1]};
  if (range.begin >= range.end || range.end > tree_.classes.size() || tree_.totals[node] == 0)
    broken();
  return range;
}

// Writes the nodes that match, from the root on, and returns how many there are.
std::size_t IGTree::path(const Windows &windows, std::size_t example,
                         std::span<std::uint32_t> nodes) const {
  std::uint32_t node = 0;
  nodes[0] = 0;
  std::size_t size = 1;
  for (const auto feature : order_) {
    const auto [begin, end] = children_of(node);
    const auto wanted = windows.value(windows.places[example], feature);
    const auto first = tree_.values.begin();
    const auto found = std::lower_bound(first + static_cast<std::ptrdiff_t>(begin),
                                        first + static_cast<std::ptrdiff_t>(end), wanted);
    if (found == first + static_cast<std::ptrdiff_t>(end) || *found != wanted)
      break;
    node = static_cast<std::uint32_t>(found - first);
    nodes[size++] = node;
  }
  return size;
}

void IGTree::match(const Windows &windows, std::span<std::uint32_t> nodes,
                   const base::Threads &threads) const {
  base::in_blocks(windows.size(), examples_per_block, threads,
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<std::uint32_t> matched(order_.size() + 1);
                    for (std::size_t e = begin; e < end; ++e)
                      nodes[e] = matched[path(windows, e, matched) - 1];
                  });
}

void IGTree::first_classes(std::span<const std::uint32_t> nodes,
                           std::span<std::uint32_t> classes) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    classes[i] = tree_.classes[entries_of(nodes[i]).begin];
}

IGTree::Lists IGTree::n_best(const Windows &windows, std::size_t n, double discount,
                             const base::Threads &threads) const {
  std::vector<std::vector<Scored>> found(windows.size());
  base::in_blocks(
      windows.size(), examples_per_block, threads, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> matched(order_.size() + 1);
        for (std::size_t e = begin; e < end; ++e) {
          auto &list = found[e];
          double share = 1.0; // what nodes below have left to those above
          for (std::size_t depth = path(windows, e, matched); depth-- > 0;) {
            const auto node = matched[depth];
            const double kept_back = depth == 0 ? 0.0 : discount;
            const double total = tree_.totals[node];
            const auto entries = entries_of(node);
            for (std::size_t i = entries.begin; i < entries.end; ++i) {
              const double own = share * std::max(tree_.counts[i] - kept_back, 0.0) / total;
              const auto cls = tree_.classes[i];
              const auto same = std::find_if(list.begin(), list.end(),
                                             [&](const Scored &one) { return one.cls == cls; });
              if (same == list.end())
                list.push_back({cls, own});
              else
                same->probability += own;
            }
            share *= kept_back * tree_.kinds[node] / total;
          }
          std::stable_sort(list.begin(), list.end(), [](const Scored &a, const Scored &b) {
            return a.probability > b.probability;
          });
          list.resize(std::min(list.size(), n));
        }
      });
  Lists lists;
  lists.offsets.push_back(0);
  for (const auto &list : found) {
    for (const auto &[cls, probability] : list) {
      lists.classes.push_back(cls);
      lists.probabilities.push_back(probability);
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.classes.size()));
  }
  return lists;
}

} // namespace runoff::words
