"""What chunkers read: raw text, sentences of words, sentences of words with parts of speech."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runoff.data.files import FilePath
from runoff.data.tagged import read_tagged
from runoff.data.text.read import read_lines_of_words, read_raw_words
from runoff.errors import FormatError
from runoff.proposers.sequence.word_forms import Token


class Sentence(NamedTuple):
    """What a sentence shows, and its chunk tags if a file has them."""

    tokens: list[Token]
    gold: tuple[str, ...] | None = None


def read_raw(path: FilePath, *, hyphens: bool = False) -> Iterator[Sentence]:
    """The sentences of plain text, tokenised; see `runoff.data.text.tokens.tokenize`."""
    return (Sentence([*words]) for words in read_raw_words(path, hyphens=hyphens))


def read_tokenized(path: FilePath) -> Iterator[Sentence]:
    """A sentence a line, blanks between words; an empty line is an empty sentence."""
    return (Sentence([*words]) for words in read_lines_of_words(path))


def read_columns(path: FilePath) -> Iterator[Sentence]:
    r"""A word a line with its part of speech; of more columns, the last has chunk tags as gold.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.tsv").write_text("We\tPRP\tB-NP\nvote\tVBP\tB-VP\n")
    >>> next(read_columns("votes.tsv"))
    Sentence(tokens=[('We', 'PRP'), ('vote', 'VBP')], gold=('B-NP', 'B-VP'))
    """
    for sentence in read_tagged(path):
        if len(sentence.columns) < 2:
            raise FormatError("expected a word and its part of speech a line", path=path)
        pairs = zip(*sentence.columns[:2], strict=True)
        yield Sentence([*pairs], sentence.tags if len(sentence.columns) > 2 else None)
