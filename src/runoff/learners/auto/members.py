"""What the default learner tries, and what folds of the training lists say of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.fitting.record import Record, record_columns, record_rows
from runoff.fitting.run import Run
from runoff.learners.auto.soft_targets import fit_path
from runoff.learners.folds import HeldOut, fold_numbers
from runoff.learners.lambdamart.trees import tree_rows
from runoff.problem.problem import Floats, RankingProblem
from runoff.problem.views import Views
from runoff.store.file import Arrays

if TYPE_CHECKING:
    from runoff.learners.auto.auto import Auto

TRIED = "tried on folds"
"""The title of the table of what was tried."""

SHARES = (0.5, 1.0, 2.0)
"""How much trees weigh in a sum, in units of the spread of the linear model's scores."""


class Choice(NamedTuple):
    """A model: a linear one under a prior, trees times a factor, or the sum; 0 is without.

    `views` is 1 where the linear model also sees features relative to the list.
    """

    prior: float
    views: float
    trees: float

    @property
    def linear(self) -> bool:
        """Whether there is a linear model in it."""
        return self.prior > 0


@dataclass(frozen=True, eq=False)
class Judged:
    """The best of what was tried, its scores of lists that it had not seen, and the whole table."""

    choice: Choice
    held_out: HeldOut
    record: Record

    def state(self) -> dict[str, NDArray[Any]]:
        """What an interrupted fit needs so as not to judge again."""
        return {
            "choice": np.array(self.choice),
            "scores": self.held_out.scores,
            **record_columns(self.record.get(TRIED, [])),
        }

    @classmethod
    def resumed(cls, state: Arrays, problem: RankingProblem, options: Auto) -> Judged | None:
        """What an earlier run had judged, if it came so far."""
        if "choice" not in state:
            return None
        choice = Choice(*np.array(state["choice"]).tolist())
        rows = record_rows(state)
        scores = np.array(state["scores"])
        return cls(
            choice, HeldOut(scores, sampled(problem, options.judged)), {TRIED: rows} if rows else {}
        )


def judge_members(problem: RankingProblem, views: Views, options: Auto, run: Run) -> Judged:
    """The member, or the sum of two where it is clearly better, that picks best on other folds."""
    # judging is bounded, so an interrupted one begins again; learning resumes
    told, run = run, replace(run, checkpoint=None, progress=None)
    sample = sampled(problem, options.judged)
    if not sample.n_candidates:
        return Judged(Choice(options.prior[0], 0.0, 0.0), HeldOut(sample.logprobs, sample), {})
    folds = fold_numbers(replace(sample, documents=problem.documents), options.folds)
    started = time.monotonic()
    tried = _Tried(sample, told, [], {})
    has_views = len(views.ids) > 0 or problem.given_logprobs
    for with_views in (False, True) if has_views else (False,):
        if with_views and _is_over(options, started):
            break
        seen = views.added(sample) if with_views else sample
        for prior, scores in _linear_scores(seen, folds, options, started, run).items():
            tried.add(Choice(prior, float(with_views), 0.0), scores)
    if options.rounds and has_views and not _is_over(options, started):
        line = tried.best()
        trees = _tree_scores(sample, views, folds, options)
        tried.add(Choice(0.0, 0.0, 1.0), trees)
        own, alone = tried.scores[line], tried.best()
        unit = _spread(sample, own) / max(_spread(sample, trees), 1e-300)
        for share in SHARES:
            tried.add(line._replace(trees=share * unit), own + share * unit * trees, share)
        best = tried.best()
        if not clearly_better(sample, tried.scores[best], tried.scores[alone]):
            best = alone
    else:
        best = tried.best()
    return Judged(best, HeldOut(tried.scores[best], sample), {TRIED: tried.table})


class _Tried(NamedTuple):
    """What was tried, with its scores of lists of other folds."""

    sample: RankingProblem
    told: Run
    table: list[dict[str, float]]
    scores: dict[Choice, Floats]

    def add(self, choice: Choice, scores: Floats, share: float | None = None) -> None:
        """Note what a choice gives; `share` is the weight of the trees in units of a spread."""
        trees = choice.trees if share is None else share
        quality = _in_units(self.sample, self.sample.picked_quality(scores))
        self.scores[choice] = scores
        self.table.append({"prior": choice.prior, "views": choice.views, "trees": trees, **quality})
        self.told.report(TRIED, len(self.table), None, **self.table[-1])

    def best(self) -> Choice:
        """The first of those that pick best."""
        return max(self.scores, key=lambda one: self.sample.picked_quality(self.scores[one]))


def clearly_better(problem: RankingProblem, scores: Floats, others: Floats) -> bool:
    """Whether picks gain more, list by list, than their differences would by changing signs.

    The bound is one standard error of the sum of the differences.
    """
    qualities, firsts = problem.known_qualities(), problem.list_offsets[:-1]
    full = np.diff(problem.list_offsets) > 0
    one, other = (qualities[(firsts + problem.picks(own))[full]] for own in (scores, others))
    gains = one - other
    return bool(gains.sum() > np.sqrt((gains**2).sum()))


def _in_units(problem: RankingProblem, quality: float) -> dict[str, float]:
    """A quality of picks as the metric's own figure, under its name."""
    metric = problem.metric
    if metric is None:
        return {"held-out quality": quality}
    name = metric.signature().split("|")[0]
    return {f"held-out {name}": quality if metric.higher_is_better else -quality}


def _is_over(options: Auto, started: float) -> bool:
    return options.budget > 0 and time.monotonic() - started > options.budget


def sampled(problem: RankingProblem, most: int) -> RankingProblem:
    """The lists that are judged: whole ones, in the canonical order, with so many candidates."""
    order = problem.canonical_order()
    sizes = np.diff(problem.list_offsets)[order]
    wanted = np.zeros(problem.n_lists, dtype=np.bool_)
    wanted[order[np.cumsum(sizes) - sizes < most]] = True
    return problem.keep(wanted[problem.owners])


def _linear_scores(
    seen: RankingProblem,
    folds: NDArray[np.int64],
    options: Auto,
    started: float,
    run: Run,
) -> dict[float, Floats]:
    """The scores of linear models on folds that they had not seen, by their prior.

    The first fold tells how many priors there is time for.
    """
    priors = options.prior
    scores = {prior: np.zeros(seen.n_candidates) for prior in priors}
    left = options.budget - (time.monotonic() - started)
    for fold in np.unique(folds).tolist():
        own = folds[seen.owners] == fold
        held_out, ended, began = seen.keep(own), [], time.monotonic()
        path = fit_path(seen.keep(~own), priors, iterations=options.iterations, run=run)
        for prior, weights in zip(priors, path, strict=True):
            found = np.empty(held_out.n_candidates)
            features = np.ascontiguousarray(weights[:-1])
            _native.linear_scores(held_out.native, features, float(weights[-1]), found)
            scores[prior][own] = found
            ended.append(time.monotonic() - began)
        if options.budget:
            affordable = sum(one * options.folds <= left for one in ended)
            priors = priors[: max(1, affordable)]
    return {prior: scores[prior] for prior in priors}


def _tree_scores(
    sample: RankingProblem, views: Views, folds: NDArray[np.int64], options: Auto
) -> Floats:
    """The scores of trees on folds that they had not seen."""
    rows, scores = tree_rows(views.columns(sample)), np.zeros(sample.n_candidates)
    for fold in np.unique(folds).tolist():
        own = folds[sample.owners] == fold
        grown = options.trees(bags=1).grow(sample, rows, folds != fold)
        scores[own] = grown.scores(rows[own])
    return scores


def _spread(problem: RankingProblem, scores: Floats) -> float:
    """How far scores typically lie from the mean of their list."""
    sizes = np.maximum(1, np.diff(problem.list_offsets))
    means = np.bincount(problem.owners, scores, problem.n_lists) / sizes
    distances = scores - means[problem.owners]
    squares = np.bincount(problem.owners, distances**2, problem.n_lists) / sizes
    return float(np.sqrt(squares).mean()) if len(squares) else 0.0
