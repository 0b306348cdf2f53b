"""Clusters of words that occur in similar contexts, learned from plain text.

Every word has a class, and the classes make the text as probable as can be: P(v | w) is the
probability of v's class after w's, times that of v in its class (Brown et al. 1992, section 3).
Words move, one after the other, to the class that is best for the text, until few still do: the
exchange algorithm (Kneser & Ney 1993; Martin, Liermann & Ney 1998, section 3). The classes are then
merged, always the two that cost least. That makes a binary tree; the way from its root to a word's
class, written with 0 and 1, is the word's path. Beginnings of paths are coarser clusters (Miller,
Guinness & Zamanian 2004, section 2).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import Numbering
from runoff.errors import ModelError, UsageError
from runoff.fitting.run import ALONE, Run, State
from runoff.store.arrays import prefixed, take, without_prefix
from runoff.store.file import Arrays
from runoff.store.strings import pack_lines, take_lines

BOUNDARY, RARE = 0, 1
"""Numbers of what stands between sentences, and of all words that are too rare; both are fixed."""

FIXED = 2

MOST_CLASSES = 4096
"""More would take hours to merge."""

FEW = 0.002
"""Sweeps end when they move fewer words than this share: what they still gain shows nowhere."""

EVERY = 1 << 16
"""Sentences between two reports of progress."""

_INSIDE = "clusters."

_PLAIN = {
    **{"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"},
    **{"-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"},
}
_DIGIT = re.compile(r"\d")


def folded(word: str) -> str:
    """The word as clusters store it: all digits are one, treebank escapes become plain text.

    Examples
    --------
    >>> [folded(word) for word in ("1,234", "B-52s", "``", "-LRB-")]
    ['0,000', 'B-00s', '"', '(']
    """
    return _PLAIN.get(word) or _DIGIT.sub("0", word)


@dataclass(frozen=True)
class WordClusters:
    """Words and their paths.

    Parameters
    ----------
    clusters : the words of every path, in the order of paths.
    tokens : of the text that they were learned from.

    Examples
    --------
    >>> text = ["the vote was close", "a vote is close", "the race was close", "a race is long"]
    >>> clusters = learn_clusters(map(str.split, 9 * text), classes=4)
    >>> clusters.path("vote") == clusters.path("Race"), clusters.path("mouse")
    (True, '')
    """

    clusters: dict[str, list[str]]
    tokens: int

    @cached_property
    def paths(self) -> dict[str, str]:
        """The path of every word, by the word as it is folded."""
        return {word: path for path, words in self.clusters.items() for word in words}

    def path(self, word: str) -> str:
        """The path of a word, or of the word in lower case; empty for one that is not known."""
        word = folded(word)
        return self.paths.get(word) or self.paths.get(word.lower(), "")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Words and paths, for a model file."""
        words = [word for own in self.clusters.values() for word in own]
        return {
            "words": pack_lines(words),
            "paths": pack_lines(self.clusters),
            "sizes": np.array(list(map(len, self.clusters.values())), dtype=np.uint32),
            "tokens": np.array([self.tokens], dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """The clusters that a file holds, checked.

        Raises
        ------
        ModelError : they are missing or broken.
        """
        words, paths = take_lines(arrays, "words"), take_lines(arrays, "paths")
        sizes = take(arrays, "sizes", np.uint32, (len(paths),))
        tokens = take(arrays, "tokens", np.int64, (1,))
        if (
            sizes.sum(dtype=np.int64) != len(words)
            or len(set(words)) < len(words)
            or len(set(paths)) < len(paths)
            or any(set(path) - {"0", "1"} for path in paths)
        ):
            raise ModelError("words, paths and sizes of clusters do not fit together")
        rest = iter(words)
        own = zip(paths, sizes.tolist(), strict=True)
        return cls({path: list(islice(rest, size)) for path, size in own}, int(tokens[0]))


def stored_clusters(clusters: WordClusters | None) -> dict[str, NDArray[Any]]:
    """Arrays of clusters inside the file of a model, which need not have any."""
    return {} if clusters is None else prefixed(_INSIDE, clusters.arrays())


def restored_clusters(arrays: Arrays) -> WordClusters | None:
    """The clusters inside the file of a model, checked; None if it has none."""
    own = without_prefix(_INSIDE, arrays)
    return WordClusters.from_arrays(own) if own else None


def learn_clusters(
    sentences: Iterable[Sequence[str]],
    *,
    classes: int = 512,
    min_count: int = 3,
    sweeps: int = 20,
    run: Run = ALONE,
) -> WordClusters:
    """The clusters of the words of sentences.

    Time is that of the different neighbours of words, times that of classes, a sweep; the tree
    takes time that is cubic in the classes.

    Parameters
    ----------
    classes : at the leaves of the tree, at most.
    min_count : words that are seen less often have no cluster; they are one word to their
        neighbours.
    sweeps : at most; in each, all words look for a better class.
    """
    for name, value in (("classes", classes), ("min_count", min_count), ("sweeps", sweeps)):
        if value < 1:
            raise UsageError(f"{name} must be at least 1, not {value}")
    if classes > MOST_CLASSES:
        raise UsageError(f"classes must be at most {MOST_CLASSES:,}, not {classes:,}")
    text = _Text.of(sentences, min_count, run)
    if not text.words:
        raise UsageError(f"no word of the text is seen at least {min_count} times")
    native = _exchanged(text, min(classes, len(text.words)), sweeps, run)
    run.report("tree of clusters", 0, 1)
    own = native.classes()[FIXED:].tolist()
    paths = tree_paths(*native.merge()) or {own[0]: "0"}
    run.report("tree of clusters", 1, 1)
    clusters: dict[str, list[str]] = {path: [] for path in sorted(paths.values())}
    for word, number in zip(text.words, own, strict=True):
        clusters[paths[number]].append(word)
    return WordClusters(clusters, text.tokens)


def tree_paths(into: NDArray[np.uint32], merged: NDArray[np.uint32]) -> dict[int, str]:
    """The paths of classes in the tree that merges make: each class of `merged` became part of the
    one of `into`, in order.

    Examples
    --------
    >>> tree_paths(np.array([2, 4, 2], dtype=np.uint32), np.array([3, 5, 4], dtype=np.uint32))
    {2: '00', 4: '10', 5: '11', 3: '01'}
    """
    paths: dict[int, str] = {}
    for stays, goes in zip(into[::-1].tolist(), merged[::-1].tolist(), strict=True):
        above = paths.get(stays, "")
        paths[stays], paths[goes] = above + "0", above + "1"
    return paths


class _Text(NamedTuple):
    """A text as numbers: `words[0]`, the most frequent one, has number 2."""

    numbers: NDArray[np.uint32]
    words: list[str]
    tokens: int

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], min_count: int, run: Run) -> Self:
        seen = Numbering()
        read = array("I")
        for number in _numbers(sentences, seen, run):
            read.append(number)
        numbers = np.frombuffer(read, dtype=np.uint32)
        counts = np.bincount(numbers, minlength=len(seen) + 1).tolist()
        kept = [w for w, i in seen.items() if counts[i + 1] >= min_count and w.split() == [w]]
        kept.sort(key=lambda word: (-counts[seen[word] + 1], word))
        new = np.full(len(seen) + 1, RARE, dtype=np.uint32)
        new[0] = BOUNDARY
        for number, word in enumerate(kept, FIXED):
            new[seen[word] + 1] = number
        return cls(new[numbers], kept, len(numbers) - counts[0] if counts else 0)


def _numbers(sentences: Iterable[Sequence[str]], seen: Numbering, run: Run) -> Iterator[int]:
    """Numbers of words, from 1 in the order in which they are first seen; 0 before sentences."""
    for done, sentence in enumerate(sentences):
        if done % EVERY == 0:
            run.report("sentences for clusters", done, None)
        yield 0
        for word in sentence:
            yield seen[folded(word)] + 1


def _exchanged(text: _Text, n_classes: int, sweeps: int, run: Run) -> _native.WordClasses:
    """The words in classes; the most frequent ones begin alone, the others in the last class."""
    last, few = FIXED + n_classes - 1, FEW * len(text.words)
    begin = np.minimum(np.arange(FIXED + len(text.words)), last).astype(np.uint32)
    saved = run.saved() or _state(begin, 0)()
    native = _native.WordClasses(text.numbers, np.array(saved["classes"]), FIXED, n_classes)
    first = int(saved["sweeps"][0])
    for sweep in range(first, sweeps):
        bits = -native.log_likelihood() / len(text.numbers)
        run.report("classes of words", sweep, sweeps, bits=bits)
        moved = native.sweep()
        run.keep(_state(native.classes(), sweep + 1 if moved >= few else sweeps))
        if moved < few:
            break
    run.report("classes of words", sweeps, sweeps)
    return native


def _state(classes: NDArray[np.uint32], sweeps: int) -> State:
    return lambda: {"classes": classes, "sweeps": np.array([sweeps])}
