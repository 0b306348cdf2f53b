r"""ARPA files: n-gram models as text, which every toolkit reads and writes.

    \data\
    ngram 1=4

    \1-grams:
    -0.9030899	votes	-0.30103

    \end\

Weights are logarithms to the base 10, fields are separated by tabs, and a missing backoff is 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from runoff.data.files import FilePath, open_input, read_text_lines, write_pieces
from runoff.data.numbering import Numbering
from runoff.errors import FormatError, ModelError
from runoff.ngrams.model import MAX_ORDER, SPECIAL, NgramModel
from runoff.ngrams.trie import Grams, sorted_orders
from runoff.store.strings import StringTable

LONGEST_LINE = 1 << 20
MARK = "\\data\\"
UNSEEN = -100.0
"""The weight of the unknown word where a file has none."""

_SIZE = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)")
_PIECE = 4096


def is_arpa(path: FilePath) -> bool:
    """Whether a file, plain or gzip, begins as ARPA files do; text may precede the mark."""
    try:
        with open_input(path) as stream:
            head = stream.read(1 << 12)
    except FormatError:
        return False
    return b"\\data\\" in head.splitlines()


def read_arpa(path: FilePath) -> NgramModel:
    """The model of an ARPA file, plain or gzip.

    Raises
    ------
    FormatError : with file and line: orders or n-grams are missing, a weight is no number, an
        n-gram has the wrong number of words or a word that is no unigram.
    """
    lines = _Lines(path)
    sizes = lines.sizes()
    numbering = Numbering(SPECIAL)
    levels = [lines.section(n, size, numbering) for n, size in enumerate(sizes, 1)]
    if lines.next() != "\\end\\":
        raise lines.error("expected \\end\\")
    levels[0] = _unigrams(levels[0], numbering, path)
    try:
        orders = sorted_orders(levels)
    except FormatError as error:
        raise FormatError(error.problem, path=path) from None
    return NgramModel(StringTable.of(numbering), orders)


def _unigrams(found: Grams, numbering: Numbering, path: FilePath) -> Grams:
    """The unigrams in the order of their numbers; the unknown word may be missing."""
    numbers = found.words[:, 0]
    if len(np.unique(numbers)) < len(numbers):
        raise FormatError("a 1-gram is there twice", path=path)
    for word in SPECIAL[1:]:
        if numbering[word] not in numbers:
            raise FormatError(f"there is no 1-gram {word}", path=path)
    weights = np.full((2, len(numbering)), 0, np.float32)
    weights[0] = UNSEEN
    weights[:, numbers] = found.probabilities, found.backoffs
    return Grams(np.arange(len(numbering), dtype=np.uint32)[:, None], *weights)


class _Entry(NamedTuple):
    probability: float
    words: list[int]
    backoff: float


class _Lines:
    """The lines of a file that are not empty, and where we are."""

    def __init__(self, path: FilePath) -> None:
        self.path, self.line = path, 0
        self._lines = read_text_lines(path, LONGEST_LINE)
        self._kept: str | None = None

    def error(self, problem: str) -> FormatError:
        return FormatError(problem, path=self.path, line=self.line)

    def next(self) -> str:
        """The next line that is not empty."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        for number, text in self._lines:
            self.line = number
            if stripped := text.strip(" \t\r"):
                return stripped
        raise self.error("the file ends before \\end\\")

    def sizes(self) -> list[int]:
        """How many n-grams of each order the head of the file announces."""
        while self.next() != MARK:
            pass
        sizes: list[int] = []
        while found := _SIZE.fullmatch(line := self.next()):
            if int(found[1]) != len(sizes) + 1:
                raise self.error(f"expected the number of {len(sizes) + 1}-grams")
            sizes.append(int(found[2]))
        self._kept = line
        if not sizes:
            raise self.error("expected e.g. ngram 1=2000")
        if len(sizes) > MAX_ORDER:
            raise self.error(f"n-grams have at most {MAX_ORDER} words, not {len(sizes)}")
        return sizes

    def section(self, n: int, size: int, numbering: Numbering) -> Grams:
        """The n-grams of an order; unigrams are numbered, others must have known words."""
        if self.next() != f"\\{n}-grams:":
            raise self.error(f"expected \\{n}-grams:")
        known = numbering if n == 1 else dict(numbering)
        probabilities: list[float] = []
        backoffs: list[float] = []
        words: list[int] = []
        while not (line := self.next()).startswith("\\"):
            if len(probabilities) == size:
                raise self.error(f"there are more {n}-grams than the {size:,} announced")
            entry = self._entry(line, n, known)
            probabilities.append(entry.probability)
            backoffs.append(entry.backoff)
            words += entry.words
        self._kept = line
        if len(probabilities) < size:
            raise self.error(f"{size:,} {n}-grams were announced, found {len(probabilities):,}")
        table = np.array(words, np.uint32).reshape(-1, n)
        return Grams(table, np.array(probabilities, np.float32), np.array(backoffs, np.float32))

    def _entry(self, line: str, n: int, known: dict[str, int]) -> _Entry:
        fields = line.split("\t") if "\t" in line else _by_spaces(line, n)
        words = fields[1].split() if len(fields) > 1 else []
        if len(fields) not in (2, 3) or len(words) != n:
            words_wanted = "a word" if n == 1 else f"{n} words"
            raise self.error(f"expected a probability, {words_wanted} and perhaps a backoff")
        probability = self._weight(fields[0])
        backoff = self._weight(fields[2]) if len(fields) == 3 else 0.0
        if probability > 0:
            raise self.error(f"a log-probability is at most 0, not {fields[0]}")
        try:
            return _Entry(probability, [known[word] for word in words], backoff)
        except KeyError as error:
            raise self.error(f"the word {error} is not among the 1-grams") from None

    def _weight(self, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not abs(number) < 1e30:
            raise self.error(f"not a weight: {text[:40]!r}")
        return number


def _by_spaces(line: str, n: int) -> list[str]:
    """The fields of a line that has spaces where tabs should be."""
    fields = line.split()
    return [fields[0], " ".join(fields[1 : n + 1]), *fields[n + 1 :]]


def write_arpa(model: NgramModel, path: FilePath) -> None:
    r"""Write a model as an ARPA file, all or nothing.

    Examples
    --------
    >>> from pathlib import Path
    >>> from runoff.ngrams.estimate import estimate
    >>> write_arpa(estimate([["votes", "votes"]], order=2).model, "votes.arpa")
    >>> Path("votes.arpa").read_text().splitlines()[:4]
    ['\\data\\', 'ngram 1=4', 'ngram 2=3', '']
    """
    head = "".join(f"ngram {n}={len(own[2])}\n" for n, own in enumerate(model.orders, 1))
    pieces = chain([f"{MARK}\n{head}\n"], _sections(model), ["\\end\\\n"])
    write_pieces((piece.encode("utf-8", "surrogatepass") for piece in pieces), path)


def _sections(model: NgramModel) -> Iterator[str]:
    names = model.vocabulary.strings()
    for n, (grams, own) in enumerate(zip(model.grams(), model.orders, strict=True), 1):
        if not np.isfinite(own.probabilities).all() or not np.isfinite(own.backoffs).all():
            raise ModelError(f"a weight of the {n}-grams is not a number")
        yield f"\\{n}-grams:\n"
        for first in range(0, len(grams), _PIECE):
            part = slice(first, first + _PIECE)
            words = (" ".join([names[i] for i in row]) for row in grams[part].tolist())
            weights = [own.probabilities[part].tolist()]
            if n < model.order:
                weights.append(own.backoffs[part].tolist())
            rows = zip(words, *weights, strict=True)
            yield "".join(
                f"{p:.9g}\t{text}{''.join(f'{chr(9)}{b + 0.0:.9g}' for b in more)}\n"
                for text, p, *more in rows
            )
        yield "\n"
