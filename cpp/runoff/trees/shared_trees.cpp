#include "runoff/trees/shared_trees.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace runoff::trees {
namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::size_t most_in_shape = 65535;
constexpr std::size_t group_size = 64;

} // namespace

// Finds shapes and numbers them.
class SharedTrees::Builder {
public:
  explicit Builder(SharedTrees &out) : out_(out), slots_(1 << 12, none) {}

  void count_labels(std::span<const std::int64_t> list_offsets, const Trees &trees) {
    std::vector<std::uint32_t> lists(out_.n_labels_ + 1, 0), last(out_.n_labels_ + 1, none);
    for (std::uint32_t list = 0; list + 1 < list_offsets.size(); ++list)
      for (auto j = list_offsets[list]; j < list_offsets[list + 1]; ++j)
        for (const auto label : trees[static_cast<std::size_t>(j)].labels)
          if (last[label] != list) {
            last[label] = list;
            ++lists[label];
          }
    is_frequent_.assign(out_.n_labels_ + 1, 0);
    for (std::size_t label = 0; label < out_.n_labels_; ++label)
      is_frequent_[label] = lists[label] >= out_.frequency_;
  }

  // Adds the shapes of a candidate to the last group.
  void add(const Trees::View &tree, std::uint64_t bit) {
    find_ends(tree.depths, ends_);
    const auto group = static_cast<std::uint32_t>(out_.groups_.size() - 1);
    for (std::size_t node = 0; node < tree.size(); ++node) {
      if (!is_frequent_[tree.labels[node]])
        continue;
      auto &known = known_[number(tree, node)];
      auto &root = known.last_root;
      if (root == none || out_.roots_[root].group != group) {
        root = static_cast<std::uint32_t>(out_.roots_.size());
        out_.roots_.push_back({0, group, known.first});
      }
      out_.roots_[root].candidates |= bit;
    }
  }

private:
  // The shape under a node goes to the end of nodes_, and away again if it is known.
  std::size_t number(const Trees::View &tree, std::size_t root) {
    auto &nodes = out_.nodes_;
    const std::size_t first = nodes.size();
    open_.clear();
    std::uint64_t hash = 0;
    const auto close = [&](std::size_t depth) {
      for (; open_.size() > depth; open_.pop_back())
        nodes[first + open_.back()].end = static_cast<std::uint16_t>(nodes.size() - first);
    };
    for (std::size_t at = root; at < ends_[root];) {
      const auto depth = static_cast<std::size_t>(tree.depths[at] - tree.depths[root]);
      if (depth >= out_.size_ || !is_frequent_[tree.labels[at]]) {
        at = ends_[at];
        continue;
      }
      close(depth);
      open_.push_back(static_cast<std::uint32_t>(nodes.size() - first));
      nodes.push_back({tree.labels[at], static_cast<std::uint16_t>(depth), 0});
      hash = (hash ^ ((std::uint64_t{tree.labels[at]} << 8) | depth)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
      ++at;
    }
    if (nodes.size() - first > most_in_shape)
      throw std::invalid_argument("a tree has more than 65,535 nodes within the size of a subtree");
    close(0);
    if (nodes.size() >= none)
      throw std::invalid_argument("too many nodes for 32-bit numbers");
    return look_up(hash, first);
  }

  std::size_t look_up(std::uint64_t hash, std::size_t first) {
    auto &nodes = out_.nodes_;
    const auto own = std::span(nodes).subspan(first);
    const auto same = [](const Node &a, const Node &b) {
      return a.label == b.label && a.depth == b.depth;
    };
    for (std::size_t at = hash >> 20;; ++at) {
      auto &slot = slots_[at &= slots_.size() - 1];
      if (slot == none) {
        slot = static_cast<std::uint32_t>(known_.size());
        known_.push_back({hash, static_cast<std::uint32_t>(first), none});
        if (2 * known_.size() > slots_.size())
          grow();
        return out_.n_shapes_++;
      }
      const auto &known = known_[slot];
      if (known.hash == hash && std::ranges::equal(out_.shape(known.first), own, same)) {
        nodes.resize(first);
        return slot;
      }
    }
  }

  void grow() {
    slots_.assign(2 * slots_.size(), none);
    for (std::uint32_t shape = 0; shape < known_.size(); ++shape) {
      std::size_t at = known_[shape].hash >> 20;
      while (slots_[at &= slots_.size() - 1] != none)
        ++at;
      slots_[at] = shape;
    }
  }

  struct Known {
    std::uint64_t hash;
    std::uint32_t first; // of its nodes
    std::uint32_t last_root;
  };

  SharedTrees &out_;
  std::vector<char> is_frequent_;
  std::vector<std::uint32_t> ends_, open_;
  std::vector<std::uint32_t> slots_; // numbers of shapes, at most half full
  std::vector<Known> known_;         // shapes
};

SharedTrees::SharedTrees(std::span<const std::int64_t> list_offsets, const Trees &trees,
                         std::span<const std::int64_t> best, std::size_t n_labels, std::size_t size,
                         std::size_t frequency, const base::Poll &poll)
    : size_(size), frequency_(frequency), n_labels_(n_labels), candidates_(trees.size()) {
  if (size < 1 || size > most_nodes)
    throw std::invalid_argument("the size of subtrees must lie between 1 and 64");
  if (trees.size() >= none)
    throw std::invalid_argument("too many candidates for 32-bit numbers");
  Builder builder(*this);
  builder.count_labels(list_offsets, trees);
  for (std::size_t list = 0; list + 1 < list_offsets.size(); ++list) {
    if (list % 64 == 0)
      poll();
    const auto begin = list_offsets[list], end = list_offsets[list + 1];
    if (begin == end)
      continue;
    const auto top = begin + best[list];
    const auto add = [&](std::int64_t candidate) {
      auto &group = groups_.back();
      builder.add(trees[static_cast<std::size_t>(candidate)], std::uint64_t{1} << group.size);
      members_.push_back(static_cast<std::uint32_t>(candidate));
      ++group.size;
    };
    const auto open_group = [&] {
      groups_.push_back({static_cast<std::uint32_t>(list), 0, members_.size()});
      add(top);
    };
    open_group();
    for (auto candidate = begin; candidate < end; ++candidate) {
      if (candidate == top)
        continue;
      if (groups_.back().size == group_size)
        open_group();
      add(candidate);
    }
  }
  if (roots_.size() >= none)
    throw std::invalid_argument("too many nodes for 32-bit numbers");
  label_start_.assign(n_labels + 1, 0);
  for (const auto &root : roots_)
    ++label_start_[shape(root.shape)[0].label + 1];
  std::partial_sum(label_start_.begin(), label_start_.end(), label_start_.begin());
  by_label_.resize(roots_.size());
  auto next = label_start_;
  for (std::uint32_t root = 0; root < roots_.size(); ++root)
    by_label_[next[shape(roots_[root].shape)[0].label]++] = root;
  nodes_.shrink_to_fit();
  roots_.shrink_to_fit();
}

std::size_t SharedTrees::bytes() const {
  return sizeof(Group) * groups_.size() + sizeof(Root) * roots_.size() +
         sizeof(Node) * nodes_.size() + 4 * (members_.size() + by_label_.size()) +
         8 * label_start_.size();
}

std::vector<std::uint32_t> SharedTrees::candidates_with(const Trees::View &subtree) const {
  RightmostLeaves leaves;
  std::vector<std::uint32_t> found;
  for (const auto number : roots_of(subtree.labels[0])) {
    const auto &root = roots_[number];
    if (leaves.find(subtree, shape(root.shape)).empty())
      continue;
    const auto first = groups_[root.group].first;
    for (auto rest = root.candidates; rest != 0; rest &= rest - 1)
      found.push_back(members_[first + static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::span<const std::uint32_t> RightmostLeaves::find(const Trees::View &subtree,
                                                     std::span<const SharedTrees::Node> shape) {
  places_.assign(1, 0);
  for (std::size_t i = 1; i < subtree.size() && !places_.empty(); ++i) {
    next_.clear();
    for (const auto place : places_)
      for (std::size_t at = place + std::size_t{1};
           at < shape.size() && shape[at].depth >= subtree.depths[i]; at = shape[at].end)
        if (shape[at].depth == subtree.depths[i] && shape[at].label == subtree.labels[i])
          next_.push_back(static_cast<std::uint32_t>(at));
    std::ranges::sort(next_);
    next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
    std::swap(places_, next_);
  }
  return places_;
}

} // namespace runoff::trees
