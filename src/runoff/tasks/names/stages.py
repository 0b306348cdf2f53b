"""The stages of rankers of names: what each writes into the candidates.

The first looks at each sentence alone, the second also at the first one's winners in the other
sentences of the document (Ji, Rudin & Grishman 2006, section 4.2). What they see is written into
the candidates as their features, so that a list says all that a ranker learns from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from runoff.data.nbest import NBest
from runoff.data.schemes import Chunk, decode
from runoff.features.names.coreference import Evidence
from runoff.features.names.structure import NameStatistics, overlaps
from runoff.tasks.ranking.reranker import Reranker

STAGES = ("structure", "coreference")
"""In this order."""

Known = Iterable[tuple[int, int, str]]


def with_structure(nbest: NBest, statistics: NameStatistics) -> NBest:
    """The list with the structure of its names as features of its candidates."""
    words = nbest.input
    known = statistics.known_names(words)
    return _with_features(nbest, lambda name: statistics.features(words, name), known, "known")


def with_coreference(document: Sequence[NBest], winners: Sequence[Sequence[str]]) -> list[NBest]:
    """The lists of a document with what the winners of other sentences say, added to features.

    Parameters
    ----------
    winners : tags of the current winner of each sentence.
    """
    evidence = Evidence([one.input for one in document], [decode(tags) for tags in winners])
    found = []
    for place, nbest in enumerate(document):

        def features(name: Chunk, place: int = place, words: list[str] = nbest.input) -> list[str]:
            return [f"document {one}" for one in evidence.features(place, words, name)]

        known = evidence.occurrences(place, nbest.input)
        found.append(_with_features(nbest, features, known, "document"))
    return found


def second_stage(lists: Iterable[NBest], first: Reranker) -> Iterator[NBest]:
    """The lists with the evidence of coreference; the first stage's ranker picks the winners.

    Neighbours with the same document belong together; a list without one is alone.
    """
    for document in by_document(lists):
        kept = [nbest for nbest in document if nbest.input]
        picked = iter(first.rerank(kept))
        winners = [next(picked).candidates[0].output if one.input else [] for one in document]
        yield from with_coreference(document, winners)


def by_document(lists: Iterable[NBest]) -> Iterator[list[NBest]]:
    """The lists of each document; one that belongs to none is alone."""
    for document, own in groupby(lists, lambda nbest: nbest.document):
        if document is None:
            yield from ([nbest] for nbest in own)
        else:
            yield list(own)


def _with_features(
    nbest: NBest, of_name: Callable[[Chunk], list[str]], known: Known, label: str
) -> NBest:
    """The list with features of names, summed over each candidate's, and of known names."""
    places, names = list(known), dict[Chunk, list[str]]()
    candidates = []
    for candidate in nbest.candidates:
        own = decode(candidate.output)
        found = Counter(candidate.features)
        for name in own:
            if name not in names:
                names[name] = of_name(name)
            found.update(names[name])
        found.update(overlaps(places, own, label))
        candidates.append(replace(candidate, features=dict(found)))
    return replace(nbest, candidates=candidates)
