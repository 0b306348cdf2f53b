"""How well names are found, and what is known of them: patterns, triggers, weights of stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import nsmallest
from math import log
from typing import Any

from runoff.features.names import events
from runoff.features.names.slots import log_odds
from runoff.features.names.statistics import NameStatistics
from runoff.report.tables import Cell, Table
from runoff.store.arrays import without_prefix
from runoff.store.file import Arrays
from runoff.tasks.names.earlier import EarlierStages
from runoff.tasks.ranking.weights import has_token, ranker_weights
from runoff.tasks.tagging.chunk_figures import summary
from runoff.tasks.tagging.steps import gold_lists

__all__ = ["about", "gold_lists", "summary"]

SLOTS = {
    "relations": ("relation second", "relation first"),
    "event triggers": events.SIDES,
}
"""Slots that `about` shows, by the titles of tables."""


def about(word: str | None, header: dict[str, Any], arrays: Arrays, top: int) -> list[Table]:
    """What a model counted, and the largest weights of its stages before the last.

    Parameters
    ----------
    word : only what has this token is shown.
    """
    tables = list(_earlier_weights(word, header, arrays, top))
    if isinstance(header.get("statistics"), dict):
        own = without_prefix("statistics.", arrays)
        counted = NameStatistics.restored(header["statistics"], own)
        tables += [
            Table(title, _patterns(counted, slots, word, top)) for title, slots in SLOTS.items()
        ]
    return [one for one in tables if one.rows]


def _earlier_weights(
    word: str | None, header: dict[str, Any], arrays: Arrays, top: int
) -> Iterator[Table]:
    if not isinstance(header.get("earlier"), dict):
        return
    own = without_prefix("earlier.", arrays)
    count = len(EarlierStages.restored(header["earlier"], own).rankers)
    for number, ranker in enumerate(header["earlier"]["rankers"][:count], 1):
        named = ranker_weights(ranker, without_prefix(f"{number}.", own))
        kept = sorted((one for one in named if has_token(one[0], word)), key=lambda w: -abs(w[1]))
        rows: list[dict[str, Cell]] = [
            {"feature": name, "weight": weight} for name, weight in kept[:top]
        ]
        yield Table(f"largest weights of stage {number}", rows)


def _patterns(
    counted: NameStatistics, slots: tuple[str, ...], word: str | None, top: int
) -> list[dict[str, Cell]]:
    """The patterns that say most of a type: seen often with it, and more often than others."""
    own = {key: kinds for key, kinds in counted.filled.items() if key[0] in slots}
    types: Counter[str] = Counter()
    for kinds in own.values():
        types.update(kinds)
    found = []
    for (slot, filler), kinds in own.items():
        if word is not None and word not in filler.split(" "):
            continue
        total = kinds.total()
        if slot in events.SIDES:
            total = max(total, counted.seen[filler])
        for kind, seen in kinds.items():
            says = seen * log(seen / total * types.total() / types[kind])
            found.append((-says, slot, filler, kind, seen, log_odds(seen, total)))
    return [
        {"slot": slot, "pattern": filler, "type": kind, "seen": seen, "log-odds": odds}
        for _, slot, filler, kind, seen, odds in nsmallest(top, found)
    ]
