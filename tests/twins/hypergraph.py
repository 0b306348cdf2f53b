"""Every derivation of every node of a hypergraph, enumerated and sorted."""

from itertools import pairwise, product
from math import exp, inf, log


def derivations(first, weights, tails):
    """For every node its derivations (weight, edges), in the order that native code promises."""
    nodes = []
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
        nodes.append([derivation for _, derivation in sorted(found)])
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
