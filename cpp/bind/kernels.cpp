#include "checked_problem.hpp"
#include "checked_trees.hpp"
#include "runoff/base/offsets.hpp"
#include "runoff/base/parallel.hpp"
#include "runoff/kernels/kernel_ranking.hpp"

#include <nanobind/stl/string.h>

namespace {

using runoff::kernels::KernelModel;
using runoff::kernels::KernelPerceptrons;

runoff::kernels::Kernel kernel_named(const std::string &kind, double lam) {
  using Kind = runoff::kernels::Kernel::Kind;
  require(kind == "tree" || kind == "tagging" || kind == "plain-tagging",
          "a kernel is one of tree, tagging and plain-tagging");
  if (kind == "tree")
    return {Kind::tree, lam};
  return {kind == "tagging" ? Kind::tagging : Kind::plain_tagging, lam};
}

// Keeps the arrays of lists of trees alive, checked once for all later calls.
class CheckedLists {
public:
  CheckedLists(Offsets list_offsets, Offsets offsets, Ids labels, Depths depths,
               std::size_t n_labels, Doubles logprobs, std::optional<Doubles> scales)
      : list_offsets_(list_offsets), offsets_(offsets), logprobs_(logprobs), labels_(labels),
        depths_(depths), scales_(scales) {
    nb::gil_scoped_release release;
    lists = {view(list_offsets_), checked_trees(offsets_, labels_, depths_, n_labels), n_labels,
             view(logprobs_), scales_ ? view(*scales_) : std::span<const double>()};
    runoff::base::check_offsets(lists.list_offsets, lists.trees.size(), "list");
    require(lists.logprobs.size() == lists.trees.size() &&
                (lists.scales.empty() || lists.scales.size() == lists.trees.size()),
            "logprobs and scales must have one entry per tree");
  }

private:
  Offsets list_offsets_, offsets_;
  Doubles logprobs_;
  Ids labels_;
  Depths depths_;
  std::optional<Doubles> scales_;

public:
  runoff::kernels::TreeLists lists;
};

void self_kernels(const CheckedLists &checked, const std::string &kind, double lam, Vec<double> out,
                  int threads) {
  const auto kernel = kernel_named(kind, lam);
  const auto &lists = checked.lists;
  require(out.shape(0) == lists.trees.size(), "there must be one kernel per tree");
  nb::gil_scoped_release release;
  runoff::base::in_blocks(
      lists.trees.size(), 64, {threads, check_signals}, [&](std::size_t begin, std::size_t end) {
        for (auto j = begin; j < end; ++j)
          out.data()[j] = runoff::kernels::self_kernel(lists.trees[j], kernel, lists.n_labels);
      });
}

// Perceptrons with the arrays that they work on.
class Learning {
public:
  Learning(const CheckedLists &checked, Doubles qualities, Integers best, const std::string &kind,
           double lam, double beta, Integers order, Offsets starts)
      : qualities_(qualities), best_(best), order_(order), starts_(starts),
        perceptrons_(checked_lists(checked), view(qualities_), view(best_), kernel_named(kind, lam),
                     beta, view(order_), view(starts_)) {}

  void run(Integers limits, Vec<std::int64_t> done, Vec<std::int64_t> picks, double seconds,
           int threads) {
    check(done.shape(0), picks.shape(0));
    require(limits.shape(0) == perceptrons_.size(), "limits must have one entry per perceptron");
    for (std::size_t p = 0; p < perceptrons_.size(); ++p)
      require(done.data()[p] >= 0 && limits.data()[p] <= steps(p), "a limit is out of range");
    nb::gil_scoped_release release;
    perceptrons_.run(view(limits), view(done), view(picks), seconds, {threads, check_signals});
  }

  void replay(Integers done, Integers picks) {
    check(done.shape(0), picks.shape(0));
    for (std::size_t p = 0; p < perceptrons_.size(); ++p)
      require(done.data()[p] >= 0 && done.data()[p] <= steps(p), "a step is out of range");
    for (std::size_t step = 0; step < picks.shape(0); ++step) {
      const auto list = static_cast<std::size_t>(order_.data()[step]);
      require(picks.data()[step] < lists_->list_offsets[list + 1] - lists_->list_offsets[list],
              "a pick is not in its list");
    }
    nb::gil_scoped_release release;
    perceptrons_.replay(view(done), view(picks), check_signals);
  }

  std::size_t nodes() const {
    std::size_t total = 0;
    for (std::size_t p = 0; p < perceptrons_.size(); ++p)
      total += perceptrons_[p].graph().nodes();
    return total;
  }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (std::size_t p = 0; p < perceptrons_.size(); ++p)
      total += perceptrons_[p].graph().bytes();
    return total;
  }

private:
  const runoff::kernels::TreeLists &checked_lists(const CheckedLists &checked) {
    lists_ = &checked.lists;
    require(qualities_.shape(0) == lists_->trees.size(),
            "qualities must have one entry per candidate");
    check_best(lists_->list_offsets, best_);
    check_order(view(order_), lists_->list_offsets.size() - 1);
    return *lists_;
  }
  std::int64_t steps(std::size_t p) const { return starts_.data()[p + 1] - starts_.data()[p]; }
  void check(std::size_t done, std::size_t picks) const {
    require(done == perceptrons_.size() && picks == order_.shape(0),
            "done must have one entry per perceptron, picks one per step");
  }

  Doubles qualities_;
  Integers best_, order_;
  Offsets starts_;
  const runoff::kernels::TreeLists *lists_ = nullptr;
  KernelPerceptrons perceptrons_;
};

void make_model(KernelModel *place, const CheckedLists &trees, const std::string &kind, double lam,
                Ids better, Ids worse, Doubles weights) {
  const auto kernel = kernel_named(kind, lam);
  nb::gil_scoped_release release;
  new (place)
      KernelModel(trees.lists, kernel, {view(better), view(worse), view(weights)}, check_signals);
}

void kernel_scores(const KernelModel &model, const CheckedLists &checked, Vec<double> scores) {
  require(scores.shape(0) == checked.lists.trees.size(),
          "scores must have one entry per candidate");
  nb::gil_scoped_release release;
  model.scores(checked.lists, view(scores), check_signals);
}

void products(const KernelModel &model, const CheckedLists &checked, Vec<double> out) {
  require(out.shape(0) == checked.lists.trees.size() * model.updates(),
          "there must be one product per tree and update");
  nb::gil_scoped_release release;
  model.products(checked.lists, view(out), check_signals);
}

void kernel_votes(const KernelModel &model, const CheckedLists &checked, Offsets starts,
                  Doubles logprobs, Doubles survivals, Vec<double> votes) {
  require(votes.shape(0) == checked.lists.trees.size(), "votes must have one entry per candidate");
  nb::gil_scoped_release release;
  model.votes(checked.lists, {view(starts), view(logprobs), view(survivals)}, view(votes),
              check_signals);
}

void bind(nb::module_ &m) {
  nb::class_<CheckedLists>(m, "TreeLists", "Lists of trees, checked; nothing is copied.")
      .def(nb::init<Offsets, Offsets, Ids, Depths, std::size_t, Doubles, std::optional<Doubles>>(),
           "list_offsets"_a.noconvert(), "offsets"_a.noconvert(), "labels"_a.noconvert(),
           "depths"_a.noconvert(), "n_labels"_a, "logprobs"_a.noconvert(),
           "scales"_a.noconvert().none());
  m.def("self_kernels", &self_kernels, "lists"_a, "kind"_a, "lam"_a, "out"_a.noconvert(),
        "threads"_a, "Writes the kernel of every tree with itself.");
  nb::class_<Learning>(m, "KernelPerceptrons", "Dual perceptrons, each with lists of its own.")
      .def(nb::init<const CheckedLists &, Doubles, Integers, const std::string &, double, double,
                    Integers, Offsets>(),
           "lists"_a, "qualities"_a.noconvert(), "best"_a.noconvert(), "kind"_a, "lam"_a, "beta"_a,
           "order"_a.noconvert(), "starts"_a.noconvert(), nb::keep_alive<1, 2>())
      .def("run", &Learning::run, "limits"_a.noconvert(), "done"_a.noconvert(),
           "picks"_a.noconvert(), "seconds"_a, "threads"_a,
           "Steps until every perceptron has done its limit or so many seconds are over.")
      .def("replay", &Learning::replay, "done"_a.noconvert(), "picks"_a.noconvert(),
           "Goes to the state after so many steps.")
      .def_prop_ro("nodes", &Learning::nodes, "Distinct subtrees that the graphs hold.")
      .def_prop_ro("bytes", &Learning::bytes, "Memory of the graphs.");
  nb::class_<KernelModel>(m, "KernelModel", "A sum of trees, their common parts held once.")
      .def("__init__", &make_model, "trees"_a, "kind"_a, "lam"_a, "better"_a.noconvert(),
           "worse"_a.noconvert(), "weights"_a.noconvert())
      .def("scores", &kernel_scores, "lists"_a, "scores"_a.noconvert(),
           "Writes the kernel of every candidate with the weighted sum.")
      .def("products", &products, "lists"_a, "out"_a.noconvert(),
           "Writes the same, update by update and without weights: trees x updates.")
      .def("votes", &kernel_votes, "lists"_a, "starts"_a.noconvert(), "logprobs"_a.noconvert(),
           "survivals"_a.noconvert(), "votes"_a.noconvert(),
           "Adds the votes of all voters of all perceptrons.")
      .def_prop_ro(
          "nodes", [](const KernelModel &model) { return model.graph().nodes(); },
          "Distinct subtrees.")
      .def_prop_ro(
          "bytes", [](const KernelModel &model) { return model.graph().bytes(); },
          "Memory of the graph.");
}

const Room room("kernels", bind);

} // namespace
