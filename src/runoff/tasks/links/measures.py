"""What the search is measured by: section 3.1 of Ginter, Mylläri & Salakoski (2006)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations
from runoff.search.partial_candidates.search import search_partial
from runoff.search.partial_candidates.sequences import Reading, observe
from runoff.tasks.links.targets import NAMES

PAPER: dict[str, Any] = {"width": 0.1, "correlated": False, "shared": False, "normal": True}
"""The error model of the paper: fixed widths, independent and normal errors."""

INDEPENDENT: dict[str, Any] = {"correlated": False, "shared": False, "normal": True}
CORRELATED: dict[str, Any] = {"shared": False}
TOGETHER: dict[str, Any] = {}
OURS: dict[str, Any] = {"width": 0.1, "correlated": False}
"""The paper's, with learned quantiles, and with errors of candidates that go together."""


class Measure(msgspec.Struct, frozen=True):
    """How a search of one sentence went.

    Parameters
    ----------
    candidates : how many there are.
    rank : 1 and the number of candidates that are better than the one found.
    order : when the best one is completed, if the search does not stop.
    completed, steps : shares of the candidates and of the steps.
    """

    candidates: int
    rank: float
    order: float | None
    completed: float
    steps: float


class Sentence(NamedTuple):
    """A list whose candidates have all been read, and what was seen."""

    reading: Reading
    seen: Observations

    @classmethod
    def of(cls, reading: Reading) -> Sentence:
        """The list, read to its ends."""
        return cls(reading, observe([reading]))

    @property
    def finals(self) -> list[list[float]]:
        """The scores of complete candidates by every target function."""
        scores: list[list[float]] = self.seen.finals[self.seen.completion == 1].tolist()
        return scores


def joined(sentences: Sequence[Sentence]) -> Observations:
    """The observations of several sentences, each a group."""
    parts = [one.seen for one in sentences]
    completion, scores, finals = (
        np.concatenate([part[column] for part in parts]) for column in range(3)
    )
    groups = np.repeat(np.arange(len(parts)), [len(part.completion) for part in parts])
    return Observations.of(completion, scores, finals, groups)


def halves(n: int, replications: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Sentences to estimate on and sentences to measure on: 5 x 2 cross-validation."""
    for replication in range(replications):
        order = np.random.default_rng([seed, replication]).permutation(n).tolist()
        half = n // 2
        yield order[:half], order[half:]
        yield order[half:], order[:half]


def measured(
    sentences: Sequence[Sentence],
    models: Sequence[ErrorModel],
    folds: Sequence[tuple[list[int], list[int]]],
    epsilon: float,
    *,
    order: str = "eta",
    apart: bool = False,
    to_the_end: bool = True,
) -> list[Measure]:
    """The search in every sentence of every fold.

    Parameters
    ----------
    apart : whether every linkage is read by itself; else shared beginnings are read once.
    to_the_end : whether the search goes on, to see when the best candidate is completed.
    """
    return [
        _one(sentences[place], model, epsilon, order, apart, to_the_end)
        for model, (_, tested) in zip(models, folds, strict=True)
        for place in tested
    ]


def _one(
    sentence: Sentence,
    model: ErrorModel,
    epsilon: float,
    order: str,
    apart: bool,
    to_the_end: bool,
) -> Measure:
    reading = sentence.reading
    firsts = reading.alone() if apart else reading.shared()
    found = search_partial(firsts, model, epsilon=epsilon, order=order, to_the_end=to_the_end)
    scores = [model.expected(1.0, own)[0] for own in sentence.finals]
    best = max(scores)
    ends = [model.expected(1.0, one.scores)[0] for one in found.completed]
    stop = found.stop
    picked = max(ends[: stop.completed])
    total = sum(map(len, reading.sequences)) if apart else reading.reads
    return Measure(
        len(scores),
        1.0 + sum(score > picked for score in scores),
        1.0 + ends.index(best) if to_the_end else None,
        stop.completed / len(scores),
        stop.pieces / total,
    )


def means(measures: Sequence[Measure]) -> Mapping[str, float]:
    """The mean of every measure."""
    names = ("rank", "order", "completed", "steps")
    columns = {name: [getattr(one, name) for one in measures] for name in names}
    return {name: float(np.mean(column)) for name, column in columns.items() if None not in column}


def fitted(sentences: Sequence[Sentence], how: Mapping[str, Any]) -> ErrorModel:
    """The error model of some sentences."""
    return ErrorModel.fit(NAMES, joined(sentences), **how)
