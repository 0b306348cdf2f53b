// Tree kernels of pairs of trees, one by one: what benchmarks/kernels.py compares with. Built by
// it.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

struct Node {
  std::uint32_t production;   // 0 for leaves
  std::uint32_t first, count; // of its children
};

struct Tree {
  const Node *nodes;
  const std::uint32_t *children; // numbers of nodes
  const std::uint32_t *order;    // nodes that are no leaves, by production
  std::uint32_t size, inner;
};

double all_pairs(const Tree &a, const Tree &b, std::uint32_t i, std::uint32_t j, double lam,
                 std::vector<double> &known) {
  const auto &x = a.nodes[i], &y = b.nodes[j];
  if (x.production == 0 || x.production != y.production)
    return 0.0;
  auto &c = known[std::size_t{i} * b.size + j];
  if (c >= 0.0)
    return c;
  double value = lam;
  for (std::uint32_t k = 0; k < x.count; ++k)
    value *= 1.0 + all_pairs(a, b, a.children[x.first + k], b.children[y.first + k], lam, known);
  return c = value;
}

} // namespace

extern "C" {

// The obvious double loop over all pairs of nodes, each C remembered.
double double_loop(const Tree *a, const Tree *b, double lam) {
  static std::vector<double> known;
  known.assign(std::size_t{a->size} * b->size, -1.0);
  double sum = 0.0;
  for (std::uint32_t i = 0; i < a->size; ++i)
    for (std::uint32_t j = 0; j < b->size; ++j)
      sum += all_pairs(*a, *b, i, j, lam, known);
  return sum;
}

// Only pairs with the same production, found by walking both trees in the order of productions.
double equal_productions(const Tree *a, const Tree *b, double lam) {
  static std::vector<double> known;
  known.assign(std::size_t{a->size} * b->size, -1.0);
  double sum = 0.0;
  for (std::uint32_t i = 0, j = 0; i < a->inner && j < b->inner;) {
    const auto p = a->nodes[a->order[i]].production, q = b->nodes[b->order[j]].production;
    if (p != q) {
      p < q ? ++i : ++j;
      continue;
    }
    auto end_i = i, end_j = j;
    while (end_i < a->inner && a->nodes[a->order[end_i]].production == p)
      ++end_i;
    while (end_j < b->inner && b->nodes[b->order[end_j]].production == p)
      ++end_j;
    for (auto x = i; x < end_i; ++x)
      for (auto y = j; y < end_j; ++y)
        sum += all_pairs(*a, *b, a->order[x], b->order[y], lam, known);
    i = end_i;
    j = end_j;
  }
  return sum;
}

// Kernels of all rows with all columns; `plain` for the double loop.
void matrix(const Tree *rows, std::size_t n, const Tree *columns, std::size_t m, double lam,
            int plain, double *out) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      out[i * m + j] = plain != 0 ? double_loop(&rows[i], &columns[j], lam)
                                  : equal_productions(&rows[i], &columns[j], lam);
}
}
