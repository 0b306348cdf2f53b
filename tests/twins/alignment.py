"""Word alignment by EM over dictionaries, and symmetrisation by the definitions."""

import math
from collections import defaultdict
from itertools import product


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


FARTHEST, SMOOTHING = 10, 0.2


def jump(place, i):
    """How far it is from a place, -1 before the first word, to another; far jumps are one."""
    return max(-FARTHEST, min(FARTHEST, i - place))


def transition(jumps, place, i, m):
    """The probability of place i after another, and the part of it that is due to the jump."""
    total = sum(jumps[jump(place, k)] for k in range(m))
    own = (1 - SMOOTHING) * jumps[jump(place, i)] / total
    return SMOOTHING / m + own, own


def jump_posteriors(pair, t, empty, jumps, counts):
    """The same as `posteriors` by adding up all ways through a sentence; counts what they jump."""
    source, target = pair
    m = len(source)
    if m == 0:
        found = posteriors(pair, t, empty, None)
        return [weights for weights, _ in found], math.prod(p for _, p in found)
    sums, whole, jumped = [[0.0] * (m + 1) for _ in target], 0.0, defaultdict(float)
    for way in product([None, *range(m)], repeat=len(target)):
        weight, place, parts = 1.0, -1, []
        for word, i in zip(target, way, strict=True):
            if i is None:
                weight *= empty * t[None, word]
                continue
            p, own = transition(jumps, place, i, m)
            weight *= (1 - empty) * p * t[source[i], word]
            parts.append((jump(place, i), own / p))
            place = i
        whole += weight
        for row, i in zip(sums, way, strict=True):
            row[0 if i is None else i + 1] += weight
        for step, share in parts:
            jumped[step] += weight * share
    for step, weight in jumped.items():
        counts[step] += weight / whole
    return [[one / whole for one in row] for row in sums], whole


def first_jumps():
    weights = {d: math.exp(-abs(d - 1)) for d in range(-FARTHEST, FARTHEST + 1)}
    return {d: weight / sum(weights.values()) for d, weight in weights.items()}


def align(pairs, ibm1, diagonal, hmm=0, empty=0.08, tension=4.0, alpha=0.01):
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
        renew(t, meeting, counts, alpha)
    last = [[weights for weights, _ in posteriors(pair, t, empty, tension if diagonal else None)]
            for pair in pairs]  # fmt: skip
    jumps = first_jumps()
    for number in range(hmm + 1 if hmm else 0):
        counts, steps, total, last = defaultdict(float), dict.fromkeys(jumps, 0.0), 0.0, []
        for source, target in pairs:
            weights, likelihood = jump_posteriors((source, target), t, empty, jumps, steps)
            total += math.log(likelihood)
            last.append(weights)
            for word, row in zip(target, weights, strict=True):
                for e, weight in zip((None, *source), row, strict=True):
                    counts[e, word] += weight
        if number < hmm:
            likelihoods.append(total)
            renew(t, meeting, counts, alpha)
            size = sum(steps.values()) + len(steps)
            jumps = {d: (count + 1) / size for d, count in steps.items()}
    return [weights for own in last for weights in own], likelihoods, tension


def renew(t, meeting, counts, alpha):
    """Make probabilities of counts, with a Dirichlet prior."""
    for e, targets in meeting.items():
        whole = digamma(sum(counts[e, f] + alpha for f in targets)) if targets else 0
        for f in targets:
            t[e, f] = math.exp(digamma(counts[e, f] + alpha) - whole)


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
