"""Stand-in until the branch `records` is merged: pairs and B-cubed of clusterings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def pair_counts(gold: Sequence[Hashable], found: Sequence[Hashable]) -> tuple[int, int, int]:
    """Pairs that are in one cluster: in both, in what was found, in gold."""
    both = Counter(zip(gold, found, strict=True))
    counts = (sum(n * (n - 1) // 2 for n in c.values()) for c in (both, Counter(found), Counter(gold)))
    return tuple(counts)  # type: ignore[return-value]


def b_cubed(gold: Sequence[Hashable], found: Sequence[Hashable]) -> tuple[float, float, float]:
    """B-cubed precision, recall and F1."""
    both, f, g = Counter(zip(gold, found, strict=True)), Counter(found), Counter(gold)
    n = max(len(gold), 1)
    p = sum(c * c / f[b] for (_, b), c in both.items()) / n
    r = sum(c * c / g[a] for (a, _), c in both.items()) / n
    return p, r, 2 * p * r / (p + r) if p + r else 0.0
