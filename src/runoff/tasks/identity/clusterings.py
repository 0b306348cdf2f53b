"""Several clusterings of each block with scores: n-best lists whose outputs are sets of ids.

One is what agglomeration finds. The others put off one of its least certain merges, make one more
of the likeliest that it left, or stop at another gain. The score of a clustering is the sum of the
gains of its merges, made a log-probability within its list. Its features are the number of its
clusters, and the sum over them of the value of each statement about sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.data.records.records import Records, as_records
from runoff.proposers.identity.compared import Constraints, Merges
from runoff.proposers.identity.folds import clusters_of
from runoff.tasks.identity.model import IdentityModel
from runoff.tasks.identity.resolution import Resolution


def clusterings(
    model: IdentityModel, records: Any, n: int, *, cluster: str | None = None
) -> Iterator[NBest]:
    """The n best clusterings of each block, or of all records if the model has no blocks.

    Parameters
    ----------
    cluster : column that has the gold clusters, if there is one.
    """
    given = as_records(records)
    model.check(given)
    labels = given.column(model.block) if model.block else [None] * len(given)
    for label in dict.fromkeys(labels):
        own = given.take([i for i, one in enumerate(labels) if one == label])
        yield _list(model, own, n, label, cluster)


def _list(model: IdentityModel, records: Records, n: int, label: Any, cluster: str | None) -> NBest:
    found = model.resolve(records)
    seen: dict[tuple[int, ...], float] = {}
    for assignment, score in _variants(found, n):
        seen.setdefault(tuple(assignment.tolist()), score)
    best = sorted(seen.items(), key=lambda one: -one[1])[:n]
    whole = float(np.logaddexp.reduce([score for _, score in best]))
    candidates = [
        Candidate(
            _output(found, np.array(one)),
            score - whole,
            features=_features(found, np.array(one)),
        )
        for one, score in best
    ]
    gold = None
    if cluster is not None:
        numbers = np.unique(list(map(str, records.column(cluster))), return_inverse=True)[1]
        gold = [[records.ids[i] for i in one] for one in clusters_of(numbers)]
    name = f"without {model.block}" if model.block and label is None else label
    return NBest(name, " ".join(records.ids), candidates, gold)


def _output(found: Resolution, assignment: Any) -> list[list[str]]:
    """A clustering as lists of ids, in the order of their first records."""
    groups = clusters_of(assignment[found.node])
    return sorted(([found.records.ids[i] for i in one] for one in groups), key=lambda one: one[0])


def _features(found: Resolution, assignment: Any) -> dict[str, float]:
    """What can be said of a clustering: its number of clusters, and statements about them."""
    groups = [np.array(one, dtype=np.uint32) for one in clusters_of(assignment)]
    total = np.zeros(len(found.model.weights))
    for one in groups:
        if found.compared.table.copies[one].sum() > 1:
            total += found.compared.sets.values(one)
    named = zip(found.model.statements, total.tolist(), strict=False)
    own = {str(one): value for one, value in named if one.over != "between" and value}
    return {"clusters": float(len(groups)), **own}


def _variants(found: Resolution, n: int) -> Iterator[tuple[Any, float]]:
    """Assignments of the distinct records, each with its score."""
    total = _score(found, found.merges)
    yield found.sets, total
    least = np.argsort(found.merges.gains, kind="stable")[:n].tolist()
    for place in least:
        yield _again(found, Constraints(found.compared.free.start, *_one(found.merges, place)))
    missed = Merges(*found.agglomeration.open(n))
    for place in range(len(missed.kept)):
        start = found.sets.copy()
        start[start == missed.lost[place]] = missed.kept[place]
        yield start, total + float(missed.gains[place]) - found.model.rule.stop
    for place in least:
        stop = float(found.merges.gains[place])
        rule = found.model.rule._replace(stop=stop, look_ahead=0.0, moves=0)
        made, merges = found.compared.resolve(found.model.weights, rule)
        yield made.assignment(), _score(found, merges)


def _score(found: Resolution, merges: Merges) -> float:
    """The sum of gains, counted from where merging ends."""
    return float(np.sum(merges.gains - found.model.rule.stop))


def _one(merges: Merges, place: int) -> tuple[Any, Any]:
    return merges.kept[place : place + 1].copy(), merges.lost[place : place + 1].copy()


def _again(found: Resolution, known: Constraints) -> tuple[Any, float]:
    rule = found.model.rule._replace(look_ahead=0.0, moves=0)
    made, merges = found.compared.resolve(found.model.weights, rule, known)
    return made.assignment(), _score(found, merges)
