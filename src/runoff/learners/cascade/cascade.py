"""Rankers in stages: lists that one is not sure of are decided by the next.

Ji, Rudin & Grishman 2006, sections 4.2 and 5: a second ranker sees what the first made of a list,
and is skipped where the first was confident. Confidence is the margin between the two highest
scores; as a number without a unit, it is the share of training lists with a smaller margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff.errors import ModelError, NotFittedError, UsageError, check_at_least, check_seed
from runoff.fitting.record import FOR_PLOTS, Record
from runoff.fitting.run import ALONE, Run
from runoff.learners import make_ranker
from runoff.learners.base import Ranker
from runoff.learners.cascade.nested_fits import NestedFits
from runoff.learners.cascade.stacking import width
from runoff.learners.cascade.stage import Flow, Stage, Verdict, discarded_last
from runoff.learners.terms import Terms, no_terms
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.arrays import prefixed, take, without_prefix
from runoff.store.file import Arrays


@dataclass(kw_only=True)
class Cascade:
    """Rankers in stages, each for the lists that those before it leave undecided.

    A stage sees the features, and of the stage before it the places (among the first 1, 2, 4, 8,
    16) and, if it takes values, the scores. Training lists get these honestly: each fold from a
    ranker that was fitted to the other folds. Every stage learns from all lists, also from those
    that it would not have to decide.

    Parameters
    ----------
    stages : the learners, in order.
    thresholds : a stage decides a list if the share of training lists with a smaller margin reaches
        its threshold; one number for all stages, or one for each but the last, which decides all
        that is left. A learner that is a `Decider` needs none: it passes on what it keeps.
    folds : for the scores of training lists.
    options : of the learners, as `stage1.epochs=5 stage2.epochs=20`.
    seed : of all stages.

    Examples
    --------
    >>> Cascade(stages=("base", "perceptron"), options="stage2.epochs=3").rankers()
    [BaseOrder(), Perceptron(epochs=3, seed=0)]
    """

    stages: tuple[str, ...] = ("perceptron", "perceptron")
    thresholds: tuple[float, ...] = (0.5,)
    folds: int = 5
    options: str = ""
    seed: int = 0

    name: ClassVar[str] = "cascade"
    takes_values: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = False

    stages_: list[Stage] = field(init=False, repr=False, compare=False)
    n_features_: int = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def rankers(self) -> list[Ranker]:
        """The rankers of all stages, not yet fitted."""
        known = [f"stage{number}" for number in range(1, len(self.stages) + 1)]
        options: dict[str, dict[str, str]] = {stage: {} for stage in known}
        for part in self.options.split():
            key, equals, value = part.partition("=")
            stage, dot, option = key.partition(".")
            if stage not in options or not dot or not equals:
                raise UsageError(f"options must have the form stage1.name=value, not {part!r}")
            options[stage][option] = value
        return [
            make_ranker(name, options[stage], seed=self.seed)
            for name, stage in zip(self.stages, known, strict=True)
        ]

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense, also of the stages."""
        check_seed(self.seed)
        passing = len(self.stages) - 1
        if passing < 1:
            raise UsageError(f"a cascade needs at least two stages, not {len(self.stages)}")
        if len(self.thresholds) not in (1, passing) or not all(
            0 <= t <= 1 for t in self.thresholds
        ):
            raise UsageError(
                f"thresholds must be one or {passing} shares between 0 and 1, "
                f"not {', '.join(map(str, self.thresholds))}"
            )
        check_at_least(2, folds=self.folds)
        for ranker in self.rankers():
            ranker.check(with_dev=with_dev)

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn stage by stage; every stage but the last is fitted once more for each fold."""
        self.check(with_dev=dev is not None)
        thresholds, rankers = self._thresholds(), self.rankers()
        train, held = Flow(problem, problem), None if dev is None else Flow(dev, dev)
        folds = np.empty(problem.n_lists, dtype=np.int64)
        folds[problem.canonical_order()] = np.arange(problem.n_lists) % self.folds
        nested, record, table = NestedFits(run), Record(), []
        self.stages_, self.n_features_ = [], problem.n_features
        for number, ranker in enumerate(rankers):
            name, dev_seen = f"stage {number + 1}", None if held is None else held.seen
            nested.fit(name, ranker, train.seen, dev_seen)
            tables = ((title, rows) for title, rows in ranker.record_.items() if title != FOR_PLOTS)
            record |= {f"{name}: {title}": rows for title, rows in tables}
            stage = Stage(ranker)
            self.stages_.append(stage)
            if ranker is rankers[-1]:
                stage.measure(train.seen.margins(ranker.scores(train.seen)), 0.0)
                break
            verdict = self._cross_fitted(number, nested, train.seen, dev_seen, folds)
            stage.measure(train.seen.margins(verdict.scores), thresholds[number])
            decided = stage.share_decided(train.seen, verdict)
            table.append({"stage": number + 1.0, "decided": decided})
            values = rankers[number + 1].takes_values
            train = stage.pass_on(train, verdict, verdict.kept, with_scores=values)
            held = held and stage.leave(held, with_scores=values)[-1]
        self.record_ = {"share of training lists decided": table, **record}
        return self

    def _thresholds(self) -> list[float]:
        """The threshold of each stage but the last."""
        passing = len(self.stages) - 1
        return list(self.thresholds) * (passing if len(self.thresholds) == 1 else 1)

    def _cross_fitted(
        self,
        number: int,
        nested: NestedFits,
        seen: RankingProblem,
        dev: RankingProblem | None,
        folds: Integers,
    ) -> Verdict:
        """The verdict of a stage on its training lists, each by a ranker that never saw it."""
        scores, kept = np.zeros(seen.n_candidates), np.ones(seen.n_candidates, dtype=np.bool_)
        for fold in range(self.folds):
            ranker, own = self.rankers()[number], folds[seen.owners] == fold
            nested.fit(f"stage {number + 1} fold {fold + 1}", ranker, seen.keep(~own), dev)
            scores[own], kept[own] = Stage(ranker).verdict(seen.keep(own))
        return Verdict(scores, kept)

    def scores(self, problem: RankingProblem) -> Floats:
        """Scores of the stage that decided the list, in units of its typical margin."""
        if not hasattr(self, "stages_"):
            raise NotFittedError("this Cascade has not been fitted")
        return self._scores(0, Flow(problem, problem))

    def _scores(self, number: int, flow: Flow) -> Floats:
        stage = self.stages_[number]
        if number + 1 == len(self.stages_):
            verdict = stage.verdict(flow.seen)
            return discarded_last(flow.seen, verdict.scores / stage.scale, verdict.kept)
        values = self.stages_[number + 1].ranker.takes_values
        verdict, going, later = stage.leave(flow, with_scores=values)
        scores = verdict.scores / stage.scale
        scores[going] = self._scores(number + 1, later)
        return discarded_last(flow.seen, scores, verdict.kept)

    def _widths(self) -> list[int]:
        """The number of features that each stage takes from the stage before it."""
        return [0, *(width(stage.takes_values) for stage in self.rankers()[1:])]

    def terms(self, problem: RankingProblem, names: Sequence[str]) -> Terms:
        """Raise an error: the terms of several stages do not add up."""
        raise no_terms(self.name)

    def named_weights(self, names: Sequence[str]) -> None:
        """None: every stage has weights of its own, or none."""

    def features_used(self) -> Integers:
        """Ids of the features that a stage uses."""
        used = np.concatenate([stage.ranker.features_used() for stage in self.stages_])
        return np.unique(used[used < self.n_features_])

    def restrict(self, kept: Integers) -> Self:
        """A copy of the ranker over a space of only the features `kept`."""
        for stage, added in zip(self.stages_, self._widths(), strict=True):
            more = np.arange(self.n_features_, self.n_features_ + added)
            stage.ranker.restrict(np.concatenate([kept, more]))
        self.n_features_ = len(kept)
        return self

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters for a model file: those of each stage, and its margins."""
        if not hasattr(self, "stages_"):
            raise NotFittedError("this Cascade has not been fitted")
        arrays = {
            "stage scales": np.array([stage.scale for stage in self.stages_]),
            "stage cuts": np.array([stage.cut for stage in self.stages_]),
        }
        for number, stage in enumerate(self.stages_, start=1):
            arrays |= prefixed(f"stage {number}: ", stage.ranker.arrays())
        return arrays

    def restore(self, arrays: Arrays, n_features: int) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.check()
        rankers = self.rankers()
        scales = take(arrays, "stage scales", np.float64, (len(rankers),))
        cuts = take(arrays, "stage cuts", np.float64, (len(rankers),))
        if (scales <= 0).any():
            raise ModelError("the scale of a stage is not positive")
        for number, (ranker, added) in enumerate(zip(rankers, self._widths(), strict=True), 1):
            ranker.restore(without_prefix(f"stage {number}: ", arrays), n_features + added)
        margins = zip(rankers, scales.tolist(), cuts.tolist(), strict=True)
        self.stages_ = [Stage(*margin) for margin in margins]
        self.n_features_ = n_features
        return self
