"""What parsers read: raw text, sentences of words, sentences of words with tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from runoff.data.files import FilePath, read_text_lines
from runoff.data.tagged import group_lines, is_document, split_columns
from runoff.data.text.read import read_lines_of_words, read_raw_words
from runoff.errors import FormatError
from runoff.proposers.parsing.long_sentences import Words

SEPARATORS = "_/"
"""Between a word and its tag."""


def read_raw(path: FilePath) -> Iterator[Words]:
    """The sentences of plain text, tokenised."""
    return map(Words, read_raw_words(path))


def read_tokenized(path: FilePath) -> Iterator[Words]:
    """A sentence a line, blanks between words; an empty line is an empty sentence."""
    return map(Words, read_lines_of_words(path))


def read_tagged_words(path: FilePath) -> Iterator[Words]:
    r"""Sentences with tags: `word_TAG` or `word/TAG`, a sentence a line, or columns.

    The first line that is not empty decides which it is. Of columns, the first has the words and
    the last the tags.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("We/PRP vote/VBP\n")
    >>> next(read_tagged_words("votes.txt"))
    Words(words=['We', 'vote'], choices=[[('PRP', 1.0)], [('VBP', 1.0)]])
    """
    lines = read_text_lines(path)
    first = next(((n, line) for n, line in lines if line.strip()), None)
    if first is None:
        return
    numbered = chain([first], lines)
    separator = _separator(first[1].split())
    if separator is None:
        yield from _columns(numbered, path)
        return
    for number, line in numbered:
        pairs = [token.rpartition(separator) for token in line.split()]
        if not all(word and tag for word, _, tag in pairs):
            problem = f"expected word{separator}TAG everywhere, as on the line before"
            raise FormatError(problem, path=path, line=number)
        yield _words([(word, tag) for word, _, tag in pairs])


def _separator(tokens: list[str]) -> str | None:
    """What stands between word and tag in every token; None if the line has columns."""
    for separator in SEPARATORS:
        parts = (token.rpartition(separator) for token in tokens)
        if all(word and tag for word, _, tag in parts):
            return separator
    return None


def _columns(lines: Iterator[tuple[int, str]], path: FilePath) -> Iterator[Words]:
    width = 0
    for block in group_lines(lines):
        if is_document(block[0][1]):
            continue
        columns = split_columns(block, path, width)
        width = len(columns)
        if width < 2:
            problem = "expected word_TAG or word/TAG, or a word and a tag a line"
            raise FormatError(problem, path=path, line=block[0][0])
        yield _words(list(zip(columns[0], columns[-1], strict=True)))


def _words(pairs: list[tuple[str, str]]) -> Words:
    return Words([word for word, _ in pairs], [[(tag, 1.0)] for _, tag in pairs])


READERS: dict[str, Callable[[FilePath], Iterator[Words]]] = {
    "raw": read_raw,
    "tokenized": read_tokenized,
    "tagged": read_tagged_words,
}
