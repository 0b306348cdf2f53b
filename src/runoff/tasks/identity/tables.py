"""The tables of experiments in identity: the paper's figures and ours."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from runoff.report.tables import Cell, Table

SYSTEMS = {
    "objects": "OBJECTS",
    "pairs": "PAIRS",
    "closure": "pairs, transitive closure",
    "average": "pairs, average link",
}
"""What is compared: the paper's two, and two more ways from pairs to clusters."""


class Score(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Figures of a system on a test, in per cent.

    Parameters
    ----------
    p, r, f1 : of pairs.
    b_cubed : F1 of B-cubed.
    clusters, gold : how many were found, and how many there are.
    """

    p: float
    r: float
    f1: float
    b_cubed: float | None = None
    clusters: int | None = None
    gold: int | None = None


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What the paper found: by test and system."""

    tests: dict[str, dict[str, Score]] = {}


Found = Mapping[str, Mapping[str, Score]]
"""Figures of ours, by test and system."""


def tables(found: Mapping[str, Found], paper: Figures) -> list[Table]:
    """A table for each corpus, whose tests are rows."""
    first = next(iter(found), None)
    return [_table(name, tests, paper, whole=name == first) for name, tests in found.items()]


def _table(name: str, tests: Found, paper: Figures, *, whole: bool) -> Table:
    rows = [
        _row(test, system, score, paper.tests.get(test, {}).get(system))
        for test, systems in tests.items()
        for system, score in systems.items()
    ]
    ours = set(tests)
    for test, systems in paper.tests.items():
        if whole and test not in ours:
            rows += [_row(test, system, None, score) for system, score in systems.items()]
    decimals = {key: 1 for key in rows[0]} if rows else {}
    return Table(f"{name}: precision, recall and F1 of pairs", rows, decimals)


def _row(test: str, system: str, ours: Score | None, paper: Score | None) -> dict[str, Cell]:
    figures: dict[str, Cell] = {"test": test, "system": SYSTEMS.get(system, system)}
    for key in ("p", "r", "f1"):
        figures[f"paper {key.upper()}"] = getattr(paper, key, None)
    for key in ("p", "r", "f1"):
        figures[key.upper()] = getattr(ours, key, None)
    figures["B-cubed"] = getattr(ours, "b_cubed", None)
    figures["clusters"] = getattr(ours, "clusters", None)
    figures["gold"] = getattr(ours, "gold", None)
    return figures
