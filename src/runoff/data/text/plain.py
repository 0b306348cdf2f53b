"""Sentences of tokens from files of plain text, for what learns from text without labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from runoff.data.files import FilePath, read_text_lines
from runoff.data.text.sentences import read_sentences, split_sentences
from runoff.data.text.tokens import HYPHEN, Piece, tokenize

COLUMNS = (".tsv", ".tsv.gz")
"""What names of files of columns end in."""


def read_token_sentences(path: FilePath, *, hyphens: bool = False) -> Iterator[list[str]]:
    r"""The sentences of a file, plain or gzip, as tokens.

    In a file of columns (`.tsv`) the last column of each line is a text, as a document in a list of
    documents is.

    Parameters
    ----------
    hyphens : words with hyphens stay whole, as in older treebanks.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.tsv").write_text("1\ttrain\tA run-off. They won.\n2\ttest\tIt isn't.\n")
    >>> list(read_token_sentences("votes.tsv", hyphens=True))
    [['A', 'run-off', '.'], ['They', 'won', '.'], ['It', 'is', "n't", '.']]
    """
    for sentence in _sentences(path):
        yield [token.text for token in tokenize(sentence, hyphens=hyphens)]


def keep_hyphens(sentences: Iterable[Sequence[str]]) -> bool:
    """Whether sentences have hyphens inside words more often than as tokens of their own.

    Examples
    --------
    >>> keep_hyphens([["a", "run-off"]]), keep_hyphens([["a", "run", "-", "off"]])
    (True, False)
    """
    inside = alone = 0
    for sentence in sentences:
        for word in sentence:
            alone += word == HYPHEN
            inside += HYPHEN in word[1:-1] and word.replace(HYPHEN, "").isalnum()
    return inside > alone


def _sentences(path: FilePath) -> Iterator[Piece]:
    if not str(PurePath(path)).endswith(COLUMNS):
        yield from read_sentences(path)
        return
    for _, line in read_text_lines(path):
        yield from split_sentences(line.rpartition("\t")[2])
