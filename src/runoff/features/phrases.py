"""A feature set for taggings that mark phrases: what a tagger that looks at neighbours cannot see.

Whole phrases with their words and tags, runs of phrases with what begins and ends them. The input
of a list are words, or pairs of a word and its part of speech; outputs are tags in any scheme of
`runoff.data.schemes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from runoff.data import schemes
from runoff.data.flat_tree import Span
from runoff.data.nbest import NBest
from runoff.data.schemes import OUTSIDE, Phrase
from runoff.features.extract import whole_list
from runoff.features.tagged_input import tags_of, words_and_tags

LONGEST = 6
"""Words of a phrase that is named as a whole; a longer one loses its middle."""

CLOSED = frozenset("CONJP INTJ LST O PP PRT SBAR".split())
"""Phrases that are known by their words rather than by their kind alone."""

EDGE = Phrase("<edge>", Span(0, 0))

Window = tuple[Phrase, Phrase, Phrase, Phrase]
"""A phrase with the one before it and the two behind it."""


@whole_list
def phrases(nbest: NBest) -> list[dict[str, float]]:
    """Features of every candidate's phrases; those that all candidates share are left out.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> words = [["we", "PRP"], ["voted", "VBD"], ["twice", "RB"]]
    >>> candidates = [Candidate(["B-NP", "B-VP", "B-ADVP"]), Candidate(["B-NP", "B-VP", "I-VP"])]
    >>> first, second = phrases(NBest(1, words, candidates))
    >>> first["types: NP VP ADVP"], second["words: VP voted twice"]
    (1, 1)
    """
    given, tags = words_and_tags(nbest.input)
    words = [word.lower() for word in given]
    outputs = [tags_of(candidate.output, len(words)) for candidate in nbest.candidates]
    taggings = [schemes.phrases(output) for output in outputs]
    windows = [list(phrase_windows(tagging)) for tagging in taggings]
    shared = set.intersection(*map(set, windows)) if windows else set()
    known: dict[Window, list[str]] = {}
    features: list[dict[str, float]] = []
    for own in windows:
        found = Counter[str]()
        for window in own:
            if window not in shared:
                if window not in known:
                    known[window] = list(phrase_names(window, words, tags))
                found.update(known[window])
        features.append(dict(found))
    return features


def phrase_windows(tagging: Sequence[Phrase]) -> Iterator[Window]:
    """Every phrase of a tagging with its neighbours."""
    padded = [EDGE, *tagging, EDGE, EDGE]
    return zip(padded, padded[1:], padded[2:], padded[3:], strict=False)


def phrase_names(window: Window, words: Sequence[str], tags: Sequence[str]) -> Iterator[str]:
    """The features of a phrase and its neighbours."""
    before, own, behind, later = window
    kind, (start, end) = own
    types = " ".join(phrase.type for phrase in (own, behind, later))
    yield f"types: {types}"
    yield f"types: {before.type} {types}"
    yield f"type: {kind}"
    lexical = [_lexical(phrase, words) for phrase in window]
    first, last = ([_end(one, words, tags, place) for one in window] for place in (0, -1))
    own_tags = _joined(tags[start:end])
    size = min(end - start, LONGEST + 1)
    yield f"length: {kind} {size}"
    yield f"words: {kind} {_joined(words[start:end])}"
    yield f"tags: {kind} {own_tags}"
    yield f"tags: {before.type} {last[0][1]} {kind} {own_tags} {behind.type} {first[2][1]}"
    yield f"first: {kind} {words[start]}"
    yield f"last: {kind} {words[end - 1]}"
    yield f"first and last: {kind} {words[start]} {tags[end - 1]}"
    yield f"closed: {' '.join(lexical[1:3])}"
    yield f"closed: {' '.join(lexical[1:])}"
    yield f"closed: {' '.join(lexical)}"
    yield f"last words: {before.type} {last[0][0]} {kind} {last[1][0]}"
    yield f"last tags: {before.type} {last[0][1]} {kind} {last[1][1]} {behind.type} {last[2][1]}"
    yield f"before: {last[0][0]} {kind} {words[start]}"
    yield f"behind: {words[end - 1]} {kind} {first[2][0]}"
    yield f"around: {last[0][1]} {kind} {first[2][1]}"
    yield f"around: {last[0][0]} {kind} {tags[start]} {tags[end - 1]} {first[2][0]}"
    yield f"next two: {lexical[1]} {behind.type} {last[2][1]} {later.type} {first[3][1]}"


def _lexical(phrase: Phrase, words: Sequence[str]) -> str:
    """The phrase's type, with its words where those are what it is known by."""
    kind, (start, end) = phrase
    if phrase == EDGE or (kind not in CLOSED and kind != OUTSIDE):
        return kind
    return f"{kind}/{_joined(words[start:end])}"


def _end(phrase: Phrase, words: Sequence[str], tags: Sequence[str], place: int) -> tuple[str, str]:
    """The first or last word of a phrase and its tag."""
    start, end = phrase.span
    if start == end:
        return phrase.type, phrase.type
    return words[start:end][place], tags[start:end][place]


def _joined(parts: Sequence[str]) -> str:
    if len(parts) <= LONGEST:
        return " ".join(parts)
    return " ".join([*parts[: LONGEST // 2], "...", *parts[-LONGEST // 2 :]])
