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

SHARES = (0.5, 2.0)
"""How much trees weigh in a sum, in units of the spread of the linear model's scores."""


class Choice(NamedTuple):
    """A model: a linear one under a prior, trees times a factor, or the sum; 0 is without."""

    prior: float
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
    """The member, or the sum of two, that picks best from lists of other folds."""
    # judging is bounded, so an interrupted one begins again; learning resumes
    told, run = run, replace(run, checkpoint=None, progress=None)
    sample = sampled(problem, options.judged)
    folds = fold_numbers(replace(sample, documents=problem.documents), options.folds)
    started = time.monotonic()
    table: list[dict[str, float]] = []
    best = Judged(Choice(options.prior[0], 0.0), HeldOut(sample.logprobs, sample), {})
    found = -np.inf

    def consider(choice: Choice, scores: Floats, share: float) -> None:
        nonlocal best, found
        quality = sample.picked_quality(scores)
        table.append({"prior": choice.prior, "trees": share, **_in_units(sample, quality)})
        told.report("tried on folds", len(table), None, **table[-1])
        if quality > found:
            best, found = replace(best, choice=choice, held_out=HeldOut(scores, sample)), quality

    if not sample.n_candidates:
        return best
    linear = _linear_scores(sample, views, folds, options, run)
    for prior, scores in linear.items():
        consider(Choice(prior, 0.0), scores, 0.0)
    if options.rounds and len(views.ids) and not _is_over(options, started):
        scores = _tree_scores(sample, views, folds, options, run)
        consider(Choice(0.0, 1.0), scores, 1.0)
        for prior, own in linear.items():
            unit = _spread(sample, own) / max(_spread(sample, scores), 1e-300)
            for share in SHARES:
                consider(Choice(prior, share * unit), own + share * unit * scores, share)
    return replace(best, record={TRIED: table})


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
    sample: RankingProblem, views: Views, folds: NDArray[np.int64], options: Auto, run: Run
) -> dict[float, Floats]:
    """The scores of linear models on folds that they had not seen, by their prior.

    The first fold tells how many priors there is time for.
    """
    seen, priors = views.added(sample), options.prior
    scores = {prior: np.zeros(sample.n_candidates) for prior in priors}
    for fold in np.unique(folds).tolist():
        own = folds[sample.owners] == fold
        held_out, ended, started = seen.keep(own), [], time.monotonic()
        path = fit_path(seen.keep(~own), priors, iterations=options.iterations, run=run)
        for prior, weights in zip(priors, path, strict=True):
            found = np.empty(held_out.n_candidates)
            features = np.ascontiguousarray(weights[:-1])
            _native.linear_scores(held_out.native, features, float(weights[-1]), found)
            scores[prior][own] = found
            ended.append(time.monotonic() - started)
        if options.budget:
            affordable = sum(one * options.folds <= options.budget for one in ended)
            priors = priors[: max(1, affordable)]
    return {prior: scores[prior] for prior in priors}


def _tree_scores(
    sample: RankingProblem, views: Views, folds: NDArray[np.int64], options: Auto, run: Run
) -> Floats:
    """The scores of trees on folds that they had not seen."""
    rows, scores = tree_rows(views.columns(sample)), np.zeros(sample.n_candidates)
    for fold in np.unique(folds).tolist():
        own = folds[sample.owners] == fold
        scores[own] = options.trees().grow(sample, rows, folds != fold).scores(rows[own])
    return scores


def _spread(problem: RankingProblem, scores: Floats) -> float:
    """How far scores typically lie from the mean of their list."""
    sizes = np.maximum(1, np.diff(problem.list_offsets))
    means = np.bincount(problem.owners, scores, problem.n_lists) / sizes
    distances = scores - means[problem.owners]
    squares = np.bincount(problem.owners, distances**2, problem.n_lists) / sizes
    return float(np.sqrt(squares).mean()) if len(squares) else 0.0
