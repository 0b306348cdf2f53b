"""Slow versions of `cpp/runoff/identity`: statements by their definition, a naive loop."""

import itertools
import math

import numpy as np

from runoff.proposers.identity.language import OPERATORS, Compare


def pairs_of(members, left, right):
    """The numbers of the pairs within a set."""
    own = set(members)
    return [p for p, (a, b) in enumerate(zip(left, right, strict=True)) if a in own and b in own]


def value_of(statement, column, members, table, between=None):
    """The value of a statement about a set, by its definition.

    Parameters
    ----------
    column : the number of the column that the statement is about.
    between : two sets, for statements about the pairs between them.
    """
    pairs = pairs_of(members, table.left.tolist(), table.right.tolist())
    if statement.over == "between" and between is not None:
        first = set(between[0])
        pairs = [p for p in pairs if (table.left[p] in first) != (table.right[p] in first)]
    if statement.quantifier == "distinct":
        values = {int(table.labels[r, column]) for r in members} - {(1 << 32) - 1}
        return _tested(statement, float(len(values)))
    if statement.of == "records":
        return _tested(statement, float(len(members)))
    if statement.of == "apart":
        n = len(members)
        every = n * (n - 1) / 2
        if statement.over == "between" and between is not None:
            every = len(between[0]) * len(between[1])
        return _tested(statement, 1 - len(pairs) / every if every else 0.0)
    if statement.over == "records":
        values = [float(table.singles[r, column]) for r in members]
    else:
        values = [float(table.pairs[p, column]) for p in pairs]
    return _tested(statement, _quantified(statement.quantifier, _known(statement.of, values)))


def _known(of, values):
    """The values that are not missing, or where a comparison with them holds."""
    values = [v for v in values if v == v]
    if not isinstance(of, Compare):
        return values
    return [float(OPERATORS[of.operator](v, np.float32(of.number))) for v in values]


def _quantified(quantifier, values):
    if quantifier in ("some", "count"):
        return float(any(values)) if quantifier == "some" else float(sum(values))
    if not values:
        return math.nan
    if quantifier == "all":
        return float(all(values))
    return {"min": min, "max": max, "mean": lambda v: math.fsum(v) / len(v)}[quantifier](values)


def _tested(statement, value):
    if math.isnan(value):
        return 0.0
    if statement.above is not None:
        return float(value > statement.above)
    if statement.below is not None:
        return float(value < statement.below)
    return value


def agglomerate(n, gain, linked, stop=0.0):
    """Merges by a naive loop: of all sets that some pair links, those with the greatest gain."""
    sets, merges = [(r,) for r in range(n)], []
    while True:
        options = [
            (-gain(a, b), min(a), min(b), a, b)
            for a, b in itertools.combinations(sets, 2)
            if linked(a, b)
        ]
        best = min(options, key=lambda one: one[:3], default=None)
        if best is None or -best[0] <= stop:
            return merges, sets
        a, b = best[3:]
        merges.append((min(*a, *b), max(min(a), min(b)), -best[0]))
        sets = [one for one in sets if one not in (a, b)] + [tuple(sorted(a + b))]
        sets.sort()


def partitions(items):
    """All partitions of some items."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for part in partitions(rest):
        yield [(first,), *part]
        for i, one in enumerate(part):
            yield [*part[:i], (first, *one), *part[i + 1 :]]


def cosine_pairs(vectors, blocks, loose):
    """The pairs of one block whose cosine is at least `loose`."""
    near = vectors @ vectors.T
    n = len(vectors)
    return [
        (a, b)
        for a in range(n)
        for b in range(a + 1, n)
        if blocks[a] == blocks[b] and near[a, b] >= loose
    ]


def exact_logz(n, score):
    """The logarithm of the sum over all partitions of exp of the sum of their sets' scores."""
    totals = [
        sum(score(one) for one in part if len(one) > 1) for part in partitions(list(range(n)))
    ]
    return float(np.logaddexp.reduce(totals))
