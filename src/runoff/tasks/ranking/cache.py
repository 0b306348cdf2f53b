"""A cache of ranking problems, so that tuning never extracts the same features twice.

A problem is kept under a hash of everything it depends on: the bytes of the lists, how they are
read, the code of the extractors, the metric, the cut-offs. What cannot be hashed is not kept.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import runoff
from runoff.data.files import FilePath
from runoff.data.lists import Lists, NBestFiles
from runoff.metrics.base import Metric
from runoff.metrics.user_metric import FunctionMetric
from runoff.problem.extractor import Extractor
from runoff.problem.file import load_problem, save_problem
from runoff.problem.problem import RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.store.file import is_intact

logger = logging.getLogger(__name__)

LAYOUT = 4
"""What a problem file holds; raise it when that changes. 4: documents of the lists."""

CACHE_BYTES = 4 << 30
"""The cache forgets what was used longest ago when it grows beyond this."""


def default_cache() -> Path:
    """The folder for extracted features: `RUNOFF_CACHE`, or the user's cache."""
    if "RUNOFF_CACHE" in os.environ:
        return Path(os.environ["RUNOFF_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "runoff"


def cache_key(extractors: Sequence[Extractor], metric: Metric, *parameters: object) -> str | None:
    """A text that changes when the problem would; None where that cannot be told.

    Of a function the whole module counts, since it calls its neighbours. A function made
    inside another one may behave differently each time, so nothing is kept for it.
    """
    functions: list[Callable[..., Any]] = [type(metric), *(one.function for one in extractors)]
    if isinstance(metric, FunctionMetric):
        functions.append(metric.function)
    sources = [_source(function) for function in functions]
    if None in sources:
        return None
    names = [one.name for one in extractors]
    return repr((runoff.__version__, LAYOUT, names, sources, metric.signature(), parameters))


def _source(function: Callable[..., Any]) -> str | None:
    if "<" in getattr(function, "__qualname__", "<"):  # <lambda>, <locals>, an object
        return None
    module = inspect.getmodule(function)
    try:
        return inspect.getsource(function if module is None else module)
    except (OSError, TypeError):  # compiled: it changes with its package, not by an edit
        return f"{function.__module__}:{function.__qualname__}"


def space_hash(space: FeatureSpace) -> str:
    """A hash of the names of a feature space."""
    return hashlib.blake2b("\0".join(space.names).encode("utf-8", "surrogatepass")).hexdigest()


def cached(
    lists: Lists,
    key: str | None,
    cache: FilePath | None,
    build: Callable[[], tuple[RankingProblem, FeatureSpace]],
) -> tuple[RankingProblem, FeatureSpace]:
    """The problem from the cache, if these lists were seen with this key before."""
    found = None
    if cache is not None and key is not None and isinstance(lists, NBestFiles):
        found = lists.digest()
    if cache is None or key is None or found is None:
        return build()
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass") + found, digest_size=16)
    path = Path(cache) / f"{digest.hexdigest()}.problem"
    if path.is_file():
        path.touch()
        if is_intact(path):
            return load_problem(path)
        logger.warning("%s is damaged, so the features are extracted again", path)
    problem, space = build()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_problem(path, problem, space)
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
