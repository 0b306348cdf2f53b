"""Word alignment by EM over dictionaries, and symmetrisation by the definitions."""

import math
from collections import defaultdict


def digamma(x):
    """By the difference quotient of the logarithm of the gamma function."""
    h = 1e-5
    return (
        (math.lgamma(x + h) - math.lgamma(x - h)) / (2 * h) if x > 0.01 else digamma(x + 1) - 1 / x
    )


def prior(i, j, m, n, tension):
    """The weight of a link; places count from 0."""
    return math.exp(-tension * abs((i + 1) / m - (j + 1) / n))


def priors(j, m, n, tension):
    weights = [prior(i, j, m, n, tension) for i in range(m)]
    return [weight / sum(weights) for weight in weights]


def posteriors(pair, t, empty, tension):
    """For every target word the weight of no link and of each source word, and its likelihood."""
    source, target = pair
    m, n = len(source), len(target)
    if m == 0:
        empty = 1.0
    found = []
    for j, word in enumerate(target):
        place = [1 / max(m, 1)] * m if tension is None else priors(j, m, n, tension)
        weights = [empty * t[None, word]]
        weights += [(1 - empty) * p * t[e, word] for p, e in zip(place, source, strict=True)]
        found.append(([w / sum(weights) for w in weights], sum(weights)))
    return found


def align(pairs, ibm1, diagonal, empty=0.08, tension=4.0, alpha=0.01):
    """Links by target word, the log-likelihood of each iteration, and the tension."""
    meeting = defaultdict(set)
    for source, target in pairs:
        for e in (None, *source):
            meeting[e] |= set(target)
    size = len({word for _, target in pairs for word in target}) + 1
    t = {(e, f): 1 / size for e, targets in meeting.items() for f in targets}
    likelihoods = []
    for number in range(ibm1 + diagonal):
        near = tension if number >= ibm1 else None
        counts, total, distance, words = defaultdict(float), 0.0, 0.0, 0
        for pair in pairs:
            source, target = pair
            for j, (weights, likelihood) in enumerate(posteriors(pair, t, empty, near)):
                total += math.log(likelihood)
                for e, weight in zip((None, *source), weights, strict=True):
                    counts[e, target[j]] += weight
                for i, weight in enumerate(weights[1:]):
                    distance += weight * abs((i + 1) / len(source) - (j + 1) / len(target))
                words += bool(source)
        likelihoods.append(total)
        if near is not None and number > 0:
            for _ in range(8):
                expected = 0.0
                for source, target in pairs:
                    m, n = len(source), len(target)
                    for j in range(n if m else 0):
                        for i, p in enumerate(priors(j, m, n, tension)):
                            expected += p * abs((i + 1) / m - (j + 1) / n)
                tension += 20 * (expected - distance) / words if words else 0
                tension = min(max(tension, 0.1), 14)
        for e, targets in meeting.items():
            whole = digamma(sum(counts[e, f] + alpha for f in targets)) if targets else 0
            for f in targets:
                t[e, f] = math.exp(digamma(counts[e, f] + alpha) - whole)
    last = [posteriors(pair, t, empty, tension if diagonal else None) for pair in pairs]
    return [weights for own in last for weights, _ in own], likelihoods, tension


def symmetrise(forward, backward, how):
    """Koehn's pseudocode, on sets of links, one for each direction."""
    union, links = forward | backward, forward & backward
    if how == "union":
        return union
    if how == "intersection":
        return links

    def free(i, j):
        return i not in {a for a, _ in links}, j not in {b for _, b in links}

    while True:
        size = len(links)
        for i, j in sorted(union - links):
            near = {(i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} & links
            if near and any(free(i, j)):
                links = links | {(i, j)}
        if len(links) == size:
            break
    for direction in (forward, backward):
        for i, j in sorted(direction):
            if all(free(i, j)):
                links = links | {(i, j)}
    return links
