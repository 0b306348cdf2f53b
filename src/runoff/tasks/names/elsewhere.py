"""What a stage gets to see of other sentences: those of the document, and of its cluster."""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from runoff.data.nbest import NBest
from runoff.data.schemes import decode
from runoff.features.names.clusters import Cluster, NameCounts, clusters
from runoff.features.names.coreference import Evidence, Sighting
from runoff.features.names.slots import joined, plain
from runoff.tasks.names.stages import (
    Scores,
    Stage,
    documents_of,
    margin_of,
    winner,
    with_evidence,
    with_mentions,
    with_places,
)

logger = logging.getLogger(__name__)

LONGEST = 10_000
"""Sentences of a document; of a longer one, parts of so many are taken for documents."""

LEAST = 0.01
"""Names that are less probable than this take no part in finding clusters."""

Lists = Callable[[], Iterable[tuple[NBest, Scores]]]
"""Gives lists with the scores of the stage before, as often as it is called."""


class Looking(msgspec.Struct, frozen=True, kw_only=True):
    """How far a model looks.

    Parameters
    ----------
    stages : as a plan has them.
    cluster_below : the cross entropy below which a document joins a cluster.
    cuts : of each stage but the first, the margin of the one before above which it sees nothing of
        other sentences.
    """

    stages: str
    cluster_below: float
    cuts: tuple[float, ...] = ()


class Seen(NamedTuple):
    """A document as others see it: its sentences, and the names of their candidates."""

    sentences: list[Sighting]
    names: NameCounts


def seen_of(document: Sequence[tuple[NBest, Scores]]) -> Seen:
    """A document, whose names are counted by how probable they are."""
    sentences, names = [], defaultdict[str, float](float)
    for number, (nbest, scores) in enumerate(document, 1):
        tags = winner(nbest, scores)
        sentences.append(Sighting.of(nbest.input, tags, nbest.document, number))
        for name, count in _expected(nbest):
            names[name] += count
    return Seen(sentences, {name: count for name, count in names.items() if count >= LEAST})


def _expected(nbest: NBest) -> Iterable[tuple[str, float]]:
    """How often each name is expected in a sentence, by the probabilities of its candidates."""
    words, found = plain(nbest.input), defaultdict[str, float](float)
    weights = [math.exp(candidate.logprob or 0.0) for candidate in nbest.candidates]
    total = sum(weights) or 1.0
    for candidate, weight in zip(nbest.candidates, weights, strict=True):
        for _, (start, end) in decode(candidate.output):
            found[joined(words[start:end])] += weight / total
    return found.items()


def with_elsewhere(
    lists: Lists,
    stage: Stage,
    cut: float,
    cluster_below: float,
    related: Sequence[Seen] = (),
    *,
    telling: bool = False,
) -> Iterator[tuple[NBest, Scores]]:
    """The lists with the evidence of other sentences that a stage looks for, and their scores.

    Parameters
    ----------
    cut : sentences with a larger margin get none: the stage before was sure.
    related : documents that widen clusters, and are not in the lists.
    telling : whether lists say, under `elsewhere`, where the names of their candidates are found.
    """
    wide = "clusters" in stage.elsewhere
    around = _Clustered(lists, cluster_below, related) if wide else None
    for number, document in enumerate(_documents(lists)):
        seen = seen_of(document)
        within = Evidence([[one] for one in seen.sentences])
        beyond = None if around is None else around.evidence(number)
        for place, (nbest, scores) in enumerate(document):
            if margin_of(scores) <= cut:
                for source in stage.elsewhere:
                    found, own = beyond if source == "clusters" and beyond else (within, place)
                    nbest = with_evidence(nbest, found, own, source)
                    if telling:
                        nbest = with_mentions(nbest, found, own)
            yield nbest, scores


class _Clustered:
    """The clusters of the documents of lists, and their evidence."""

    def __init__(self, lists: Lists, below: float, related: Sequence[Seen]) -> None:
        self.documents = [seen_of(one) for one in _documents(lists)]
        self.related = related
        names, more = ([one.names for one in own] for own in (self.documents, related))
        self.clusters = clusters(names, below, more)
        self.owner = {d: n for n, one in enumerate(self.clusters) for d in one.documents}
        self.made: dict[int, Evidence] = {}

    def evidence(self, document: int) -> tuple[Evidence, int]:
        """The evidence of a document's cluster, and the document's place there."""
        number = self.owner[document]
        cluster = self.clusters[number]
        if number not in self.made:
            self.made[number] = Evidence(self._sentences(cluster))
        made = self.made[number]
        if document == cluster.documents[-1]:
            del self.made[number]  # documents come in their order
        return made, cluster.documents.index(document)

    def _sentences(self, cluster: Cluster) -> list[list[Sighting]]:
        own = [self.documents[one].sentences for one in cluster.documents]
        return own + [self.related[one].sentences for one in cluster.related]


def _documents(lists: Lists) -> Iterator[list[tuple[NBest, Scores]]]:
    """The lists of each document, with their scores."""
    waiting: list[Scores] = []

    def noted() -> Iterator[NBest]:
        for nbest, scores in lists():
            waiting.append(scores)
            yield nbest

    last = None
    for own in documents_of(noted(), LONGEST):
        document = own[0].document
        if len(own) == LONGEST and document != last:
            logger.warning(
                "the document %s has more than %d sentences; parts of so many count as documents",
                document, LONGEST,
            )  # fmt: skip
        last = document
        yield list(zip(own, waiting[: len(own)], strict=True))
        del waiting[: len(own)]


def next_stage(
    lists: Lists,
    number: int,
    stage: Stage,
    looking: Looking,
    related: Sequence[Seen] = (),
    *,
    values: bool,
    telling: bool = False,
) -> Iterator[NBest]:
    """The lists with what the stage of a number, from 1 for the second one, learns from others.

    Parameters
    ----------
    values : whether it learns from the scores of the stage before, and not from places alone.
    telling : as `with_elsewhere` has it.
    """
    if stage.elsewhere:
        cut = looking.cuts[number - 1]
        how = {"telling": telling}
        scored = with_elsewhere(lists, stage, cut, looking.cluster_below, related, **how)
    else:
        scored = iter(lists())
    for nbest, scores in scored:
        yield with_places(nbest, scores, number, values=values)


def related_documents(lists: Lists) -> tuple[Seen, ...]:
    """Documents that are not to be tagged themselves, as others see them."""
    return tuple(map(seen_of, _documents(lists)))


def clusters_of(lists: Lists, below: float) -> list[list[object]]:
    """The ids of the documents of each cluster."""
    seen = related_documents(lists)
    ids = [one.sentences[0].document for one in seen]
    return [[ids[d] for d in one.documents] for one in clusters([s.names for s in seen], below)]
