"""The stages of rankers of names: what each writes into the candidates.

The first looks at each sentence alone, a later one also at the winners of the one before it, in the
other sentences of the document and of related documents (Ji, Rudin & Grishman 2006, section 4.2).
What they see is written into the candidates as their features, so that a list says all that a
ranker learns from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from runoff.data.nbest import NBest
from runoff.data.schemes import Chunk, decode
from runoff.errors import UsageError, unknown_choice
from runoff.features.names.coreference import Evidence
from runoff.features.names.slots import Names, joined, plain
from runoff.features.names.statistics import SOURCES, NameStatistics, Neighbours, neighbours
from runoff.features.names.structure import overlaps

ELSEWHERE = {"coreference": "document", "clusters": "cluster"}
"""Sources that look at other sentences, and whose: of the document, or of its cluster."""

PLACES = (1, 2, 4, 8, 16)
"""Places in the order of the stage before, at or above which a candidate has a feature."""

Scores: TypeAlias = Sequence[float]


class Stage(NamedTuple):
    """The sources of features that a stage adds: of the sentence alone, and from elsewhere."""

    inside: tuple[str, ...]
    elsewhere: tuple[str, ...]


def parse_stages(given: str) -> tuple[Stage, ...]:
    """The stages of a plan, with commas between them, and `+` between the sources of each.

    Examples
    --------
    >>> parse_stages("structure+events,coreference")[0]
    Stage(inside=('structure', 'events'), elsewhere=())
    """
    found: list[Stage] = []
    seen: set[str] = set()
    for text in filter(None, given.split(",")):
        own = text.split("+")
        for source in own:
            if source not in (*SOURCES, *ELSEWHERE):
                raise unknown_choice("source of features", source, (*SOURCES, *ELSEWHERE))
            if source in seen:
                raise UsageError(f"{source} is named twice among the stages")
            if source in ELSEWHERE and not found:
                raise UsageError(
                    f"{source} looks at the winners of an earlier stage, and there is none",
                    hint=f"--stages structure,{source}",
                )
            seen.add(source)
        inside = tuple(one for one in SOURCES if one in own)
        found.append(Stage(inside, tuple(one for one in ELSEWHERE if one in own)))
    if any("clusters" in stage.elsewhere for stage in found[:-1]):
        raise UsageError("clusters must be looked at in the last stage")
    return tuple(found)


def with_inside(nbest: NBest, statistics: NameStatistics, sources: Sequence[str]) -> NBest:
    """The list with features of its names that the sentence alone gives."""
    if len(nbest) < 2 or not sources:
        return nbest
    words = plain(nbest.input)
    adding = Adding(nbest)
    for source in sources:
        of_name = partial(statistics.features, source, words)
        adding.of_names(of_name, near=source == "relations")
    if "structure" in sources:
        adding.of_places(statistics.known_names(words), "known")
    return adding.done()


def with_evidence(nbest: NBest, evidence: Evidence, place: int, source: str) -> NBest:
    """The list with what the winners of other sentences say of its names.

    Parameters
    ----------
    place : of the sentence, or of its document, among the places of the evidence.
    source : of `ELSEWHERE`: a document has few sentences, which are counted; clusters have few
        documents or hundreds, so that shares are what compares.
    """
    if len(nbest) < 2:
        return nbest
    words, adding, label = plain(nbest.input), Adding(nbest), ELSEWHERE[source]
    of_name = evidence.shares if source == "clusters" else evidence.counts

    def features(around: Neighbours) -> list[str]:
        kind, (start, end) = around[1]
        found = of_name(place, joined(words[start:end]), kind)
        return [f"{label} {one}" for one in found]

    adding.of_names(features)
    adding.of_places(evidence.occurrences(place, words), label)
    return adding.done()


TOLD = 5
"""Mentions elsewhere that are told of a name."""


def with_mentions(nbest: NBest, evidence: Evidence, place: int) -> NBest:
    """The list with where, in other sentences, the names are found that not all candidates have."""
    words = plain(nbest.input)
    names: list[set[Chunk]] = [{*decode(candidate.output)} for candidate in nbest.candidates]
    open_ones = set().union(*names) - names[0].intersection(*names)
    texts = sorted({joined(words[name.span.start : name.span.end]) for name in open_ones})
    found = {
        text: [
            {"name": m.text, "type": m.type, "document": s.document, "sentence": s.number,
             "text": s.text}
            for s, m in evidence.mentions(place, text)[:TOLD]
        ]
        for text in texts
        if len(text) > 1
    }  # fmt: skip
    told = dict(nbest.extra.get("elsewhere", {}))
    told |= {text: [*told.get(text, []), *own][:TOLD] for text, own in found.items() if own}
    return replace(nbest, extra={**nbest.extra, "elsewhere": told}) if told else nbest


def with_places(nbest: NBest, scores: Scores, number: int, *, values: bool) -> NBest:
    """The list with the places and scores that the stage of this number gave.

    Parameters
    ----------
    values : whether distances from the highest score are told, which some learners do not take.
    """
    if len(nbest) < 2:
        return nbest
    highest = max(scores)
    candidates = []
    for candidate, score in zip(nbest.candidates, scores, strict=True):
        before = sum(other > score for other in scores)
        found = dict(candidate.features or {})
        found |= {f"stage {number} in first {limit}": 1.0 for limit in PLACES if before < limit}
        if values:
            found[f"stage {number} score"] = score - highest
        candidates.append(replace(candidate, features=found))
    return replace(nbest, candidates=candidates)


class Adding:
    """Features that are being added to the candidates of a list.

    What all candidates share cannot change their order, and is left out.
    """

    def __init__(self, nbest: NBest) -> None:
        self.nbest = nbest
        self.names: list[Names] = [decode(one.output) for one in nbest.candidates]
        self.found = [Counter[str](one.features) for one in nbest.candidates]

    def of_names(
        self, of_name: Callable[[Neighbours], Iterable[str]], *, near: bool = False
    ) -> None:
        """Add the features of every name; `near` are those that depend on the names beside it."""
        around: list[list[Neighbours]] = [
            list(neighbours(own)) if near else [(None, name, None) for name in own]
            for own in self.names
        ]
        shared = set.intersection(*map(set, around))
        known: dict[Neighbours, list[str]] = {}
        for found, own in zip(self.found, around, strict=True):
            for one in own:
                if one in shared:
                    continue
                if one not in known:
                    known[one] = list(of_name(one))
                found.update(known[one])

    def of_places(self, places: Iterable[tuple[int, int, str]], label: str) -> None:
        """Add how candidates treat stretches that are names elsewhere."""
        for place in places:
            results = [overlaps([place], own, label) for own in self.names]
            if all(one == results[0] for one in results):
                continue
            for found, result in zip(self.found, results, strict=True):
                found.update(result)

    def done(self) -> NBest:
        """The list with all that was added."""
        pairs = zip(self.nbest.candidates, self.found, strict=True)
        return replace(self.nbest, candidates=[replace(c, features=dict(f)) for c, f in pairs])


def winner(nbest: NBest, scores: Scores) -> Sequence[str]:
    """The tags that score highest; of equals, the first."""
    if not nbest.candidates:
        return []
    best = max(range(len(nbest)), key=lambda place: (scores[place], -place))
    return nbest.candidates[best].output  # type: ignore[no-any-return]


def margin_of(scores: Scores) -> float:
    """The highest score minus the second; infinite where there is no second."""
    first, *rest = sorted(scores, reverse=True)
    return first - rest[0] if rest else float("inf")


def documents_of(lists: Iterable[NBest], longest: int) -> Iterator[list[NBest]]:
    """The lists of each document, or of parts of it of at most so many; one of none is alone."""
    own: list[NBest] = []
    for nbest in lists:
        joins = own and nbest.document is not None and nbest.document == own[0].document
        if own and not (joins and len(own) < longest):
            yield own
            own = []
        own.append(nbest)
    if own:
        yield own
