"""How well chunks are found: by the base, after reranking, by the oracle, and by type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runoff.data.nbest import NBest
from runoff.metrics.chunks import ChunkF1, figures_by_type
from runoff.metrics.measure import measure
from runoff.metrics.oracle import one_best, oracle, totals
from runoff.metrics.significance import randomisation
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.rerank import rerank
from runoff.tasks.ranking.reranker import Reranker


def report(lists: Iterable[NBest], ranker: Reranker | None) -> dict[str, Any]:
    """Figures of lists with gold, and by type those of what is picked.

    With a ranker there are also those of the base by type, and the significance of the gain, by
    approximate randomisation.
    """
    metric, given = ChunkF1(), list(lists)
    picked = given
    if ranker is not None:
        picked = list(rerank(ranker, given))
    measured = measure(picked, metric)
    rows = {"base": one_best(measured), "oracle": oracle(measured)}
    if ranker is not None:
        rows = {"base": rows["base"], "reranked": measured.offsets[:-1], "oracle": rows["oracle"]}
    found: dict[str, Any] = {
        "metric": metric.signature(),
        "figures": {
            name: {k: float(v) for k, v in metric.figures(totals(measured, chosen)).items()}
            for name, chosen in rows.items()
        },
        "types": _by_type(picked),
    }
    if ranker is not None:
        found["base types"] = _by_type(given)
        base, reranked = (measured.statistics[rows[name]] for name in ("base", "reranked"))
        found["p"] = float(randomisation(base, reranked, metric, seed=0).p_value)
    return found


def _by_type(lists: list[NBest]) -> dict[str, dict[str, float]]:
    """Figures by type of the first candidates."""
    first, gold = (nbest.candidates[0].output for nbest in lists), (nbest.gold for nbest in lists)
    return {kind: row._asdict() for kind, row in figures_by_type(first, gold).items()}


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How well chunks of development sentences are found: all in all, and by type."""
    dev = header.get("dev")
    if dev is None:
        return []
    overall: list[dict[str, Cell]] = [{"": name, **row} for name, row in dev["figures"].items()]
    names = {"precision": "precision", "recall": "recall", "f1": "F1", "found": "found"}
    types: list[dict[str, Cell]] = [
        {"type": kind, **{names.get(key, key): value for key, value in row.items()}}
        for kind, row in dev["types"].items()
    ]
    title = f"development sentences ({dev['metric']})"
    tables = [_gain(dev), Table(title, overall, DECIMALS), Table("by type", types, DECIMALS)]
    return [one for one in tables if one.rows]


DECIMALS = dict.fromkeys(("F1", "precision", "recall", "accuracy"), 2)


def _gain(dev: Mapping[str, Any]) -> Table:
    rows: list[dict[str, Cell]] = []
    if "p" in dev:
        rows.append({"what": "significance of the ranker's gain", "value": f"p = {dev['p']:.4f}"})
    return Table("", rows)
