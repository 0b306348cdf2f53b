"""Fitting a reranker to n-best lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

import runoff
from runoff.data.files import FilePath
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.inputs import keeping_inputs
from runoff.data.lists import Lists, NBestFiles, as_files, open_lists, path_of
from runoff.data.nbest import ListsHash
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.told import telling
from runoff.errors import FormatError, UsageError
from runoff.features.extract import AnyExtractors, find_extractors
from runoff.fitting.run import Run, resumable
from runoff.learners import make_ranker
from runoff.learners.base import Ranker, check_present_or_absent
from runoff.learners.folds import check_folds, held_out
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.metrics.base import Metric
from runoff.metrics.bleu import Bleu, gains
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import Extractor
from runoff.problem.problem import RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.tasks.ranking.cache import cache_key, cached, space_hash
from runoff.tasks.ranking.calibration import calibrate
from runoff.tasks.ranking.partial.model import PartialPlan, check_readable, learn_partial
from runoff.tasks.ranking.reranker import Reranker


@keeping_inputs()
def fit(
    train: Lists,
    *,
    dev: Lists | None = None,
    learner: str = "auto",
    features: AnyExtractors = ("given", "text", "changes"),
    metric: AnyMetric = "quality",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    min_lists: int = 2,
    thresholds: Sequence[int] = (),
    bins: int = 0,
    choose_by_sum: bool = False,
    engine: AnyEngine = ALONE,
    cache: FilePath | None = None,
    checkpoint: FilePath | None = None,
    format: str | None = None,
    map: Map | str | None = None,
    partial: PartialPlan | None = None,
    folds: int = 0,
    progress: bool = False,
) -> Reranker:
    """A reranker fitted to lists with gold, or with qualities.

    Parameters
    ----------
    train, dev : files or lists; `dev` lets the learner choose when to stop, and tells how sure a
        pick is (`runoff.tasks.ranking.calibration`).
    learner : one of `runoff.learners.LEARNERS`, or a class of your own, `module:Class`.
    features : names of extractors, or your own functions, or their `module:function`.
    metric : what makes a candidate good: a name, `module:function`, a function or a `Metric`.
    options : parameters of the learner, such as `{"epochs": 20}`.
    min_lists : features that occur in fewer lists are left out.
    thresholds : turn counts into binary features, see `FeatureSpace`.
    bins : turn each feature that is not a count into this many binary features, see
        `runoff.problem.build.bins`.
    choose_by_sum : let `dev` choose by the sum of the qualities of what is picked (equation 21 of
        Collins & Koo 2005), not by the metric's figure of all of it.
    engine : what extracts features and learns: a number of workers, or an `Engine`; the result does
        not depend on it.
    cache : folder in which extracted features are kept, so that tuning never extracts twice.
    checkpoint : file in which the state of the learner is kept until it has finished: a fit that
        was killed resumes from there, to the same result.
    format : of the files, where looking into them does not tell.
    map : the keys or columns of the parts of a list, see `runoff.read_nbest`; the model remembers
        it.
    partial : learn an error model too, with which candidates that cannot win are left unread.
    folds : without `dev`, learn once more without each of so many parts of the training lists: they
        tell how sure a pick is. The default learner has folds in any case.
    progress : print a line for each stage on stderr; the logger `runoff` is told of all in any
        case.

    Examples
    --------
    >>> import runoff as ro
    >>> lists = [
    ...     ro.NBest(i, None, [ro.Candidate("a b", -1.0), ro.Candidate("a c", -1.1)], gold="a c")
    ...     for i in range(3)
    ... ]
    >>> ro.fit(lists, metric="wer").rerank(lists)[0].candidates[0].output
    'a c'
    """
    train, dev = as_files(train, format, map), None if dev is None else as_files(dev, format, map)
    workers, told = telling(Engine.of(engine), progress)
    wanted = find_metric(metric, allow_code=True)
    extractors = find_extractors(features)
    check_folds(folds)
    ranker = make_ranker(learner, options, seed=seed, allow_code=True)
    ranker.check(with_dev=dev is not None)
    _check_features(ranker, extractors)
    if partial is not None:
        check_readable(ranker, extractors, partial)
    cut_offs = {"min_lists": min_lists, "thresholds": tuple(thresholds), "bins": bins}
    features_of = _Features(extractors, wanted, cut_offs, workers, cache)
    chosen_by = None if choose_by_sum else wanted  # without a metric, qualities are summed
    problem, space = features_of.train(train)
    problem = replace(problem, metric=chosen_by)
    dev_problem = None
    if dev is not None:
        dev_problem = replace(features_of.dev(dev, space), metric=chosen_by)
    if not ranker.takes_values:
        check_present_or_absent(ranker.name, problem, space.names)
    training = _training(problem, dev_problem, wanted, min_lists)
    if isinstance(train, NBestFiles) and train.map:
        training["map"] = str(train.map)
    if choose_by_sum:
        training["choose_by_sum"] = True
    seen = [one and one.fingerprint() for one in (problem, dev_problem)]
    left = None
    with resumable(Run.on(workers), checkpoint, repr((ranker, training, seen))) as kept:
        ranker.fit(problem, dev_problem, run=kept)
        if partial is not None:
            lists = islice(open_lists(train if dev is None else dev), partial.lists)
            watched = workers.counted("lists read piece by piece", lists, None, 1)
            left = learn_partial(ranker, space, extractors, partial, watched)
    told.end()
    judged = held_out(ranker, problem, dev_problem, folds)
    calibration = None
    if judged is not None:
        calibration, training["calibration"] = calibrate(*judged)
    return Reranker(ranker, space, extractors, training, calibration, left)


def problems(
    train: Lists,
    dev: Lists | None,
    *,
    features: AnyExtractors,
    metric: AnyMetric,
    cut_offs: Mapping[str, Any],
    engine: Engine = ALONE,
    cache: FilePath | None = None,
) -> tuple[RankingProblem, RankingProblem | None]:
    """What `fit` learns from, and chooses by; for learners that are to see a part of it.

    Parameters
    ----------
    cut_offs : `min_lists`, `thresholds` and `bins`.
    """
    wanted = find_metric(metric)
    features_of = _Features(find_extractors(features), wanted, cut_offs, engine, cache)
    problem, space = features_of.train(as_files(train))
    if dev is None:
        return problem, None
    return problem, replace(features_of.dev(as_files(dev), space), metric=wanted)


@dataclass(frozen=True)
class _Features:
    """How the features of lists are extracted, or taken from the cache, which keeps no metric."""

    extractors: Sequence[Extractor]
    metric: Metric
    cut_offs: Mapping[str, Any]
    engine: Engine
    cache: FilePath | None

    def train(self, lists: Lists) -> tuple[RankingProblem, FeatureSpace]:
        """The problem that is learned from, and the features that it has."""
        problem, space = cached(lists, self._key, self.cache, lambda: self._build(lists, None))
        _check_any(problem, lists, "learn from")
        return self._with_gains(problem), space

    def dev(self, lists: Lists, space: FeatureSpace) -> RankingProblem:
        """The problem that choices are made by."""
        key = None if self._key is None else self._key + space_hash(space)
        problem, _ = cached(lists, key, self.cache, lambda: self._build(lists, space))
        _check_any(problem, lists, "choose by")
        return self._with_gains(problem)

    def _with_gains(self, problem: RankingProblem) -> RankingProblem:
        """The problem with what BLEU of the text gains by each candidate as its quality."""
        if not isinstance(self.metric, Bleu) or problem.statistics is None:
            return problem
        found = gains(problem.statistics, problem.owners, problem.logprobs)
        return replace(problem, qualities=found)

    @property
    def _key(self) -> str | None:
        return cache_key(self.extractors, self.metric, *self.cut_offs.values())

    def _build(
        self, lists: Lists, space: FeatureSpace | None
    ) -> tuple[RankingProblem, FeatureSpace]:
        stage = f"features of {'train' if space is None else 'dev'} lists"
        seen = ListsHash()
        problem, space = build_problem(
            self.engine.counted(stage, seen.watch(open_lists(lists)), None),
            self.extractors,
            metric=self.metric,
            space=space,
            engine=self.engine,
            **self.cut_offs,
        )
        documents = seen.documents()
        numbers = None if documents is None else np.array(documents, dtype=np.int64)
        return replace(problem, data=seen.hexdigest(), documents=numbers), space


def _check_any(problem: RankingProblem, lists: Lists, purpose: str) -> None:
    if problem.n_candidates == 0:
        missing = "candidates" if problem.n_lists else "lists"
        raise FormatError(f"there are no {missing} to {purpose}", path=path_of(lists))


def _check_features(ranker: Ranker, extractors: Sequence[Extractor]) -> None:
    """Raise an error for trees where the learner takes features, and the other way round."""
    have_trees = any(one.trees is not None for one in extractors)
    if ranker.takes_trees and not have_trees:
        raise UsageError(
            f"{ranker.name} takes trees, and was given features",
            hint="--features tree reads bracketed outputs, lexical-tree adds head words, tagging "
            "takes tags",
        )
    if have_trees and not ranker.takes_trees:
        raise UsageError(
            f"{ranker.name} takes features, and was given trees",
            hint="tree-kernel, tagging-kernel and subtree-boost take trees",
        )


def _training(
    problem: RankingProblem, dev: RankingProblem | None, metric: Metric, min_lists: int
) -> dict[str, Any]:
    return {
        "runoff": runoff.__version__,
        "metric": metric.signature(),
        "logprobs": problem.given_logprobs,
        "min_lists": min_lists,
        "lists": problem.n_lists,
        "candidates": problem.n_candidates,
        "features seen": problem.n_features,
        "data": problem.data,
        "dev data": None if dev is None else dev.data,
    }
