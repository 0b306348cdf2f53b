"""Fitting a reranker to n-best lists."""

from __future__ import annotations

import hashlib
import inspect
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import runoff
from runoff.data.files import FilePath, read_chunks
from runoff.data.formats import Lists, open_lists
from runoff.data.nbest import NBest
from runoff.engine import mapper
from runoff.errors import FormatError, UsageError
from runoff.features.build import LISTS_PER_CHUNK, build_problem
from runoff.features.extract import AnyExtractors, Extractor, find_extractors
from runoff.features.problem import RankingProblem
from runoff.features.space import FeatureSpace
from runoff.learners import make_ranker
from runoff.learners.base import Progress, Step
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.metrics.base import Metric
from runoff.tasks.reranker import Reranker

logger = logging.getLogger(__name__)

CACHE_BYTES = 4 << 30
"""The cache forgets what was used longest ago when it grows beyond this."""


def fit(
    train: Lists,
    *,
    dev: Lists | None = None,
    learner: str = "perceptron",
    features: AnyExtractors = ("given", "text"),
    metric: AnyMetric = "quality",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    min_lists: int = 2,
    thresholds: Sequence[int] = (),
    jobs: int = 1,
    cache: FilePath | None = None,
    format: str | None = None,
    progress: Progress | None = None,
) -> Reranker:
    """A reranker fitted to lists with gold, or with qualities.

    Parameters
    ----------
    train, dev : files or lists; `dev` lets the learner choose when to stop.
    learner : one of `runoff.learners.LEARNERS`.
    features : names of extractors, or your own functions, or their `module:function`.
    metric : what makes a candidate good: a name, `module:function`, a function or a `Metric`.
    options : parameters of the learner, such as `{"epochs": 20}`.
    min_lists : features that occur in fewer lists are left out.
    thresholds : turn counts into binary features, see `FeatureSpace`.
    jobs : processes that extract features, 0 for one per core; the result does not depend on it.
    cache : folder in which extracted features are kept, so that tuning never extracts twice.
    format : of the files, where their names do not say it.
    progress : told how far the work has come.

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
    wanted = find_metric(metric, allow_code=True)
    extractors = find_extractors(features)
    ranker = make_ranker(
        learner, {"seed": seed, **(options or {})} if learner != "base" else options
    )
    if min_lists < 1:
        raise UsageError(f"min_lists must be at least 1, not {min_lists}")
    with mapper(jobs) as run:

        def build(lists: Lists, space: FeatureSpace | None) -> tuple[RankingProblem, FeatureSpace]:
            return build_problem(
                _watched(open_lists(lists, format), "train" if space is None else "dev", progress),
                extractors,
                metric=wanted,
                space=space,
                min_lists=min_lists,
                thresholds=thresholds,
                map=run,
            )

        key = _identity(extractors, wanted, min_lists, tuple(thresholds))
        problem, space = _cached(train, key, cache, lambda: build(train, None))
        if problem.n_lists == 0:
            raise FormatError("there are no lists to learn from")
        dev_problem = None
        if dev is not None:
            dev_key = key + space_hash(space)
            dev_problem, _ = _cached(dev, dev_key, cache, lambda: build(dev, space))
    ranker.fit(problem, dev_problem, progress)
    return Reranker(ranker, space, extractors, _training(problem, dev_problem, wanted, min_lists))


def _watched(lists: Iterable[NBest], name: str, progress: Progress | None) -> Iterator[NBest]:
    """The lists, counted as they pass."""
    for number, nbest in enumerate(lists, start=1):
        if progress is not None and number % LISTS_PER_CHUNK == 0:
            progress(Step(f"features of {name} lists", number, None, {}))
        yield nbest


def default_cache() -> Path:
    """Where the command line keeps extracted features: `RUNOFF_CACHE`, or the user's cache."""
    if "RUNOFF_CACHE" in os.environ:
        return Path(os.environ["RUNOFF_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "runoff"


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
        "data": problem.fingerprint(),
        "dev data": None if dev is None else dev.fingerprint(),
    }


def _identity(extractors: Sequence[Extractor], metric: Metric, *parameters: object) -> str:
    """A text that changes when the extracted features would: code of extractors and all."""
    sources = [f"{one.name}:{_source(one.function)}" for one in extractors]
    return repr((runoff.__version__, sources, metric.signature(), parameters))


def _source(function: Callable[..., Any]) -> str:
    module = inspect.getmodule(function)
    try:  # the whole module, since an extractor calls its neighbours
        return inspect.getsource(function if module is None else module)
    except (OSError, TypeError):
        return repr(function)


def space_hash(space: FeatureSpace) -> str:
    """A hash of the names of a feature space."""
    return hashlib.blake2b("\0".join(space.names).encode("utf-8", "surrogatepass")).hexdigest()


def _cached(
    lists: Lists,
    key: str,
    cache: FilePath | None,
    build: Callable[[], tuple[RankingProblem, FeatureSpace]],
) -> tuple[RankingProblem, FeatureSpace]:
    """The problem from the cache, if these lists were seen with this key before."""
    if cache is None or not isinstance(lists, str | os.PathLike) or str(lists) == "-":
        return build()
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16)
    for chunk in read_chunks(lists):
        digest.update(chunk)
    path = Path(cache) / f"{digest.hexdigest()}.problem"
    if path.is_file():
        path.touch()
        try:
            return RankingProblem.load(path)
        except FormatError:  # a damaged file is made again
            path.unlink()
    problem, space = build()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        problem.save(path, space)
        _forget_oldest(path.parent)
    except OSError as error:  # a full disk or a folder that is not ours costs time, not the model
        logger.warning("the extracted features are not kept: %s", error)
    return problem, space


def _forget_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.problem"), key=lambda file: -file.stat().st_mtime)
    total = 0
    for place, file in enumerate(files):
        total += file.stat().st_size
        if place and total > CACHE_BYTES:
            file.unlink()
