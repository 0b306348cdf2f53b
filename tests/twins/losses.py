"""Slow, obvious twins of the native losses of lists: plain Python over plain lists."""

from itertools import pairwise
from math import exp, log

from twins.ranking import MASK, candidates_of


def log_loss(offsets, targets, scores):
    losses = []
    for first, last in pairwise(offsets):
        own = [j for j in range(first, last) if targets[j] >= 0]
        total = sum(exp(scores[j]) for j in own)
        losses.append(-sum(targets[j] * log(exp(scores[j]) / total) for j in own))
    return losses


def sample_loss(offsets, signs, scores):
    losses = []
    for first, last in pairwise(offsets):
        own = [log(1 + exp(-signs[j] * scores[j])) for j in range(first, last) if signs[j]]
        losses.append(sum(own) / len(own) if own else 0.0)
    return losses


def mixed(z):
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def crucial_pairs(
    problem, kept, *, closest=0.0, largest=float("inf"), closest_logprob=0.0, subset=(1, 0, 0)
):
    """Per list, the pairs (better, worse) of candidates that the guards let through."""
    numbers = {int(i): number for number, i in enumerate(problem.canonical_order())}
    subsets, wanted, seed = subset
    result = []
    for number, (first, last) in enumerate(pairwise(problem.list_offsets.tolist())):
        own = [j for j in range(first, last) if kept[j]]
        own.sort(key=lambda j: -problem.qualities[j])
        shift = ((mixed(((seed << 32) + numbers[number]) & MASK) + wanted) & MASK) % subsets
        pairs = []
        for better in own:
            for worse in own:
                gap = problem.qualities[better] - problem.qualities[worse]
                distance = abs(problem.logprobs[better] - problem.logprobs[worse])
                mine = (own.index(better) + own.index(worse)) % subsets == shift
                if closest < gap <= largest and distance >= closest_logprob and mine:
                    pairs.append((better, worse))
        result.append(pairs)
    return result


def mean_over_pairs(pairs, loss, scores):
    """Per list the mean of loss(margin)."""
    return [
        sum(loss(scores[b] - scores[w]) for b, w in own) / len(own) if own else 0.0 for own in pairs
    ]


def logistic(margin):
    return log(1 + exp(-margin))


def squared_hinge(margin):
    return max(0.0, 1 - margin) ** 2


def slope_loss(slope, target):
    """The cross entropy of a pair taken both ways round."""

    def loss(margin):
        p = 1 / (1 + exp(-slope * margin))
        return -target * log(p) - (1 - target) * log(1 - p)

    return loss


def slope_curvature(slope):
    """Its second derivative by the slope: margin^2 p (1 - p), whatever the target."""
    return lambda margin: margin**2 / (2 + exp(slope * margin) + exp(-slope * margin))


def push(pairs, p, scores):
    """Per list the sum over worse ones of (sum over better ones of exp(f(l) - f(b)))^p."""
    return [
        sum(
            sum(exp(scores[worse] - scores[b]) for b, w in own if w == worse) ** p
            for worse in {w for _, w in own}
        )
        for own in pairs
    ]


def list_maxima(problem):
    """The ids, per candidate, of the features that are at their list's maximum, and vary in it."""
    result = []
    for number in range(problem.n_lists):
        rows = [features for features, _ in candidates_of(problem, number)]
        for row in rows:
            own = []
            for k in range(problem.n_features):
                column = [other.get(k, 0.0) for other in rows]
                if row.get(k, 0.0) == max(column) > min(column):
                    own.append(k)
            result.append(own)
    return result


def feature_ranges(problem):
    ranges = [0.0] * (problem.n_features + 1)
    for number in range(problem.n_lists):
        candidates = candidates_of(problem, number)
        for k in range(problem.n_features):
            column = [features.get(k, 0.0) for features, _ in candidates] or [0.0]
            ranges[k] = max(ranges[k], max(column) - min(column))
        logprobs = [logprob for _, logprob in candidates] or [0.0]
        ranges[-1] = max(ranges[-1], max(logprobs) - min(logprobs))
    return [r or 1.0 for r in ranges]


def prune_and_select(scores, d1, d2, beta):
    """Places that remain: Ji, Rudin & Grishman 2006, section 5.1.2, to the letter."""

    def compare(i, j):
        probability = 1 / (1 + exp(-(scores[i] - scores[j])))
        return "better" if probability > d1 else "worse" if probability < d2 else "unsure"

    n = len(scores)
    left = []
    for i in range(n):
        worse = sum(compare(i, j) == "worse" for j in range(n) if j != i)
        if not worse > beta:
            left.append(i)
    i, j = 0, len(left) - 1
    discarded = set()
    while i < j:
        result = compare(left[i], left[j])
        if result == "better":
            discarded.add(left[j])
            j -= 1
        elif result == "worse":
            discarded.add(left[i])
            i += 1
        else:
            break
    return [place for place in left if place not in discarded]


def votes(offsets, machines):
    """Per candidate, log of the product over others and machines of P(better than the other)."""
    result = []
    for first, last in pairwise(offsets):
        for i in range(first, last):
            product = 1.0
            for scores, slope in machines:
                for j in range(first, last):
                    if j != i:
                        product *= 1 / (1 + exp(-slope * (scores[i] - scores[j])))
            result.append(log(product))
    return result
