// Links between words as the bindings take them.
#pragma once

#include "bind.hpp"
#include "runoff/translation/symmetrisation.hpp"

#include <stdexcept>
#include <vector>

inline std::vector<runoff::translation::Link> links_of(const Vec<const std::uint32_t> &sources,
                                                       const Vec<const std::uint32_t> &targets) {
  if (sources.shape(0) != targets.shape(0))
    throw std::invalid_argument("links need a source and a target place each");
  std::vector<runoff::translation::Link> links(sources.shape(0));
  for (std::size_t i = 0; i < links.size(); ++i)
    links[i] = {sources.data()[i], targets.data()[i]};
  return links;
}
