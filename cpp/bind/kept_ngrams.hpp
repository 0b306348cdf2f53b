// A language model over arrays of Python.
#pragma once

#include "bind.hpp"
#include "runoff/ngrams/model.hpp"

#include <tuple>
#include <vector>

// A model over arrays of Python, which are kept alive.
class KeptModel {
public:
  using Words = Vec<const std::uint32_t>;
  using Weights = Vec<const float>;
  using Orders = std::vector<std::tuple<Words, Words, Weights, Weights>>;

  explicit KeptModel(Orders orders) : kept_(std::move(orders)), model(spans()) {}

private:
  std::vector<runoff::ngrams::Model::Order> spans() const {
    std::vector<runoff::ngrams::Model::Order> made;
    for (const auto &[words, children, probabilities, backoffs] : kept_)
      made.push_back({view(words), view(children), view(probabilities), view(backoffs)});
    return made;
  }

  Orders kept_;

public:
  runoff::ngrams::Model model;
};
