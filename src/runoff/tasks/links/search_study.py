"""The study of the search: Tables 1 and 2 of the paper, by its error model and by ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.search.partial_candidates.calibration import above_eta
from runoff.tasks.links.measures import (
    CORRELATED,
    INDEPENDENT,
    OURS,
    PAPER,
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

CALIBRATED: Mapping[str, Mapping[str, Any]] = {
    "paper's widths, independent": PAPER,
    "learned widths, independent": INDEPENDENT,
    "learned widths, correlated": CORRELATED,
}
"""Error models whose calibration is measured."""

EXTRA = (0.02, 0.07, 0.15, 0.3, 0.4)
"""Further values of epsilon for our model, so that its steps at any rank are known."""


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
    """All measures of the study, and the calibration of error models."""

    searches: list[Search]
    calibration: list[Calibrated]


def search_study(
    reranker: Reranker, lists: Sequence[NBest], plan: Plan, engine: Engine
) -> SearchStudy:
    """Search in every list, with error models of the other half of the lists."""
    weights = dict(reranker.named_weights())
    read = engine.counted("sentences read", lists, len(lists), 1)
    sentences = [Sentence.of(reading(nbest, weights)) for nbest in read]
    folds = list(halves(len(sentences), plan.replications, plan.seed))
    searches: list[Search] = []
    models = {}
    for name, how in MODELS.items():
        own = [[sentences[place] for place in places] for places, _ in folds]
        counted = engine.counted(f"error models, {name}", own, len(own), 1)
        models[name] = [fitted(some, how) for some in counted]
    asked = [
        (name, epsilon, apart)
        for name in MODELS
        for apart in (False, True)
        for epsilon in sorted({*plan.epsilons, *(EXTRA if name == "ours" and not apart else ())})
    ]
    for name, epsilon, apart in engine.counted("searches", asked, len(asked), 1):
        whole = not apart and epsilon in plan.epsilons
        parts = sentences, models[name], folds, epsilon
        found = measured(*parts, apart=apart, to_the_end=whole)
        searches.append(Search(name, epsilon, apart, found))
    found = measured(sentences, models["paper"], folds, 0.5, order="score")
    searches.append(Search(GREEDY, None, False, found))
    calibrated = [
        _calibrated(name, how, sentences, folds, plan) for name, how in CALIBRATED.items()
    ]
    return SearchStudy(searches, calibrated)


def _calibrated(
    name: str,
    how: Mapping[str, Any],
    sentences: Sequence[Sentence],
    folds: Sequence[tuple[list[int], list[int]]],
    plan: Plan,
) -> Calibrated:
    sums = dict.fromkeys(plan.epsilons, 0.0)
    for estimated, tested in folds[:2]:
        model = fitted([sentences[place] for place in estimated], how)
        own = joined([sentences[place] for place in tested])
        for one in above_eta(model, own, plan.epsilons):
            sums[one.epsilon] += one.above / 2
    return Calibrated(name, sums)
