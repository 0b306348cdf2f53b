#include "runoff/kernels/support_graph.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace runoff::kernels {
namespace {

// A subtree's child, as it is compared with the children of nodes.
struct Child {
  std::uint32_t production;
  const double *values; // by place
};

constexpr double no_value = 0.0;

// out[p] *= product over children of (1 + mu * C); `arity` children, or any number for 0.
template <std::size_t arity>
void multiply(std::span<const Child> children, std::span<const SupportGraph::Link> links, double mu,
              std::span<double> out) {
  const std::size_t n = arity == 0 ? children.size() : arity;
  const auto *link = links.data();
  for (auto &value : out) {
    double c = value;
    for (std::size_t k = 0; k < n; ++k, ++link)
      // without a branch: place 0 has the value 0
      c *= 1.0 +
           mu * children[k].values[link->production == children[k].production ? link->place : 0];
    value = c;
  }
}

double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k)
      sums[k] += a[i + k] * b[i + k];
  for (; i < a.size(); ++i)
    sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

} // namespace

Subtrees::Subtrees(Kernel::Kind kind, std::size_t n_labels)
    : kind_(kind), unknown_(static_cast<std::uint32_t>(n_labels)) {
  if (n_labels >= std::size_t{1} << 31)
    throw std::invalid_argument("too many labels for a kernel");
}

void Subtrees::add(const trees::Trees::View &tree, const base::Spans &productions,
                   std::vector<std::uint32_t> &found) {
  const auto number = [&](base::Spans::Items key) { return productions.find(key); };
  kind_ == Kernel::Kind::tree ? add_tree(tree, number, found) : add_tagging(tree, number, found);
}

void Subtrees::add(const trees::Trees::View &tree, base::Spans &productions,
                   std::vector<std::uint32_t> &found) {
  const auto number = [&](base::Spans::Items key) { return productions.number(key); };
  kind_ == Kernel::Kind::tree ? add_tree(tree, number, found) : add_tagging(tree, number, found);
}

template <typename Number>
void Subtrees::add_tree(const trees::Trees::View &tree, const Number &number,
                        std::vector<std::uint32_t> &found) {
  trees::find_ends(tree.depths, ends_);
  at_.assign(tree.size(), none);
  const auto is_leaf = [&](std::size_t node) { return ends_[node] == node + 1; };
  for (std::size_t node = tree.size(); node-- > 0;) {
    if (is_leaf(node))
      continue;
    key_.assign(1, tree.labels[node]);
    span_.assign(1, none);
    bool all_known = tree.labels[node] != unknown_;
    for (std::size_t child = node + 1; child < ends_[node]; child = ends_[child]) {
      all_known = all_known && tree.labels[child] != unknown_;
      // a word is not a constituent of the same label
      key_.push_back((tree.labels[child] << 1) | (is_leaf(child) ? 1u : 0u));
      if (!is_leaf(child))
        span_.push_back(at_[child]);
    }
    span_[0] = all_known ? number(key_) : none;
    if (span_[0] != none)
      found.push_back(at_[node] = spans_.number(span_));
  }
}

template <typename Number>
void Subtrees::add_tagging(const trees::Trees::View &tree, const Number &number,
                           std::vector<std::uint32_t> &found) {
  trees::find_ends(tree.depths, ends_);
  at_.clear();
  for (std::size_t node = 1; node < tree.size(); node = ends_[node])
    at_.push_back(static_cast<std::uint32_t>(node));
  std::uint32_t next = none;
  for (std::size_t position = at_.size(); position-- > 0;) {
    const std::size_t node = at_[position], word = node + 1;
    const auto mark = [&](std::size_t at) {
      return at < ends_[node] ? known(tree.labels[at]) : none;
    };
    const auto tag = known(tree.labels[node]);
    const auto production = tag == none ? none : number(std::span(&tag, 1));
    const auto shape = word < ends_[node] ? ends_[word] : word;
    const auto shape_mark = kind_ == Kernel::Kind::plain_tagging ? none : mark(shape);
    const std::array<std::uint32_t, 4> span{production, mark(word), shape_mark, next};
    next = production == none ? none : spans_.number(span);
    if (next != none)
      found.push_back(next);
  }
}

SupportGraph::SupportGraph(Kernel kernel, std::size_t n_labels)
    : kernel_(kernel), subtrees_(kernel.kind, n_labels) {
  if (!(kernel.lam > 0.0 && kernel.lam <= 1.0))
    throw std::invalid_argument("lam must be above 0 and at most 1");
}

std::span<const SupportGraph::Change> SupportGraph::add(std::span<const Part> parts) {
  std::vector<std::pair<std::uint32_t, double>> nodes;
  for (const auto &part : parts) {
    found_.clear();
    subtrees_.add(part.tree, productions_, found_);
    for (const auto node : found_)
      nodes.emplace_back(node, part.weight);
  }
  places_.resize(subtrees_.size(), 0);
  buckets_.resize(productions_.size());
  std::ranges::stable_sort(nodes, {}, [](const auto &entry) { return entry.first; });
  changes_.clear();
  for (std::size_t at = 0; at < nodes.size();) {
    const auto node = nodes[at].first;
    double weight = 0.0;
    for (; at < nodes.size() && nodes[at].first == node; ++at)
      weight += nodes[at].second;
    if (weight == 0.0)
      continue;
    const auto production = subtrees_.production(node), place = enter(node);
    buckets_[production].weights[place - 1] += weight;
    changes_.push_back({production, place, weight});
  }
  return changes_;
}

std::uint32_t SupportGraph::enter(std::uint32_t node) {
  for (stack_.assign(1, node); !stack_.empty();) { // sequences may be long: no recursion
    const auto top = stack_.back();
    const auto before = stack_.size();
    if (places_[top] == 0)
      for (const auto child : subtrees_.children(top))
        if (child != Subtrees::none && places_[child] == 0)
          stack_.push_back(child);
    if (stack_.size() > before)
      continue;
    stack_.pop_back();
    if (places_[top] == 0)
      put(top);
  }
  return places_[node];
}

void SupportGraph::put(std::uint32_t node) {
  auto &bucket = buckets_[subtrees_.production(node)];
  const auto marks = subtrees_.marks(node);
  bucket.marks.insert(bucket.marks.end(), marks.begin(), marks.end());
  for (const auto child : subtrees_.children(node))
    bucket.links.push_back(child == Subtrees::none
                               ? Link{Subtrees::none, 0}
                               : Link{subtrees_.production(child), places_[child]});
  bucket.weights.push_back(0.0);
  places_[node] = static_cast<std::uint32_t>(bucket.size());
  ++n_nodes_;
}

std::size_t SupportGraph::bytes() const {
  std::size_t total = productions_.bytes() + subtrees_.bytes() + 4 * places_.capacity() +
                      sizeof(Bucket) * buckets_.capacity();
  for (const auto &bucket : buckets_)
    total +=
        8 * (bucket.weights.capacity() + bucket.links.capacity()) + 4 * bucket.marks.capacity();
  return total;
}

void Comparison::clear() {
  subtrees_.clear();
  found_.clear();
  ends_.resize(1);
}

void Comparison::compare(const SupportGraph &graph, Values values) {
  weighted_.resize(subtrees_.size());
  values == Values::kept ? compare_kept(graph) : compare_dropped(graph);
}

void Comparison::compare_kept(const SupportGraph &graph) {
  const std::size_t n = subtrees_.size();
  starts_.assign(n + 1, 0);
  for (std::uint32_t subtree = 0; subtree < n; ++subtree)
    starts_[subtree + 1] =
        starts_[subtree] + 1 + graph.bucket(subtrees_.production(subtree)).size();
  held_ = starts_[n];
  if (values_.size() < held_)
    values_.resize(held_);
  for (std::uint32_t subtree = 0; subtree < n; ++subtree) // children come first
    compare(subtree, graph);
}

void Comparison::compare_dropped(const SupportGraph &graph) {
  const auto n = static_cast<std::uint32_t>(subtrees_.size());
  starts_.assign(n, 0);
  last_parents_.assign(n, Subtrees::none);
  for (std::uint32_t subtree = 0; subtree < n; ++subtree)
    for (const auto child : subtrees_.children(subtree))
      if (child != Subtrees::none)
        last_parents_[child] = subtree;
  held_ = 0;
  free_.resize(std::max(free_.size(), graph.productions().size()));
  const auto drop = [&](std::uint32_t subtree) {
    free_[subtrees_.production(subtree)].push_back(starts_[subtree]);
  };
  for (std::uint32_t subtree = 0; subtree < n; ++subtree) {
    const auto production = subtrees_.production(subtree);
    if (auto &free = free_[production]; !free.empty()) {
      starts_[subtree] = free.back();
      free.pop_back();
    } else {
      starts_[subtree] = held_;
      held_ += 1 + graph.bucket(production).size();
      if (values_.size() < held_)
        values_.resize(held_);
    }
    compare(subtree, graph);
    if (last_parents_[subtree] == Subtrees::none)
      drop(subtree);
    for (const auto child : subtrees_.children(subtree))
      if (child != Subtrees::none && last_parents_[child] == subtree) {
        drop(child);
        last_parents_[child] = Subtrees::none; // it may be a child twice
      }
  }
  for (std::uint32_t subtree = 0; subtree < n; ++subtree)
    free_[subtrees_.production(subtree)].clear();
}

void Comparison::compare(std::uint32_t subtree, const SupportGraph &graph) {
  const auto &bucket = graph.bucket(subtrees_.production(subtree));
  const std::span out(values_.data() + starts_[subtree] + 1, bucket.size());
  values_[starts_[subtree]] = 0.0;
  const auto &kernel = graph.kernel();
  if (const auto own = subtrees_.marks(subtree); own.empty())
    std::ranges::fill(out, kernel.lam);
  else
    for (std::size_t place = 0; place < out.size(); ++place) {
      const auto same = [&](std::size_t mark) {
        const bool equal =
            own[mark] != Subtrees::none && own[mark] == bucket.marks[2 * place + mark];
        return equal ? kernel.same_mark() : 0.0;
      };
      out[place] = 1.0 + same(0) + same(1);
    }
  std::array<Child, 8> few;
  std::vector<Child> many;
  const auto numbers = subtrees_.children(subtree);
  if (numbers.size() > few.size())
    many.resize(numbers.size());
  const auto children = many.empty() ? std::span(few).first(numbers.size()) : std::span(many);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    children[k] = numbers[k] == Subtrees::none ? Child{Subtrees::none, &no_value}
                                               : Child{subtrees_.production(numbers[k]),
                                                       values_.data() + starts_[numbers[k]]};
  if (children.size() == 1)
    multiply<1>(children, bucket.links, kernel.mu(), out);
  else if (children.size() == 2)
    multiply<2>(children, bucket.links, kernel.mu(), out);
  else if (!children.empty())
    multiply<0>(children, bucket.links, kernel.mu(), out);
  weighted_[subtree] = dot(bucket.weights, out);
}

double Comparison::kernel(std::size_t tree) const {
  double sum = 0.0;
  for (const auto subtree : of_tree(tree))
    sum += weighted_[subtree];
  return sum;
}

double self_kernel(const trees::Trees::View &tree, const Kernel &kernel, std::size_t n_labels) {
  SupportGraph graph(kernel, n_labels);
  const SupportGraph::Part part{tree, 1.0};
  graph.add({&part, 1});
  Comparison comparison(kernel, n_labels);
  comparison.add(tree, graph.productions());
  comparison.compare(graph);
  return comparison.kernel(0);
}

} // namespace runoff::kernels
