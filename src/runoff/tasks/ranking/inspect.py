"""Looking into files: what lists hold and what could be won, what a model has learned."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np

from runoff.data.files import FilePath
from runoff.data.formats import Lists, open_lists
from runoff.data.nbest import NBest
from runoff.learners.base import LinearRanker
from runoff.learners.boosting.subtrees import SubtreeBoost
from runoff.metrics import AnyMetric
from runoff.metrics import metric as find_metric
from runoff.metrics.measure import measure
from runoff.metrics.oracle import Row, table
from runoff.problem.space import FeatureSpace
from runoff.proposers.sequence.tag_model import TagModel
from runoff.store.file import Arrays, checking, load, without_prefix
from runoff.tasks.chunking.model import KIND as CHUNKER
from runoff.tasks.chunking.model import PARTS as CHUNKER_PARTS
from runoff.tasks.names.model import KIND as NAMES
from runoff.tasks.names.model import PARTS as NAMES_PARTS
from runoff.tasks.parsing.model import KIND as PARSER
from runoff.tasks.parsing.model import PARTS as PARSER_PARTS
from runoff.tasks.tagging.model import KIND as TAGGER

PARTS = {PARSER: PARSER_PARTS, CHUNKER: CHUNKER_PARTS, NAMES: NAMES_PARTS}
"""Models that are made of several, and what those are called."""


@dataclass
class Inspection:
    """What a file of lists holds.

    `by_n` has 1-best, oracle, random and worst of the first n candidates, where there is
    something to measure by.
    """

    lists: int = 0
    candidates: int = 0
    shortest: int = 0
    median: float = 0.0
    longest: int = 0
    duplicates: int = 0
    ties: int = 0
    out_of_order: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    signature: str | None = None
    by_n: list[Row] = field(default_factory=list)


def inspect(lists: Lists, metric: AnyMetric | None = None) -> Inspection:
    """Sizes, duplicates, ties, and 1-best, oracle, random and worst by n.

    Parameters
    ----------
    metric : measures against gold; without one, qualities that the lists carry are used.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> seen = inspect([NBest(1, None, [Candidate("a", -1.0), Candidate("a", -1.0)])])
    >>> seen.lists, seen.duplicates, seen.ties
    (1, 1, 1)
    """
    stream = open_lists(lists)
    head = [nbest for nbest in [next(stream, None)] if nbest is not None]
    if metric is None and head and all(c.quality is not None for c in head[0].candidates):
        metric = "quality"
    result, sizes = Inspection(), list[int]()
    watched = _watch(chain(head, stream), result, sizes)
    if metric is None:
        for _ in watched:
            pass
    else:
        chosen = find_metric(metric, allow_code=True)
        result.by_n = table(measure(watched, chosen), chosen)
        result.signature = chosen.signature()
    if sizes:
        result.shortest, result.longest = min(sizes), max(sizes)
        result.median = float(np.median(sizes))
    return result


def _watch(lists: Iterable[NBest], result: Inspection, sizes: list[int]) -> Iterator[NBest]:
    parts: Counter[str] = Counter()
    for nbest in lists:
        sizes.append(len(nbest))
        result.lists += 1
        result.candidates += len(nbest)
        outputs = [repr(c.output) for c in nbest.candidates if c.output is not None]
        result.duplicates += len(outputs) - len(set(outputs))
        scores = nbest.base_scores()
        result.ties += len(scores) > 1 and scores.count(max(scores)) > 1
        result.out_of_order += nbest.base_order() != list(range(len(nbest)))
        parts.update(_parts(nbest))
        yield nbest
    result.parts = dict(parts)


def _parts(nbest: NBest) -> Iterator[str]:
    """Parts that the list has, those of candidates if all of them have it."""
    yield from (part for part in ("id", "input", "gold") if getattr(nbest, part) is not None)
    for part in ("output", "logprob", "quality", "features", "score"):
        if all(getattr(c, part) is not None for c in nbest.candidates):
            yield part


@dataclass
class ModelInspection:
    """What a model file holds: its header, its arrays, and the largest weights.

    `parts` has the bytes of each part of a model that is made of several.
    """

    kind: str
    header: dict[str, Any]
    arrays: dict[str, str]
    weights: list[tuple[str, float]]
    parts: dict[str, int] = field(default_factory=dict)


def inspect_model(path: FilePath, top: int = 20, having: str | None = None) -> ModelInspection:
    """The header of a model file and its largest weights; of parser and chunker, their ranker's.

    Parameters
    ----------
    having : only weights of what has this in its name: a label or word of a subtree, a token of
        another feature.
    """
    kind, header, arrays = load(path)
    shapes = {name: f"{a.dtype}{list(a.shape)}" for name, a in sorted(arrays.items())}
    parts = {name: without_prefix(f"{name}.", arrays) for name in PARTS.get(kind, ())}
    sizes = {name: sum(a.nbytes for a in one.values()) for name, one in parts.items() if one}
    with checking(path):
        if kind == TAGGER:
            weights = _tag_weights(arrays, top, having)
        else:
            weights = _weights(parts.get("ranker", arrays), top, having)
    return ModelInspection(kind, header, shapes, weights, sizes)


def _weights(arrays: Arrays, top: int, having: str | None) -> list[tuple[str, float]]:
    """The largest weights of a ranker, if its scores are sums of weights."""
    if not {"names", "weights", "logprob_weight"} <= arrays.keys():
        return []
    names = FeatureSpace.from_arrays(arrays).names
    ranker = SubtreeBoost() if SubtreeBoost.saved_in(arrays) else LinearRanker()
    values, names = ranker.restore(arrays, len(names)).weights(), ranker.weight_names(names)
    weights = [] if having is not None else [("log-probability", ranker.logprob_weight_)]
    order = np.argsort(-np.abs(values), kind="stable").tolist()
    chosen = (number for number in order if has_token(names[number], having))
    return weights + [(names[number], float(values[number])) for number in islice(chosen, top)]


def has_token(name: str, wanted: str | None) -> bool:
    """Whether a name has a token, as `in` is one of `(PP(in)(NP))` and of `bigram: in the`."""
    return wanted is None or wanted in re.split(r"[\s()]+", name)


def _tag_weights(arrays: Arrays, top: int, having: str | None) -> list[tuple[str, float]]:
    features = (
        (f"{feature.name}: {feature.tag}", feature.weight)
        for feature in TagModel.from_arrays(arrays).features()
    )
    chosen = (one for one in features if has_token(one[0], having))
    return heapq.nsmallest(top, chosen, key=lambda one: -abs(one[1]))
