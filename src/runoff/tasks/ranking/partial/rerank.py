"""Reranking by a search among candidates that are read piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from runoff.data.lists import Lists, open_lists
from runoff.data.nbest import NBest
from runoff.errors import UsageError
from runoff.search.partial_candidates.search import SearchResult, search_partial
from runoff.tasks.ranking.partial.model import PartialModel, Reader
from runoff.tasks.ranking.partial.scorers import PrefixScorer
from runoff.tasks.ranking.reranker import Reranker

SEARCH = "search"
"""The key of a list that says how it was searched."""


def was_searched(nbest: NBest) -> bool:
    """Whether a list comes from `rerank_partial`, so that its candidates may lack scores."""
    told = nbest.extra.get(SEARCH)
    return isinstance(told, dict) and "share of steps" in told


_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")


@dataclass(frozen=True)
class Budget:
    """How far a list is searched.

    Parameters
    ----------
    epsilon : the chance, for each candidate that is left unread, that it is better after all.
    steps, seconds : what a list may cost; what is decided by the clock may differ in the next run.
    """

    epsilon: float = 0.05
    steps: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, epsilon: float | None, budget: str | None) -> Budget:
        """The budget of texts: `500` are steps, `100ms` and `2s` times.

        Examples
        --------
        >>> Budget.of(0.01, "100ms")
        Budget(epsilon=0.01, steps=None, seconds=0.1)
        """
        chance = cls.epsilon if epsilon is None else epsilon
        if budget is None:
            return cls(chance)
        if budget.isdecimal():
            return cls(chance, steps=int(budget))
        found = _BUDGET.fullmatch(budget)
        if found is None:
            raise UsageError(
                f"a budget is a number of steps, or a time such as 100ms, not {budget!r}"
            )
        return cls(chance, seconds=float(found[1]) / (1000 if found[2] == "ms" else 1))


def reader_of(reranker: Reranker, scorer: PrefixScorer | None) -> tuple[Reader, PartialModel]:
    """What reads lists for a reranker, and its error model; they must be for the same thing."""
    partial = reranker.partial
    if partial is None:
        raise UsageError(
            "the ranker has no error model, so it does not know when to leave a candidate",
            hint="fit it with one: runoff fit ... --partial",
        )
    given = None if scorer is None else scorer.kind
    kinds = {"lm": "--lm MODEL", "program": "--prefixes 'CMD'"}
    if partial.reads in kinds and given != partial.reads:
        raise UsageError(
            f"the error model of the ranker is for the feature {partial.feature!r} that "
            f"{kinds[partial.reads]} gives",
            hint=f"name the scorer that it was fitted with: {kinds[partial.reads]}",
        )
    if partial.reads not in kinds and scorer is not None:
        raise UsageError(
            f"the error model of the ranker is for the feature set {partial.reads!r}, not for a "
            "language model or a program"
        )
    parts = reranker.ranker, reranker.space, reranker.extractors
    return Reader(*parts, scorer, partial.feature, restored=True), partial


def rerank_partial(
    reranker: Reranker, lists: Lists, budget: Budget, scorer: PrefixScorer | None = None
) -> Iterator[NBest]:
    """The lists with the best candidate that was found first, as a stream.

    Then come the other complete candidates by score, and those that were left, the most promising
    first: `read` is the share of each that was read, `expected` and `eta` are the score that is
    expected of it and the one that it exceeds with the chance of epsilon. Under `search` a list has
    what the search cost, and the chance that a better candidate was missed.
    """
    reader, partial = reader_of(reranker, scorer)
    return (_searched(reader, partial, nbest, budget) for nbest in open_lists(lists))


def _searched(reader: Reader, partial: PartialModel, nbest: NBest, budget: Budget) -> NBest:
    ranks, order = nbest.base_ranks(), nbest.base_order()
    based = msgspec.structs.replace(nbest, candidates=[nbest.candidates[i] for i in order])
    reading = reader.reading(based)
    found = search_partial(
        reading.alone(),
        partial.errors,
        epsilon=budget.epsilon,
        steps=budget.steps,
        seconds=budget.seconds,
    )
    raw = partial.errors.raw
    made = []
    complete = sorted(found.completed, key=lambda one: (-sum(one.scores), one.key))
    for one in complete:
        place = order[one.key]
        made.append(
            msgspec.structs.replace(
                nbest.candidates[place], score=float(sum(one.scores)), rank=ranks[place]
            )
        )
    for left in found.waiting:
        place = order[left.candidate.key]
        candidate = nbest.candidates[place]
        told = {
            "read": left.candidate.completion,
            "expected": raw(left.expected),
            "eta": raw(left.eta),
        }
        extra = {**candidate.extra, **_finite(told)}
        made.append(msgspec.structs.replace(candidate, rank=ranks[place], extra=extra))
    summary = {**nbest.extra, SEARCH: _summary(found, reading.sequences, reading.reads, budget)}
    return msgspec.structs.replace(nbest, candidates=made, extra=summary)


def _summary(found: SearchResult, sequences: Any, reads: int, budget: Budget) -> dict[str, Any]:
    total = sum(map(len, sequences))
    return {
        "epsilon": budget.epsilon,
        "candidates": len(sequences),
        "completed": len(found.completed),
        "steps": found.pieces,
        "share of steps": found.pieces / total,
        "pieces scored": reads,
        "missed": found.missed,
        "ended by": found.ended_by,
        "same on every run": budget.seconds is None,
    }


def _finite(values: dict[str, float]) -> dict[str, float]:
    """The numbers that JSON can hold; with epsilon 0, eta is infinite."""
    return {key: value for key, value in values.items() if abs(value) != float("inf")}
