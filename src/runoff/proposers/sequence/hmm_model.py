"""What a hidden Markov model of names has learned: words, types of names, and counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.schemes import OUTSIDE
from runoff.data.text.words import squeezed
from runoff.errors import ModelError
from runoff.proposers.sequence.hmm_counts import Counts, Numbers
from runoff.proposers.sequence.word_forms import shortened
from runoff.store.arrays import pack_numbers, take_numbers
from runoff.store.file import Arrays, checking
from runoff.store.strings import pack_strings, take_strings

OTHER = "other"
"""The kind of words whose kind was never seen."""

LONGEST_HAN = 4
LONGEST_KIND = 6


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """The word as it is looked up: full- and half-width forms are the same.

    Examples
    --------
    >>> plain("１９９８年"), plain("Ａ")
    ('1998年', 'A')
    """
    return unicodedata.normalize("NFKC", shortened(word)) or word


def kind_of(word: str) -> str:
    """The kind of a word: the classes of its characters; of Chinese ones, also how many.

    Examples
    --------
    >>> kind_of("北京"), kind_of("Beijing"), kind_of("1998年"), kind_of("U.N.")
    ('hh', 'Xx', 'dh', 'X.X.')
    """
    shape = "".join(map(_class, word))
    if set(shape) == {"h"}:
        return shape[:LONGEST_HAN]
    return squeezed(shape)[:LONGEST_KIND]


def _class(character: str) -> str:
    """Whether a character is Chinese, a digit, a capital, another letter, or a mark."""
    if "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf":
        return "h"
    if character.isdigit():
        return "d"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character if character in ".-," else "."


class Vocabulary:
    """The words of a corpus, and the kinds of words; tokens are first kinds, then words.

    Parameters
    ----------
    kinds : those of words that were never seen; the first is for kinds that were not, either.
    words : as `plain` has them.
    """

    def __init__(self, kinds: Iterable[str], words: Iterable[str]) -> None:
        self.kinds, self.words = tuple(kinds), tuple(words)
        self._kinds = {kind: i for i, kind in enumerate(self.kinds)}
        self._words = {word: i for i, word in enumerate(self.words, len(self.kinds))}

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """The vocabulary of the words of a corpus."""
        own = sorted(set(map(plain, words)))
        return cls([OTHER, *sorted(set(map(kind_of, own)) - {OTHER})], own)

    def __len__(self) -> int:
        return len(self.kinds) + len(self.words)

    @cached_property
    def kind_numbers(self) -> Numbers:
        """For each token its kind, as the token of unknown words of that kind."""
        own = [self._kinds.get(kind_of(word), 0) for word in self.words]
        return np.array([*range(len(self.kinds)), *own], dtype=np.int64)

    def tokens(self, words: Iterable[str]) -> Numbers:
        """The tokens of words."""
        return np.fromiter(map(self._token, words), dtype=np.int64)

    def _token(self, word: str) -> int:
        looked_up = plain(word)
        found = self._words.get(looked_up)
        return self._kinds.get(kind_of(looked_up), 0) if found is None else found


@dataclass(eq=False)
class HmmModel:
    """Everything that tagging needs.

    Parameters
    ----------
    types : of names.
    counts : of what was seen in training.
    """

    order: int
    types: tuple[str, ...]
    vocabulary: Vocabulary
    counts: Counts

    def __reduce__(self) -> tuple[object, ...]:  # for other processes: native code stays at home
        return HmmModel.from_arrays, (self.arrays(), self.order)

    @cached_property
    def native(self) -> _native.Hmm:
        """The model in native code, which checks it."""
        return _native.Hmm(
            len(self.types) + 1,
            self.order,
            self.vocabulary.kind_numbers.astype(np.uint32),
            len(self.vocabulary.kinds),
            **self.counts._asdict(),
        )

    @cached_property
    def tags(self) -> list[str]:
        """The tags, by number."""
        named = [f"-{one}" if one else "" for one in self.types]
        return [OUTSIDE, *(first + name for name in named for first in "BI")]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model for a file."""
        counts, own = self.counts, self.vocabulary
        return {
            **pack_strings("types", self.types),
            **pack_strings("kinds", own.kinds),
            **pack_strings("words", own.words),
            "parents": pack_numbers(np.diff(counts.parents.astype(np.int64), prepend=0)),
            "symbols": pack_numbers(counts.symbols),
            "event nodes": pack_numbers(np.diff(counts.event_nodes.astype(np.int64), prepend=0)),
            "event symbols": pack_numbers(counts.event_symbols),
            "event counts": pack_numbers(counts.event_counts),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, order: int) -> Self:
        """The model that a file holds, checked."""
        with checking():
            types, kinds, words = (
                tuple(take_strings(arrays, name)) for name in ("types", "kinds", "words")
            )
            for own in (types, kinds, words):
                if len(set(own)) < len(own):
                    raise ModelError("a type, a kind or a word comes twice")
            if not kinds:
                raise ModelError("there is no kind of words")
            parents = np.cumsum(take_numbers(arrays, "parents"))
            nodes = np.cumsum(take_numbers(arrays, "event nodes"))
            events = [
                take_numbers(arrays, name, len(nodes)) for name in ("event symbols", "event counts")
            ]
            symbols = take_numbers(arrays, "symbols", len(parents))
            total = len(parents) + len(types) + 2
            if max(parents.max(initial=0), nodes.max(initial=0)) >= total:
                raise ModelError(f"a history has a number that is not below {total}")
            columns = (parents, symbols, nodes, *events)
            counts = Counts(*(column.astype(np.uint32) for column in columns))
            model = cls(order, types, Vocabulary(kinds, words), counts)
            _ = model.native
        return model
