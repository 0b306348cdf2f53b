"""What a reranker needs to leave candidates unread: which part is read, and its error model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.errors import ModelError, UsageError
from runoff.learners.base import LinearRanker, Ranker
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import Extractor
from runoff.problem.space import FeatureSpace
from runoff.report.tables import Cell, Table
from runoff.search.partial_candidates.calibration import Calibration, calibration
from runoff.search.partial_candidates.error_model import ARRAYS, ErrorModel
from runoff.search.partial_candidates.sequences import Reading, observe
from runoff.store.arrays import without_prefix
from runoff.store.file import Arrays, checking, load
from runoff.tasks.ranking.partial import PREFIX
from runoff.tasks.ranking.partial.scorers import PrefixScorer
from runoff.tasks.ranking.partial.weights import SourceWeights

KNOWN = "known at once"
"""The name of the target function that has all that need not be read."""


@dataclass(frozen=True)
class PartialModel:
    """An error model, and of what.

    Parameters
    ----------
    reads : what is read piece by piece: a kind of scorer, `lm` or `program`, or the name of a
        feature set of the ranker.
    feature : the feature that a scorer gives.
    lists : how many lists the errors were learned from.
    calibration : how often final scores of lists that were left out were above eta.
    """

    reads: str
    feature: str | None
    errors: ErrorModel
    lists: int
    calibration: list[Calibration]

    def header(self) -> dict[str, Any]:
        """What a model file says of it."""
        return {
            "reads": self.reads,
            "feature": self.feature,
            "targets": list(self.errors.names),
            "lists": self.lists,
            "calibration": [list(one) for one in self.calibration],
        }

    def table(self) -> Table:
        """Its calibration, as commands print it."""
        column = "share of final scores above eta"
        rows: list[dict[str, Cell]] = [
            {"epsilon": one.epsilon, column: one.above} for one in self.calibration
        ]
        what = self.reads if self.feature is None else f"{self.feature} ({self.reads})"
        title = f"error model of {what}, learned from {self.lists:,} lists"
        return Table(title, rows or [{"epsilon": None, column: None}], {"epsilon": 2, column: 3})

    def arrays(self) -> Arrays:
        """Its arrays in a model file."""
        return {f"{PREFIX}{name}": array for name, array in self.errors.arrays().items()}

    @classmethod
    def restore(cls, header: Any, arrays: Arrays) -> Self | None:
        """What a model file holds, checked; None where it holds nothing of the kind."""
        own = without_prefix(PREFIX, arrays)
        if header is None and not own:
            return None
        if header is None or not set(ARRAYS) <= own.keys():
            raise ModelError("the header and the arrays of its error model do not agree")
        found = msgspec.convert(header, _Header)
        if not found.targets:
            raise ModelError("its error model has no target functions")
        errors = ErrorModel.restore(found.targets, own)
        return cls(found.reads, found.feature, errors, found.lists, found.calibration)


def partial_of(path: FilePath) -> PartialModel | None:
    """The error model that a model file holds, if it is one of a reranker and holds one."""
    _, header, arrays = load(path)
    with checking(path):
        return PartialModel.restore(header.get("partial"), arrays)


class _Header(msgspec.Struct):
    reads: str
    targets: list[str]
    feature: str | None = None
    lists: int = 0
    calibration: list[Calibration] = []


@dataclass(frozen=True, kw_only=True)
class PartialPlan:
    """How an error model is learned.

    Parameters
    ----------
    scorer : what gives a feature piece by piece; without one, the ranker's own features are read.
    feature : the name of that feature.
    lists : how many lists are read to their ends at most: development lists, if there are any,
        since a ranker is too sure of those that it has learned from.
    width, correlated, shared : see `ErrorModel.fit`.
    """

    scorer: PrefixScorer | None = None
    feature: str | None = None
    lists: int = 200
    width: float | None = None
    correlated: bool = True
    shared: bool = True


def check_readable(ranker: Ranker, extractors: Sequence[Extractor], plan: PartialPlan) -> None:
    """Raise an error, before anything is learned, if nothing can be read piece by piece."""
    if not isinstance(ranker, LinearRanker) or type(ranker).seen is not LinearRanker.seen:
        raise UsageError(
            f"the learner {ranker.name} has no linear score, so it cannot read candidates piece by "
            "piece",
            hint="perceptron, maxent, least-squares and log-loss have one",
        )
    if plan.scorer is None and not any(one.pieces is not None for one in extractors):
        raise UsageError(
            "no feature set of the ranker can be read piece by piece: "
            + ", ".join(one.name for one in extractors),
            hint="links and the sets of parse features can be; a language model (--lm) or a "
            "program (--prefixes) reads texts word by word",
        )


def learn_partial(
    ranker: Ranker,
    space: FeatureSpace,
    extractors: Sequence[Extractor],
    plan: PartialPlan,
    lists: Iterable[NBest],
) -> PartialModel:
    """The error model that reading lists to their ends gives."""
    reader = Reader(ranker, space, extractors, plan.scorer, plan.feature)
    how: dict[str, Any] = {
        "width": plan.width,
        "correlated": plan.correlated,
        "shared": plan.shared,
        "normalised": False,
    }
    several = [nbest for nbest in lists if len(nbest) > 1]
    seen = observe(map(reader.reading, several))
    found = ErrorModel.fit([KNOWN, reader.name], seen, **how)
    checked = calibration(found.names, seen, **how) if len(several) > 1 else []
    return PartialModel(reader.reads, plan.feature, found, len(several), checked)


class Reader:
    """Reads the candidates of lists piece by piece, as a ranker scores them.

    What need not be read is known at once: the score by all other features. Both parts add up to
    the ranker's score, but for a number that is the same for all candidates of a list.

    Parameters
    ----------
    scorer : gives the feature `feature` piece by piece; without one, the ranker's own features are
        read, of the first feature set that can be.
    restored : whether the ranker comes from a file, which has only features that have a weight.
    """

    def __init__(
        self,
        ranker: Ranker,
        space: FeatureSpace,
        extractors: Sequence[Extractor],
        scorer: PrefixScorer | None = None,
        feature: str | None = None,
        *,
        restored: bool = False,
    ) -> None:
        check_readable(ranker, extractors, PartialPlan(scorer=scorer))
        assert isinstance(ranker, LinearRanker)
        self.ranker, self.space, self.scorer, self.feature = ranker, space, scorer, feature
        self.weights = SourceWeights(space, ranker.weights())
        self.own = None
        self.others = list(extractors)
        if scorer is None:
            self.own = next((one for one in extractors if one.pieces is not None), None)
            self.others = [one for one in extractors if one is not self.own]
        else:
            self.weight = self._weight(restored)

    @property
    def reads(self) -> str:
        """What is read: the kind of scorer, or the name of the feature set."""
        return self.scorer.kind if self.scorer is not None else self.name

    @property
    def name(self) -> str:
        """The name of what is read: the feature that a scorer gives, or the feature set."""
        return self.own.name if self.own is not None else self.feature or ""

    def _weight(self, restored: bool) -> float:
        """The weight of the feature that is read."""
        found = self.weights.of(self.name)
        if not found and restored:
            return 0.0  # a model file does not keep features without a weight
        if not found:
            raise UsageError(
                f"the ranker has no weight for the feature {self.name!r}, which would be read",
                hint="give the training lists this feature first: runoff score ...",
            )
        if len(found) > 1 or found[0][0] == found[0][0]:
            raise UsageError(f"the feature {self.name!r} was made binary, so no part of it counts")
        return found[0][1]

    def reading(self, nbest: NBest) -> Reading:
        """The candidates of a list, to be read."""
        known = self._known(nbest)
        if self.own is None:
            assert self.scorer is not None
            self.scorer.begin(nbest)
            pieces = [tuple(self.scorer.pieces(c.output)) for c in nbest.candidates]
            return Reading(pieces, [_Weighted(self.scorer, self.name, self.weight)], known)
        lengths, streams = self._streams(nbest)
        places = [[(place, n) for n in range(size)] for place, size in enumerate(lengths)]
        return Reading(places, [_Streams(self.own.name, streams)], known)

    def _known(self, nbest: NBest) -> list[float]:
        """The score of every candidate by what need not be read."""
        if self.feature is not None:
            left = [_without(c.features, self.feature) for c in nbest.candidates]
            pairs = zip(nbest.candidates, left, strict=True)
            made = [msgspec.structs.replace(c, features=own) for c, own in pairs]
            nbest = msgspec.structs.replace(nbest, candidates=made)
        problem, _ = build_problem([nbest], self.others, space=self.space)
        known: list[float] = self.ranker.scores(problem).tolist()
        return known

    def _streams(self, nbest: NBest) -> tuple[list[int], list[Iterator[float]]]:
        """The number of pieces of every candidate, and what each of them adds."""
        assert self.own is not None
        assert self.own.pieces is not None
        hidden, pieces = nbest.without_gold(), self.own.pieces
        if pieces.encode is not None:
            found = pieces.encode(hidden)
            return found.pieces.tolist(), list(map(iter, self.weights.of_arrays(found)))
        assert pieces.read is not None
        assert pieces.length is not None
        input, candidates = hidden.input, hidden.candidates
        lengths = [pieces.length(input, one) for one in candidates]
        return lengths, [self.weights.stream(pieces.read(input, one)) for one in candidates]


def _without(features: dict[str, float] | None, name: str) -> dict[str, float] | None:
    return features and {key: value for key, value in features.items() if key != name}


class _Weighted:
    """A scorer times its weight, as a target function."""

    def __init__(self, scorer: PrefixScorer, name: str, weight: float) -> None:
        self.scorer, self.name, self.weight = scorer, name, weight
        self.start = scorer.start

    def read(self, state: Any, piece: str, last: bool) -> tuple[Any, float]:
        """The weighted score of all that was read so far."""
        state, score = self.scorer.read(state, piece, last)
        return state, self.weight * score


class _Streams:
    """What the features of candidates add, piece by piece, as a target function."""

    def __init__(self, name: str, streams: Sequence[Iterator[float]]) -> None:
        self.name, self.streams = name, streams

    def start(self) -> float:
        """Nothing was added."""
        return 0.0

    def read(self, state: float, piece: tuple[int, int], last: bool) -> tuple[float, float]:
        """The sum of all that was added so far."""
        score = state + next(self.streams[piece[0]])
        return score, score
