#include "bind.hpp"

NB_MODULE(_native, m) {
  m.doc() = "Native routines of Runoff: arrays and plain values in, arrays and plain values out.";
  bind_brackets(m);
  bind_ranking(m);
  bind_boosting(m);
  bind_clusters(m);
  bind_crf(m);
  bind_hypergraph(m);
  bind_igtree(m);
  bind_kernels(m);
  bind_latent(m);
  bind_losses(m);
  bind_pairs(m);
  bind_parse_features(m);
  bind_parsing(m);
  bind_subtrees(m);
  bind_tagging(m);
}
