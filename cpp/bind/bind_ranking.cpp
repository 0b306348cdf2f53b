#include "bind.hpp"

void bind_ranking(nb::module_ &) {}
