"""Named features of the words around a place: which words they are, and how they end.

The same features are made in two ways: by name for one place of a text, and as arrays for all
places of a corpus at once, where words are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.numbering import OUTSIDE, Numbering, Numbers
from runoff.errors import UsageError

REACH = 7
"""How far features look, on either side."""

ENDING = 3
"""How many letters of a word its ending has."""

TEMPLATES = (
    *("w-1", "w+1", "w-2", "w+2", "w-3", "w+3"),
    *("w-2 w-1", "w+1 w+2", "w-1 w+1", "w-3 w-2 w-1", "w+1 w+2 w+3", "w-2 w-1 w+1"),
    *("w-1 w+1 w+2", "e-1", "e+1", "e-2", "e+2", "e-1 e+1", "e-2 e-1", "e+1 e+2"),
    *("w-1 e+1", "e-1 w+1", "e-2 e-1 e+1", "e-1 e+1 e+2", "w-1 e+1 e+2"),
)
"""Words (w) and endings (e) by their distance; a feature has up to three of them."""

NEAR = "near"
"""The feature of a word anywhere within reach."""

ALWAYS = "always"
"""The feature that every place has."""

_BITS = 21  # of a word's number, so that three of them fit into a key
_DIGIT = "0"


def shown(word: str) -> str:
    """A word as features have it: without capitals, every digit the same."""
    lower = word.lower()
    return "".join(_DIGIT if c.isdigit() else c for c in lower) if _has_digit(lower) else lower


def ending(word: str) -> str:
    """The last letters of a shown word."""
    return word[-ENDING:]


def context_features(words: Sequence[str], place: int) -> list[str]:
    """The names of the features of a place; the word that is there is not looked at.

    Examples
    --------
    >>> context_features(["It", "was", "larger", "than", "that"], 3)[:4]
    ['always', 'w-1=larger', 'w+1=that', 'w-2=was']
    """
    start, end = place - REACH, place + REACH + 1
    window = [shown(words[at]) if 0 <= at < len(words) else OUTSIDE for at in range(start, end)]
    parts = {"w": window, "e": [ending(word) for word in window]}
    names = [ALWAYS]
    for template in TEMPLATES:
        values = [parts[atom[0]][REACH + int(atom[1:])] for atom in template.split()]
        names.append(f"{template}={' '.join(values)}")
    del window[REACH]
    near = sorted({word for word in window if word != OUTSIDE})
    return names + [f"{NEAR}={word}" for word in near]


class ContextTable(NamedTuple):
    """The features of many places, as numbers.

    Parameters
    ----------
    ids : features of each place, rising, -1 where there is none; shape (places, columns).
    keys : what each feature is: its template, and the numbers of its words.
    templates : the template of each feature.
    """

    ids: NDArray[np.int32]
    keys: NDArray[np.uint64]
    templates: NDArray[np.uint8]

    def names(self, chosen: NDArray[np.int64], shapes: WordShapes) -> list[str]:
        """The names of some features."""
        labels = [ALWAYS, *TEMPLATES, NEAR]
        named = []
        for key, number in zip(
            self.keys[chosen].tolist(), self.templates[chosen].tolist(), strict=True
        ):
            label = labels[number]
            atoms = ["w"] if label == NEAR else [] if label == ALWAYS else label.split()
            parts = [
                shapes.text(atom[0], key >> (_BITS * i) & ((1 << _BITS) - 1))
                for i, atom in enumerate(atoms)
            ]
            named.append(f"{label}={' '.join(parts)}" if atoms else label)
        return named


class WordShapes:
    """How the words of a vocabulary are shown, and their endings, as numbers; 0 is outside."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._texts: dict[str, list[str]] = {"w": [], "e": []}
        shown_words = [shown(word) for word in vocabulary]
        self.words = self._numbered("w", shown_words)
        self.endings = self._numbered("e", [ending(word) for word in shown_words])

    def text(self, kind: str, number: int) -> str:
        """The word or ending of a number."""
        return self._texts[kind][number]

    def _numbered(self, kind: str, texts: Sequence[str]) -> Numbers:
        numbering = Numbering([OUTSIDE])
        numbers = numbering.numbers(texts)
        self._texts[kind] = list(numbering)
        if len(numbering) >= 1 << _BITS:
            raise UsageError(f"the text has {len(numbering):,} different words, which is too many")
        return numbers


def context_table(
    cells: Numbers, places: Numbers, shapes: WordShapes, min_count: int
) -> ContextTable:
    """The features of places that at least `min_count` places have.

    Parameters
    ----------
    cells : numbers of words, with at least `REACH` zeros on either side of each text.
    places : where features are wanted.
    """
    shifts = np.arange(-REACH, REACH + 1)
    window = cells[places.astype(np.int64)[:, None] + shifts]  # (places, 15)
    parts = {"w": shapes.words[window], "e": shapes.endings[window]}
    columns, keys, templates = [np.zeros((len(places), 1), dtype=np.int32)], [], []
    keys.append(np.zeros(1, dtype=np.uint64))
    templates.append(np.zeros(1, dtype=np.uint8))
    size = 1
    for number, template in enumerate((*TEMPLATES, NEAR), start=1):
        if template == NEAR:
            found = np.delete(parts["w"], REACH, axis=1).astype(np.uint64)
            outside = found == 0
        else:
            found = np.zeros((len(places), 1), dtype=np.uint64)
            for i, atom in enumerate(template.split()):
                values = parts[atom[0]][:, REACH + int(atom[1:])].astype(np.uint64)
                found[:, 0] |= values << np.uint64(_BITS * i)
            outside = np.zeros(found.shape, dtype=np.bool_)
        ids, kept = _frequent(found, outside, min_count)
        columns.append(np.where(ids < 0, -1, ids + size).astype(np.int32))
        keys.append(kept)
        templates.append(np.full(len(kept), number, dtype=np.uint8))
        size += len(kept)
    return ContextTable(
        np.concatenate(columns, axis=1), np.concatenate(keys), np.concatenate(templates)
    )


def _frequent(
    found: NDArray[np.uint64], outside: NDArray[np.bool_], min_count: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Numbers for keys that enough rows have, rising in each row, -1 for others and repeats."""
    ordered = np.sort(found, axis=1)
    missing = np.take_along_axis(outside, np.argsort(found, axis=1, kind="stable"), axis=1)
    missing[:, 1:] |= ordered[:, 1:] == ordered[:, :-1]
    values, inverse = np.unique(ordered, return_inverse=True)
    inverse = inverse.reshape(ordered.shape)
    counts = np.bincount(inverse[~missing], minlength=len(values))
    kept = counts >= min_count
    numbers = np.where(kept, np.cumsum(kept) - 1, -1)
    return np.where(missing, -1, numbers[inverse]), values[kept]


def _has_digit(word: str) -> bool:
    return any(c.isdigit() for c in word)
