"""The study of the search: Tables 1 and 2 of the paper, by its error model and by ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.search.partial_candidates.calibration import above_eta
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.quantiles import NORMAL
from runoff.tasks.links.measures import (
    CORRELATED,
    INDEPENDENT,
    OURS,
    PAPER,
    TOGETHER,
    Measure,
    Sentence,
    fitted,
    halves,
    joined,
    measured,
)
from runoff.tasks.links.plan import Plan
from runoff.tasks.links.targets import reading
from runoff.tasks.ranking.reranker import Reranker

GREEDY = "greedy"
MODELS: Mapping[str, Mapping[str, Any]] = {"paper": PAPER, "ours": OURS}
"""Error models whose searches are measured."""

CHOICES: Mapping[str, Mapping[str, Any]] = {
    "paper": PAPER,
    "learned widths": INDEPENDENT,
    "correlated targets": CORRELATED,
    "correlated targets and candidates": TOGETHER,
    "ours": OURS,
}
"""Error models that are compared on development sentences; but for the last, each has what the one
before it has."""

EXTRA = (0.02, 0.15, 0.3, 0.4)
"""Further values of epsilon for models other than the paper's, so that a rank has its steps."""

Folds = Sequence[tuple[list[int], list[int]]]


class Search(msgspec.Struct, frozen=True):
    """The measures of one way to search, over all sentences and folds."""

    model: str
    epsilon: float | None
    apart: bool
    measures: list[Measure]


class Calibrated(msgspec.Struct, frozen=True):
    """How often final scores were above eta, by epsilon; mean of all folds."""

    model: str
    above: dict[float, float]


class SearchStudy(msgspec.Struct, frozen=True):
    """All measures of the study of a number of sentences, and the calibration of error models."""

    sentences: int
    searches: list[Search]
    calibration: list[Calibrated]


def search_study(
    reranker: Reranker, lists: Sequence[NBest], plan: Plan, engine: Engine
) -> SearchStudy:
    """Search in every list, with error models of the other half of the lists."""
    sentences = _read(reranker, lists, engine)
    folds = list(halves(len(sentences), plan.replications, plan.seed))
    models = {name: _models(name, how, sentences, folds, engine) for name, how in MODELS.items()}
    asked = [
        (name, epsilon, apart)
        for name in MODELS
        for apart in (False, True)
        for epsilon in _epsilons(name, plan)
    ]
    searches: list[Search] = []
    for name, epsilon, apart in engine.counted("searches", asked, len(asked), 1):
        whole = not apart and epsilon in plan.epsilons
        parts = sentences, models[name], folds, epsilon
        found = measured(*parts, apart=apart, to_the_end=whole)
        searches.append(Search(name, epsilon, apart, found))
    found = measured(sentences, models["paper"], folds, 0.5, order="score")
    searches.append(Search(GREEDY, None, False, found))
    models["correlated"] = _models("correlated", CORRELATED, sentences, folds, engine)
    return SearchStudy(len(sentences), searches, _calibrations(sentences, folds, plan, **models))


def choice_study(
    reranker: Reranker, lists: Sequence[NBest], plan: Plan, engine: Engine
) -> SearchStudy:
    """Search in development lists, halved once, by the error models that are to choose from."""
    sentences = _read(reranker, lists, engine)
    folds = list(halves(len(sentences), 1, plan.seed))
    models = {name: _models(name, how, sentences, folds, engine) for name, how in CHOICES.items()}
    searches = [
        Search(name, epsilon, False, measured(sentences, own, folds, epsilon, to_the_end=False))
        for name, own in models.items()
        for epsilon in _epsilons(name, plan)
    ]
    three = {name: models[name] for name in MODELS} | {"correlated": models["correlated targets"]}
    return SearchStudy(len(sentences), searches, _calibrations(sentences, folds, plan, **three))


def _read(reranker: Reranker, lists: Sequence[NBest], engine: Engine) -> list[Sentence]:
    weights = dict(reranker.named_weights())
    read = engine.counted("sentences read", lists, len(lists), 1)
    return [Sentence.of(reading(nbest, weights)) for nbest in read]


def _epsilons(model: str, plan: Plan) -> list[float]:
    return sorted({*plan.epsilons, *(() if model == "paper" else EXTRA)})


def _models(
    name: str, how: Mapping[str, Any], sentences: Sequence[Sentence], folds: Folds, engine: Engine
) -> list[ErrorModel]:
    """The error models of the folds."""
    own = [[sentences[place] for place in places] for places, _ in folds]
    counted = engine.counted(f"error models, {name}", own, len(own), 1)
    return [fitted(some, how) for some in counted]


def _calibrations(
    sentences: Sequence[Sentence],
    folds: Folds,
    plan: Plan,
    paper: Sequence[ErrorModel],
    ours: Sequence[ErrorModel],
    correlated: Sequence[ErrorModel],
) -> list[Calibrated]:
    """The calibration of error models, independent and correlated, normal and as was seen."""
    normal = [replace(one, quantiles=NORMAL) for one in correlated]
    independent = [
        replace(one, correlations=np.broadcast_to(np.eye(len(one.names)), one.correlations.shape))
        for one in normal
    ]
    kinds = {
        "paper's widths, independent": paper,
        "paper's widths, independent, learned quantiles (ours)": ours,
        "learned widths, independent": independent,
        "learned widths, correlated": normal,
        "learned widths, correlated, learned quantiles": correlated,
    }
    found = []
    for name, models in kinds.items():
        sums = dict.fromkeys(plan.epsilons, 0.0)
        for model, (_, tested) in zip(models, folds, strict=True):
            own = joined([sentences[place] for place in tested])
            for one in above_eta(model, own, plan.epsilons):
                sums[one.epsilon] += one.above / len(folds)
        found.append(Calibrated(name, sums))
    return found
