"""Text as a stream of words and punctuation marks, for models that predict words.

Contractions and words with a hyphen stay whole, since `they're` is a word that writers confuse with
others. Numbers stay whole, every other mark is a token of its own. Quotes, dashes and ellipses of
typographers become those of typewriters, so that it makes no difference how a text was set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np

from runoff.data.files import MAX_LINE, FilePath, read_text_lines
from runoff.data.limits import Over, reject
from runoff.data.numbering import Numbering, Numbers
from runoff.errors import FormatError

LINES_PER_CHUNK = 256

_LETTER = r"[^\W_]"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|{_LETTER}+(?:['-]{_LETTER}+)*|-{{2,}}|\.{{3}}|[^\w\s]|_+")
_PLAIN = str.maketrans("‘’‛“”„‐‑", "'''\"\"\"--")
_LONG = str.maketrans({"—": "--", "…": "..."})


class Word(NamedTuple):
    """A token and where it is in the text that it was found in."""

    text: str
    start: int
    end: int


def find_words(text: str) -> Iterator[Word]:
    """The tokens of a text with their places.

    Examples
    --------
    >>> [word.text for word in find_words("They’re well-read—or 1,500 aren't.")]
    ["They're", 'well-read', '--', 'or', '1,500', "aren't", '.']
    """
    plain = text.translate(_PLAIN)  # the same length, so places stay
    for match in _TOKEN.finditer(plain):
        yield Word(match[0].translate(_LONG), match.start(), match.end())


def words_of(text: str) -> list[str]:
    """The tokens of a text."""
    return _TOKEN.findall(text.translate(_PLAIN).translate(_LONG))


def read_word_chunks(
    path: FilePath,
    *,
    tokenized: bool = False,
    column: int | None = None,
    over: Over = reject,
) -> Iterator[list[str]]:
    r"""The tokens of a file, plain or gzip, some lines at a time; `-` is stdin.

    Parameters
    ----------
    tokenized : take what stands between blanks as it is.
    column : the column of tab-separated lines that has the text, counted from 1; by default, whole
        lines are text.
    over : is given the error for a line that is too long, which is then read as an empty one.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("We voted.\nThey won.")
    >>> list(read_word_chunks("votes.txt"))
    [['We', 'voted', '.', 'They', 'won', '.']]
    """
    read = read_text_lines(path, MAX_LINE, over)
    lines = (_field(line, column, path, number) for number, line in read)
    while chunk := list(islice(lines, LINES_PER_CHUNK)):
        text = "\n".join(chunk)
        yield text.split() if tokenized else words_of(text)


def _field(line: str, column: int | None, path: FilePath, number: int) -> str:
    """The part of a line that is text."""
    if column is None:
        return line
    fields = line.split("\t")
    if len(fields) < column:
        problem = f"expected text in column {column}, found {len(fields)} columns"
        raise FormatError(problem, path=path, line=number)
    return fields[column - 1]


def read_numbers(
    path: FilePath, growing: Numbering, *, tokenized: bool = False, column: int | None = None
) -> Numbers:
    """The words of a file as numbers; new words get new ones."""
    words_by_chunk = read_word_chunks(path, tokenized=tokenized, column=column)
    chunks = [growing.numbers(words) for words in words_by_chunk]
    return np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.uint32)


def squeezed(shape: Iterable[str]) -> str:
    """The shape with each run of a kind once.

    Examples
    --------
    >>> squeezed("XxXxxxxx"), squeezed("ddd,ddd.dd")
    ('XxXx', 'd,d.d')
    """
    return "".join(kind for kind, _ in groupby(shape))
