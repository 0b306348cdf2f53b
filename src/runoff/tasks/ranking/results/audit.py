"""Decisions one by one: a record of each for those who have to account for it, and which matter."""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from runoff.data.nbest import NBest
from runoff.engine import chunked
from runoff.errors import FormatError
from runoff.metrics.base import Metric
from runoff.metrics.measure import measure
from runoff.problem.build.build import LISTS_PER_CHUNK
from runoff.problem.extractor import kept_together
from runoff.report.tables import shown_value
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import RankedList
from runoff.tasks.ranking.why import Reasons, reasons

TERMS = 10
"""Terms of a decision that a record has; the rest is summed up."""


class Decision(msgspec.Struct, omit_defaults=True):
    """What was decided for one list.

    Parameters
    ----------
    model : hash of the model file.
    before : rank of the winner in the base order, from 0.
    ties : candidates with the winner's score, itself among them.
    reasons : name and contribution of each term in favour of the winner over its rival.
    rest : sum of the smaller terms.
    """

    list: int
    id: str | int | None
    model: str
    winner: Any
    score: float
    before: int
    ties: int = 1
    confidence: float | None = None
    rival: Any = None
    difference: float | None = None
    reasons: dict[str, float] = {}
    rest: float = 0.0


def ranked_stream(reranker: Reranker, lists: Iterable[NBest]) -> Iterator[RankedList]:
    """The lists in their new order, one by one, each with what explains it."""
    together = kept_together(reranker.extractors)
    for chunk in chunked(lists, LISTS_PER_CHUNK, together):
        yield from reranker.ranked(chunk)


def decision(reranker: Reranker, ranked: RankedList, number: int, model: str) -> Decision:
    """The record of one list that was ranked."""
    candidates = ranked.nbest.candidates
    winner = candidates[0]
    made = Decision(
        number,
        ranked.nbest.id,
        model,
        winner.output,
        winner.score or 0.0,
        winner.rank or 0,
        sum(one.score == winner.score for one in candidates),
        ranked.nbest.extra.get("confidence"),
    )
    if len(candidates) > 1:
        found = reasons(reranker, ranked)
        made.rival, made.difference = found.rival.output, found.difference
        made.reasons = {term.feature: term.contribution for term in found.terms[:TERMS]}
        made.rest = sum(term.contribution for term in found.terms[TERMS:])
    return made


def notable(
    reranker: Reranker, lists: Iterable[NBest], kind: str, most: int, metric: Metric | None = None
) -> list[tuple[int, NBest, Reasons]]:
    """Lists that matter, each with its number, from 1, and the reasons of its pick.

    Parameters
    ----------
    kind : `changed`, whose pick is not the base's, in the order of the file; `worse`, whose pick is
        worse than the base's by a metric, the worst first; `unsure`, the smallest margins first.
    """
    found = enumerate(ranked_stream(reranker, lists), start=1)
    choices = ((n, one) for n, one in found if len(one.nbest) > 1)
    keyed = ((_key(one, kind, metric), n, one) for n, one in choices)
    kept = heapq.nsmallest(
        most, ((key, n, one) for key, n, one in keyed if key is not None), key=lambda row: row[:2]
    )
    return [(n, one.nbest, reasons(reranker, one)) for _, n, one in kept]


def _key(ranked: RankedList, kind: str, metric: Metric | None) -> float | None:
    """What lists of a kind are sorted by; None for a list that is not of the kind."""
    first, second = ranked.nbest.candidates[:2]
    if kind == "unsure":
        return (first.score or 0.0) - (second.score or 0.0)
    if first.rank == 0:
        return None
    if kind == "changed":
        return 0.0
    if metric is None:
        raise FormatError("which pick is worse needs a metric")
    measured = measure([ranked.nbest], metric).qualities
    base = [one.rank for one in ranked.nbest.candidates].index(0)
    lost = float(measured[0] - measured[base])
    return lost if lost < 0 else None


def marked(old: Any, new: Any) -> str:
    """The new text with what is new in braces, and what is gone in brackets.

    Examples
    --------
    >>> marked("they need to bye it", "they need to buy it")
    'they need to [-bye-] {+buy+} it'
    """
    before, after = shown_value(old).split(), shown_value(new).split()
    parts: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            parts += before[a:b]
            continue
        parts += [f"[-{' '.join(before[a:b])}-]"] if a < b else []
        parts += [f"{{+{' '.join(after[c:d])}+}}"] if c < d else []
    return " ".join(parts)
