"""Forms of words, which taggers look at: the word itself, its ends, its shape, what it may be.

A form is a string. Native code sees numbers instead: those of a table of the strings that some
feature knows. So what is a letter or a capital is Python's business alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from runoff.data.text.words import squeezed
from runoff.learners.clusters import WordClusters

NOTHING, OUTSIDE = 0, 1
"""Numbers that are no string: what is not known or not there, and what lies outside sentences."""

FORMS = (
    "word",
    "lower",
    "prefix1",
    "prefix2",
    "prefix3",
    "prefix4",
    "suffix1",
    "suffix2",
    "suffix3",
    "suffix4",
    "suffix5",
    "shape",
    "pattern",
    "marks",
    "class",
    "cluster",
    "cluster4",
    "cluster6",
    "cluster8",
)
"""Names of the forms, in their order; `cluster4` is the beginning of a path, see
`runoff.learners.clusters`."""

LONGEST = 64
"""Characters of a word that are looked at; a longer one loses its middle."""

CACHE = 1 << 18
"""Words whose forms are remembered."""


def word_forms(word: str, word_class: str = "", path: str = "") -> tuple[str, ...]:
    """The forms of a word, as strings; an empty one is not there.

    Parameters
    ----------
    path : of the word in a tree of clusters.

    Examples
    --------
    >>> dict(zip(FORMS, word_forms("Il-10s", "NN"), strict=True))["suffix3"]
    '10s'
    >>> word_forms("Il-10s")[11:14]
    ('Xx-ddx', 'Xx-dx', 'capital digit hyphen')
    """
    word = shortened(word)
    lower = word.lower()
    size = len(lower)
    shape = "".join(map(_kind, word))
    return (
        word,
        lower,
        *(lower[:n] if size > n else "" for n in (1, 2, 3, 4)),
        *(lower[-n:] if size > n else "" for n in (1, 2, 3, 4, 5)),
        shape if size <= 12 else "",
        squeezed(shape),
        _marks(word),
        word_class,
        path,
        *(path[:n] for n in (4, 6, 8)),
    )


def shortened(word: str) -> str:
    """The word as it is looked at.

    Examples
    --------
    >>> shortened("vote"), len(shortened("a" * 1000))
    ('vote', 64)
    """
    return word if len(word) <= LONGEST else word[: LONGEST // 2] + word[-LONGEST // 2 :]


def _kind(character: str) -> str:
    """Whether a character is a capital, another letter, a digit, or itself."""
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return "d" if character.isdigit() else character


def _marks(word: str) -> str:
    """The marks of a word: what stands out in its spelling."""
    found = []
    if word[:1].isupper():
        found.append("capitals" if len(word) > 1 and word.isupper() else "capital")
    elif any(map(str.isupper, word)):
        found.append("inner capital")
    if any(map(str.isdigit, word)):
        found.append("digit")
    if "-" in word:
        found.append("hyphen")
    return " ".join(found)


class Entry(NamedTuple):
    """The entry of a word in a dictionary: the set of its tags, and whether it has no others."""

    set: int
    closed: bool


Key = TypeVar("Key", bound=Hashable)
Seen: TypeAlias = tuple[tuple[str, ...], int]
"""Forms, and the number of the set of tags."""


class FormTable(Generic[Key]):
    """Words, or what else has forms, as rows of numbers, made when one is first seen.

    Parameters
    ----------
    look : what is seen of a word.
    strings : numbers of the strings that are known.
    grow : give new strings a number, as when learning.
    """

    def __init__(
        self, look: Callable[[Key], Seen], strings: dict[str, int], *, grow: bool = False
    ) -> None:
        self._look, self.strings, self._grow = look, strings, grow
        self._lock = Lock()
        self._clear()

    def _clear(self) -> None:
        self._rows: dict[Key, int] = {}
        self._forms = np.full((1024, len(FORMS)), OUTSIDE, dtype=np.uint32)
        self._sets = np.zeros(1024, dtype=np.uint32)

    def sentences(self, sentences: Iterable[Sequence[Key]]) -> dict[str, NDArray[Any]]:
        """The sentences as native code takes them."""
        with self._lock:
            return self._sentences(sentences)

    def _sentences(self, sentences: Iterable[Sequence[Key]]) -> dict[str, NDArray[Any]]:
        if len(self._rows) > CACHE and not self._grow:
            self._clear()
        rows, words, ends = self._rows, list[int](), [0]
        for sentence in sentences:
            for word in sentence:
                row = rows.get(word)
                words.append(self._add(word) if row is None else row)
            ends.append(len(words))
        size = len(rows) + 1
        return {
            "forms": self._forms[:size].reshape(-1),
            "sets": self._sets[:size],
            "words": np.array(words, dtype=np.uint32),
            "offsets": np.array(ends, dtype=np.int64),
        }

    def _add(self, key: Key) -> int:
        row = self._rows[key] = len(self._rows) + 1
        if row == len(self._forms):
            self._forms = np.concatenate([self._forms, self._forms])
            self._sets = np.concatenate([self._sets, self._sets])
        known = self.strings
        forms, self._sets[row] = self._look(key)
        if self._grow:
            for form in forms:
                if form:
                    known.setdefault(form, len(known) + 2)
        self._forms[row] = [known.get(form, NOTHING) for form in forms]
        return row


def look_up(
    dictionary: Mapping[str, Entry],
    classes: Sequence[str],
    clusters: WordClusters | None,
    word: str,
) -> Seen:
    """The forms of a word, and its set.

    Parameters
    ----------
    dictionary : what is known of words; closed ones have their set of tags, all others set 0.
    classes : what the words of every set are called.
    """
    entry = dictionary.get(shortened(word))
    path = clusters.path(word) if clusters else ""
    forms = word_forms(word, classes[entry.set] if entry else "", path)
    return forms, entry.set if entry and entry.closed else 0


def look_at(clusters: WordClusters | None, token: tuple[str, str]) -> Seen:
    """The forms of a word with a class, such as its part of speech, or ""; all have one set."""
    word, word_class = token
    return word_forms(word, word_class, clusters.path(word) if clusters else ""), 0
