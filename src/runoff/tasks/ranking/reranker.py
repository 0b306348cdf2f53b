"""A reranker: a fitted ranker with the feature space and extractors that it was fitted with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from runoff.data.files import FilePath
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.lists import Lists, open_lists
from runoff.data.nbest import NBest
from runoff.engine.reference import Reference
from runoff.errors import FormatError, ModelError, UsageError
from runoff.features.extract import AnyExtractors
from runoff.learners import learner_name
from runoff.learners.base import Ranker
from runoff.learners.terms import Terms
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import Extractor
from runoff.problem.problem import Floats, RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.store.arrays import without_prefix
from runoff.store.file import Arrays, checking
from runoff.store.file import load as load_file
from runoff.store.file import save as save_file
from runoff.tasks.ranking.calibration import Calibration
from runoff.tasks.ranking.partial import PREFIX
from runoff.tasks.ranking.restore import (
    Header,
    allowed_extractors,
    asdict_parameters,
    restored_ranker,
)
from runoff.tasks.ranking.results.ranked import ListScores, RankedList, abstaining, with_confidence

if TYPE_CHECKING:
    from runoff.tasks.ranking.partial.model import PartialModel

KIND = "reranker"


@dataclass(repr=False)
class Reranker:
    """Gives the candidates of any list their scores.

    Parameters
    ----------
    ranker : what was learned.
    space : the features it knows.
    extractors : how to get them.
    training : how it was trained and on what; becomes the header of its file.
    calibration : how sure its picks are, if it was fitted with development lists.
    partial : what it needs to leave candidates unread, if it was fitted with `partial`.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("ice cream", -4.0), ro.Candidate("I scream", -4.2)]
    >>> lists = [ro.NBest(i, None, heard, gold="I scream") for i in range(3)]
    >>> reranker = ro.fit(lists, metric="wer")
    >>> reranker.rerank(lists)[0].candidates[0].output, reranker.training["lists"]
    ('I scream', 3)
    """

    ranker: Ranker
    space: FeatureSpace
    extractors: Sequence[Extractor]
    training: dict[str, Any]
    calibration: Calibration | None = None
    partial: PartialModel | None = None

    def __repr__(self) -> str:
        n = self.n_weights()
        used = "" if n is None else f", {n:,} features with a weight"
        lists, metric = self.training.get("lists", 0), self.training.get("metric", "")
        return f"Reranker({self.ranker.name}{used}, fitted to {lists:,} lists for {metric})"

    @property
    def map(self) -> Map:
        """The keys that the lists had which it was fitted to, see `runoff.data.formats`."""
        return Map.parse(self.training.get("map"))

    def problem(self, lists: Iterable[NBest]) -> RankingProblem:
        """The lists as the ranker sees them."""
        problem, _ = build_problem(lists, self.extractors, space=self.space)
        if problem.n_lists and problem.given_logprobs != self.training["logprobs"]:
            had, have = ("with", "without") if self.training["logprobs"] else ("without", "with")
            raise FormatError(
                f"the ranker was fitted on lists {had} logprobs, and these are {have}",
                hint="rerank lists of the same system that the ranker was fitted on",
            )
        return problem

    def scores(self, nbest: NBest) -> Floats:
        """One score per candidate of a list."""
        return self.ranker.scores(self.problem([nbest]))

    def rerank(self, lists: Lists, *, abstain: float | None = None) -> list[NBest]:
        """The lists in their new order: candidates get `score` and `rank`, all else stays.

        With a calibration every list gets `confidence`: the probability that its pick is the best
        of its candidates.

        Parameters
        ----------
        abstain : lists with a lower confidence stay in the base order.
        """
        self.check_abstain(abstain)
        ranked = [ranked.nbest for ranked in self.ranked(lists)]
        return ranked if abstain is None else [abstaining(nbest, abstain) for nbest in ranked]

    def best(self, candidates: Iterable[Any], input: Any = None) -> Any:
        """The winner of one list, as it was given: a text, a pair, a dictionary or a `Candidate`.

        Examples
        --------
        >>> import runoff as ro
        >>> lists = [{"candidates": ["ice cream", "I scream"], "gold": "I scream"}] * 3
        >>> ro.fit(lists, metric="wer").best(["ice cream", "I scream"])
        'I scream'
        """
        given = list(candidates)
        (nbest,) = open_lists([given])
        if input is not None:
            nbest = msgspec.structs.replace(nbest, input=input)
        if not nbest.candidates:
            raise UsageError("there is no candidate to pick")
        problem = self.problem([nbest])
        return given[int(problem.picks(self.ranker.scores(problem))[0])]

    def ranked(self, lists: Lists) -> list[RankedList]:
        """The lists in their new order, each with the problem that can explain it."""
        lists = list(open_lists(lists))
        problem = self.problem(lists)
        pairs = enumerate(zip(lists, self.list_scores(problem), strict=True))
        ranked = [
            (RankedList.of(nbest, found.scores, problem, number), found.confidence)
            for number, (nbest, found) in pairs
        ]
        return [one._replace(nbest=with_confidence(one.nbest, sure)) for one, sure in ranked]

    def list_scores(self, problem: RankingProblem) -> list[ListScores]:
        """The scores of every list of a problem."""
        scores = self.ranker.scores(problem)
        confidences: list[float | None] = [None] * problem.n_lists
        if self.calibration is not None:
            confidences = self.calibration.probability(problem.margins(scores)).tolist()
        bounds = pairwise(problem.list_offsets.tolist())
        return [
            ListScores(scores[first:last].tolist(), sure)
            for (first, last), sure in zip(bounds, confidences, strict=True)
        ]

    def terms(self, ranked: RankedList) -> Terms:
        """The terms whose sums are the scores of a list, its candidates in their old order."""
        return self.ranker.terms(ranked.problem.only(ranked.number), self.space.names)

    def check_abstain(self, abstain: float | None) -> None:
        """Raise an error if the threshold makes no sense, or the ranker is not calibrated."""
        if abstain is None:
            return
        if not 0 <= abstain <= 1:
            raise UsageError(f"abstain must be a probability between 0 and 1, not {abstain}")
        if self.calibration is None:
            raise UsageError(
                "the ranker was fitted without development lists, so it cannot abstain",
                hint="fit it with development lists: runoff fit ... --dev FILE",
            )

    def n_weights(self) -> int | None:
        """How many features, or subtrees, have a weight; None of a kernel, which has none."""
        weights = self.ranker.named_weights(self.space.names)
        if weights is not None:
            return sum(weight != 0 for _, weight in weights.features)
        return None if self.ranker.takes_trees else len(self.ranker.features_used())

    def named_weights(self) -> list[tuple[str, float]]:
        """Every feature, or subtree, with its weight; none where the ranker is not linear."""
        weights = self.ranker.named_weights(self.space.names)
        return [] if weights is None else weights.features

    def save(self, path: FilePath) -> None:
        """Write the model file; features that the ranker does not use are left out of it."""
        save_file(path, KIND, *self.stored())

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        kept = self.ranker.features_used()
        space = self.space.restrict(kept)
        ranker = type(self.ranker)(**asdict_parameters(self.ranker))
        ranker.restore(self.ranker.arrays(), len(self.space)).restrict(kept)
        header = {
            "learner": learner_name(self.ranker),
            "parameters": asdict_parameters(self.ranker),
            "features": [one.name for one in self.extractors],
            **self.training,
            "record": self.ranker.record_,
        }
        arrays = ranker.arrays() | space.arrays()
        if self.calibration is not None:
            arrays |= self.calibration.arrays()
        if self.partial is not None:
            header["partial"] = self.partial.header()
            arrays |= self.partial.arrays()
        return header, arrays

    @classmethod
    def load(cls, path: FilePath, features: AnyExtractors = (), *, map: bool = True) -> Reranker:
        """Read a model file.

        Parameters
        ----------
        features : extractors that Runoff does not know by itself; a model file only names them,
            since loading one never imports code.
        map : False reads all of it now; see `runoff.load`.
        """
        _, header, arrays = load_file(path, kind=KIND, map=map)
        with checking(path):
            return cls.restored(header, arrays, features)

    @classmethod
    def restored(
        cls, header: dict[str, Any], arrays: Arrays, features: AnyExtractors = ()
    ) -> Reranker:
        """The reranker of a header and arrays, which are checked; see `load`."""
        checked = msgspec.convert(header, Header)
        trusted = [features] if isinstance(features, str) else list(features)
        own = [one for one in trusted if one != checked.learner]
        return cls._of(header, arrays, allowed_extractors(checked.features, own), trusted)

    @classmethod
    def _of(
        cls,
        header: dict[str, Any],
        arrays: Arrays,
        extractors: Sequence[Extractor],
        trusted: AnyExtractors,
    ) -> Reranker:
        ranker, space = restored_ranker(header, arrays, trusted)
        if ranker.takes_trees != any(one.trees is not None for one in extractors):
            raise ModelError(f"the ranker is {ranker.name}, which its features are not for")
        calibration = Calibration.restore(arrays)
        apart = {"learner", "parameters", "features", "record", "partial"}
        training = {key: value for key, value in header.items() if key not in apart}
        partial = _restored_partial(header.get("partial"), arrays)
        return cls(ranker, space, extractors, training, calibration, partial)

    @classmethod
    def reloaded(cls, path: FilePath, extractors: Sequence[Extractor], learner: str) -> Reranker:
        """Read a model file of a reranker that is in use elsewhere, whose code is trusted."""
        _, header, arrays = load_file(path, kind=KIND)
        with checking(path):
            return cls._of(header, arrays, extractors, [learner])

    def reference(self) -> Reference[Reranker]:
        """The reranker by reference, for jobs; see `runoff.engine.reference`."""
        learner = learner_name(self.ranker)
        return Reference(self, partial(_reloaded, list(self.extractors), learner))


def _reloaded(extractors: Sequence[Extractor], learner: str, path: FilePath) -> Reranker:
    return Reranker.reloaded(path, extractors, learner)


def _restored_partial(header: Any, arrays: Arrays) -> PartialModel | None:
    """What few rerankers hold, so that others need not wait for its modules."""
    if header is None and not without_prefix(PREFIX, arrays):
        return None
    from runoff.tasks.ranking.partial.model import PartialModel

    return PartialModel.restore(header, arrays)
