"""Words and their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.data.text.words import read_word_chunks
from runoff.errors import ModelError

Numbers = NDArray[np.uint32]

OUTSIDE = ""
"""What stands where there is no word: before the first and behind the last. Its number is 0."""

UNKNOWN = 0xFFFFFFFF
"""The number of a word that is not in a vocabulary; nothing else has it."""


class GrowingVocabulary(dict[str, int]):
    """Numbers for words, in the order in which they are first asked for.

    Examples
    --------
    >>> growing = GrowingVocabulary()
    >>> growing.numbers(["to", "be", "or", "not", "to", "be"]).tolist()
    [1, 2, 3, 4, 1, 2]
    """

    def __init__(self) -> None:
        super().__init__({OUTSIDE: 0})

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def numbers(self, words: Sequence[str]) -> Numbers:
        """The numbers of words; new words get new ones."""
        return np.fromiter(map(self.__getitem__, words), dtype=np.uint32, count=len(words))

    def words(self) -> Vocabulary:
        """The vocabulary as it is now."""
        return Vocabulary.of(self)


class Vocabulary:
    """Words by number, and numbers by word; nothing is decoded before it is needed.

    Parameters
    ----------
    text : the words as UTF-8, end to end.
    ends : where each ends.

    Examples
    --------
    >>> vocabulary = Vocabulary.of(["", "to", "be"])
    >>> vocabulary.numbers(["be", "bee", "to"]).tolist(), vocabulary[1], len(vocabulary)
    ([2, 4294967295, 1], 'to', 3)
    """

    def __init__(self, text: NDArray[np.uint8], ends: NDArray[np.uint32]) -> None:
        self.text, self.ends = (
            np.asarray(text),
            np.asarray(ends),
        )  # arrays of files are slow to index

    @classmethod
    def of(cls, words: Iterable[str]) -> Vocabulary:
        """The vocabulary of words that are in the order of their numbers."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends.astype(np.uint32))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise ModelError("the model names a word that it does not have")
        start = int(self.ends[number - 1]) if number else 0
        return self.text[start : int(self.ends[number])].tobytes().decode("utf-8", "surrogatepass")

    def words(self) -> list[str]:
        """The words, in the order of their numbers."""
        blob, ends = self.text.tobytes(), self.ends.tolist()
        starts = [0, *ends][:-1]
        return [
            blob[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, ends, strict=True)
        ]

    @cached_property
    def numbered(self) -> dict[str, int]:
        """The numbers of all words."""
        return {word: number for number, word in enumerate(self.words())}

    def numbers(self, words: Sequence[str]) -> Numbers:
        """The numbers of words; `UNKNOWN` for those that are not here."""
        known = self.numbered
        return np.fromiter(
            (known.get(word, UNKNOWN) for word in words), dtype=np.uint32, count=len(words)
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The vocabulary for a model file."""
        return {"words": self.text, "word ends": self.ends}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Vocabulary:
        """The vocabulary that a model file holds; its words are decoded when they are needed."""
        text, ends = arrays.get("words"), arrays.get("word ends")
        if (
            text is None
            or ends is None
            or text.dtype != np.uint8
            or ends.dtype != np.uint32
            or text.ndim != 1
            or ends.ndim != 1
            or not len(ends)
            or ends[-1] != len(text)
        ):
            raise ModelError("the words are missing or broken")
        return cls(text, ends)


def read_numbers(path: FilePath, growing: GrowingVocabulary, *, tokenized: bool = False) -> Numbers:
    """The words of a file as numbers; new words get new ones."""
    chunks = [growing.numbers(words) for words in read_word_chunks(path, tokenized=tokenized)]
    return np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.uint32)
