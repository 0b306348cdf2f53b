"""Evaluating clusters of records against the clusters that a column says are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.data.files import FilePath
from runoff.data.formats.common import shown
from runoff.data.records.clusters import read_clusters
from runoff.data.records.records import Records, read_records
from runoff.errors import FormatError, unknown_choice
from runoff.metrics.base import Floats, Integers, signature
from runoff.metrics.clusters import BCubedF1, Overlaps, PairF1, b_cubed, pair_counts
from runoff.proposers.identity.folds import clusters_of

if TYPE_CHECKING:
    from runoff.tasks.identity.model import IdentityModel

METRICS = ("pair-f1", "b-cubed")


@dataclass(frozen=True)
class ClusterEvaluation:
    """Figures of pairs and of B-cubed, by metric; clusters found and in gold."""

    signature: str
    records: int
    clusters: int
    gold_clusters: int
    figures: dict[str, dict[str, float]]

    def __str__(self) -> str:
        rows = (
            f"{name:>8}  F1 {row['F1']:.2f}  precision {row['precision']:.2f}"
            f"  recall {row['recall']:.2f}"
            for name, row in self.figures.items()
        )
        counts = f"clusters  {self.clusters:,} found, {self.gold_clusters:,} in gold"
        return "\n".join([self.signature, *rows, counts])


def evaluate_clusters(
    clusters: FilePath, gold: str, metric: str | None = None
) -> ClusterEvaluation:
    r"""How good the clusters of a file are.

    Parameters
    ----------
    clusters : file with the columns `id` and `cluster`, as `runoff resolve` writes it.
    gold : column with the right clusters: of the file itself, or `RECORDS::COLUMN` of a file of
        records, which are joined by their ids. Records without a value there do not count.
    metric : `pair-f1` or `b-cubed`; by default, both.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("clusters.csv").write_text("id,cluster\na,1\nb,1\nc,2\n")
    >>> _ = Path("people.csv").write_text("id,person\na,Li\nb,Li\nc,Li\n")
    >>> print(evaluate_clusters("clusters.csv", "people.csv::person"))
    pair-f1,b-cubed|gold:person|records:3|v:0.1.0
     pair-f1  F1 50.00  precision 100.00  recall 33.33
     b-cubed  F1 71.43  precision 100.00  recall 55.56
    clusters  2 found, 1 in gold
    """
    if metric is not None and metric not in METRICS:
        raise unknown_choice("metric of clusters", metric, METRICS)
    names = METRICS if metric is None else (metric,)
    found = read_clusters(clusters)
    source, colons, column = gold.rpartition("::")
    wanted = _joined(found, read_records(source), column) if colons else found.column(column)
    known = [place for place, value in enumerate(wanted) if value is not None]
    if not known:
        raise FormatError(
            f"no record has a value in the column {column!r}", path=source or clusters
        )
    overlaps = Overlaps.of_labels(
        _numbered([wanted[i] for i in known]),
        _numbered([found.column("cluster")[i] for i in known]),
    )
    rows = (
        (PairF1(), np.array([*overlaps.pairs(), *overlaps.counts()])),
        (BCubedF1(), overlaps.shares()),
    )
    figures = {one.name: _rates(one.figures(sums)) for one, sums in rows if one.name in names}
    gold_clusters, own_clusters = overlaps.counts()
    made = signature(",".join(names), gold=column, records=len(known))
    return ClusterEvaluation(made, len(known), own_clusters, gold_clusters, figures)


def _joined(found: Records, records: Records, column: str) -> list[Any]:
    """The values of a column of the records, in the order of the clusters."""
    values = dict(zip(records.ids, records.column(column), strict=True))
    for own, other, path in (
        (found.ids, values, records.source),
        (values, found.ids, found.source),
    ):
        absent = min(set(own).difference(other), default=None)
        if absent is not None:
            raise FormatError(f"has no record {shown(absent)}, which the other file has", path=path)
    return [values[one] for one in found.ids]


def _numbered(values: list[Any]) -> Integers:
    """Numbers for values, equal ones for equal values."""
    numbers: dict[Any, int] = {}
    keys = (tuple(value) if isinstance(value, list) else value for value in values)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _rates(figures: dict[str, Floats]) -> dict[str, float]:
    return {name: float(figures[name]) for name in ("F1", "precision", "recall")}


def judged(model: IdentityModel, records: Records, cluster: str) -> dict[str, float]:
    """How well records with a column of clusters are resolved."""
    labels = records.column(cluster)
    kept = records.take([i for i, one in enumerate(labels) if one is not None])
    found = model.resolve(kept)
    return scores([one for one in labels if one is not None], found.labels)


def scores(gold: Sequence[Any], found: Sequence[Any]) -> dict[str, float]:
    """Precision, recall and F1 of pairs, B-cubed F1, and numbers of clusters."""
    known, ours = (clusters_of(np.unique(one, return_inverse=True)[1]) for one in (gold, found))
    pairs, b = pair_counts(known, ours), b_cubed(known, ours)
    precision = pairs.correct / pairs.found if pairs.found else 1.0
    recall = pairs.correct / pairs.gold if pairs.gold else 1.0
    both = pairs.gold + pairs.found
    return {
        "records": len(gold),
        "clusters": len(ours),
        "gold clusters": len(known),
        "precision": precision,
        "recall": recall,
        "pair-f1": 2 * pairs.correct / both if both else 1.0,
        "b-cubed": b.f1,
    }
