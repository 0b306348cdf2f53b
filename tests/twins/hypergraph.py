"""Every derivation of every node of a hypergraph, enumerated and sorted."""

from itertools import pairwise, product
from math import exp, inf, log


def derivations(first, weights, tails, classes=None):
    """For every node its derivations (weight, edges), in the order that native code promises.

    With classes, only the first of each at every node.
    """
    nodes, said = [], []
    for start, end in pairwise(first):
        found = []
        for edge in range(start, end):
            choices = [list(enumerate(nodes[tail])) for tail in tails[edge] if tail >= 0]
            for chosen in product(*choices):
                weight, edges = weights[edge], (edge,)
                for _, (below, more) in chosen:
                    weight, edges = weight + below, edges + more
                if weight > -inf:
                    found.append(((-weight, edge, [rank for rank, _ in chosen]), (weight, edges)))
        kept = {}
        for (_, edge, ranks), derivation in sorted(found):
            below = [tail for tail in tails[edge] if tail >= 0]
            parts = [said[tail][rank] for tail, rank in zip(below, ranks, strict=True)]
            own = classes(edge, *parts) if classes else derivation[1]
            kept.setdefault(own, derivation)
        nodes.append(list(kept.values()))
        said.append(list(kept))
    return nodes


def log_sum(weights):
    high = max(weights, default=-inf)
    return high if high == -inf else high + log(sum(exp(weight - high) for weight in weights))


def outside(nodes, heads, root, node, combine):
    """Root derivations without one occurrence of the node's own part, combined."""
    inside = combine([weight for weight, _ in nodes[node]])
    through = []
    for weight, edges in nodes[root]:
        through += [weight] * sum(heads[edge] == node for edge in edges)
    return combine(through) - inside if through else -inf
