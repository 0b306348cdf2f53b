"""Class bigrams by exchange and merging (Martin, Liermann & Ney 1998; Brown et al. 1992), with the
whole likelihood counted anew for every choice."""

from collections import Counter
from itertools import combinations
from math import log2

STEPS = 1 << 20


def phi(n):
    """n log n in steps, as native code rounds it."""
    return round(n * log2(n) * STEPS) if n else 0


def likelihood(text, classes):
    """In steps of bits; the text is a circle."""
    followers = zip(text, [*text[1:], text[0]], strict=True)
    pairs = Counter((classes[word], classes[after]) for word, after in followers)
    totals = Counter(classes[word] for word in text)
    own = Counter(text)
    return (
        sum(map(phi, pairs.values()))
        - 2 * sum(map(phi, totals.values()))
        + sum(map(phi, own.values()))
    )


def sweep(text, classes, n_fixed, n_classes):
    """How many words moved; `classes` are changed."""
    moved = 0
    for word in range(n_fixed, len(classes)):

        def value(cls, word=word):
            return likelihood(text, [*classes[:word], cls, *classes[word + 1 :]])

        own = classes[word]
        best = max([own, *range(n_fixed, n_fixed + n_classes)], key=value)
        moved += best != own
        classes[word] = best
    return moved


def merge(text, classes, n_fixed):
    """Pairs of classes: which stays, and which becomes part of it."""
    merges = []
    while len(left := sorted({classes[word] for word in text if classes[word] >= n_fixed})) > 1:
        tried = [(pair, _merged(classes, *pair)) for pair in combinations(left, 2)]
        best, classes = max(tried, key=lambda one: likelihood(text, one[1]))
        merges.append(best)
    return merges


def _merged(classes, into, merged):
    return [into if cls == merged else cls for cls in classes]
