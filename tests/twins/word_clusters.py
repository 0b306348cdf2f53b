"""Class bigrams by exchange and merging (Martin, Liermann & Ney 1998; Brown et al. 1992), with the
whole likelihood counted anew for every choice."""

from collections import Counter
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
    classes, merges = list(classes), []
    while len(left := sorted({classes[word] for word in text if classes[word] >= n_fixed})) > 1:

        def value(pair):
            return likelihood(text, [pair[0] if cls == pair[1] else cls for cls in classes])

        pairs = [(a, b) for i, a in enumerate(left) for b in left[i + 1 :]]
        into, merged = max(pairs, key=value)
        merges.append((into, merged))
        classes = [into if cls == merged else cls for cls in classes]
    return merges
