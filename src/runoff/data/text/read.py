"""Reading sentences for every task: raw text, tokenised text, text with tags, columns, trees."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import PurePath

from runoff.data.compression import without_suffix
from runoff.data.files import FilePath, read_text_lines
from runoff.data.limits import IN_CORPORA, Limit
from runoff.data.sentence import Sentence
from runoff.data.tagged import parse_columns, read_columns, read_tagged
from runoff.data.text.sentences import CutPiece, read_decoded, stream_sentences
from runoff.data.text.tokens import Piece, tokenize
from runoff.data.tree import Tree, read_trees
from runoff.errors import FormatError

TREE_FILES = (".mrg", ".tree", ".trees", ".ptb", ".penn")
"""How names of treebank files end, `.gz` or not; other files have columns."""

TABLES = (".tsv", ".tsv.gz")
"""How names of tables end whose last column has texts."""

EMPTY_ELEMENT = "-NONE-"

SEPARATORS = "_/"
"""Between a word and its tag."""

_BLANKS = re.compile("[ \t]+")


def sentences_of(
    text: str, *, hyphens: bool = False, limit: Limit | None = None, name: object = None
) -> Iterator[Sentence]:
    """The sentences of a plain text, tokenised.

    Parameters
    ----------
    hyphens : words with hyphens stay whole, as in older treebanks.
    limit : how long they may be; without one, a very long one is cut.
    name : of the text, for errors.

    Examples
    --------
    >>> [sentence.words for sentence in sentences_of("We won. They didn't.")]
    [('We', 'won', '.'), ('They', 'did', "n't", '.')]
    >>> next(sentences_of("We won.")).starts
    (0, 3, 6)
    """
    return _tokenized([text], hyphens, limit, name)


def read_raw(
    path: FilePath, limit: Limit | None = None, *, hyphens: bool = False
) -> Iterator[Sentence]:
    """The sentences of plain text, tokenised; places count from the start of the file."""
    return _tokenized(read_decoded(path), hyphens, limit, path)


def read_raw_lines(
    path: FilePath, limit: Limit = IN_CORPORA, *, hyphens: bool = False
) -> Iterator[Sentence]:
    r"""The lines of plain text, each a sentence, tokenised, as of chats and subtitles.

    Places count from the start of the file. A blank line is no sentence.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("chat.txt").write_text("gr8 :)\n\nlol. See you at 8. @anna\n")
    >>> [(sentence.words, sentence.starts[0]) for sentence in read_raw_lines("chat.txt")]
    [(('gr8', ':)'), 0), (('lol', '.', 'See', 'you', 'at', '8', '.', '@anna'), 8)]
    """
    end = 0
    for number, (line, size) in enumerate(_lines_of(read_decoded(path), limit.characters), 1):
        start, end = end, end + size
        tokens = (
            [] if len(line) > limit.characters else tokenize(Piece(line, start), hyphens=hyphens)
        )
        if limit.exceeded(len(tokens), len(line), path=path, line=number):
            yield Sentence(())
        elif tokens:
            starts = tuple(one.start for one in tokens)
            yield Sentence(tuple(one.text for one in tokens), starts=starts)


def _lines_of(chunks: Iterable[str], longest: int) -> Iterator[tuple[str, int]]:
    """The lines of a text in chunks, with their sizes; of longer ones a little too much is kept."""
    rest, dropped = "", 0
    for chunk in chunks:
        *lines, last = (rest + chunk).split("\n")
        for line in lines:
            yield line, len(line) + dropped + 1
            dropped = 0
        rest = last[: longest + 1]
        dropped += len(last) - len(rest)
    yield rest, len(rest) + dropped


def _tokenized(
    chunks: Iterable[str], hyphens: bool, limit: Limit | None, path: object
) -> Iterator[Sentence]:
    lines = _LineCounter(chunks)
    pieces = stream_sentences(lines)
    for piece in pieces:
        line = lines.at(piece.start)
        if limit is not None and isinstance(piece, CutPiece):
            for rest in pieces:
                lines.at(rest.start)
                if not isinstance(rest, CutPiece):
                    break
            limit.exceeded(0, limit.characters + 1, path=path, line=line)
            yield Sentence(())
            continue
        tokens = tokenize(piece, hyphens=hyphens)
        if limit is not None and limit.exceeded(len(tokens), path=path, line=line):
            tokens = []
        words, starts = tuple(one.text for one in tokens), tuple(one.start for one in tokens)
        yield Sentence(words, starts=starts)


class _LineCounter:
    """Hands on a text in chunks; knows the lines of what lies ahead of the last place asked for."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks, self._ahead = chunks, deque[str]()
        self._start, self._place, self._line = 0, 0, 1  # of the first chunk; the last place

    def __iter__(self) -> Iterator[str]:
        for chunk in self._chunks:
            self._ahead.append(chunk)
            yield chunk

    def at(self, place: int) -> int:
        """The line of a place that is not before the last one; from 1."""
        while self._place < place:
            chunk = self._ahead[0]
            first, last = self._place - self._start, place - self._start
            self._line += chunk.count("\n", first, last)
            self._place = min(place, self._start + len(chunk))
            if self._place == self._start + len(chunk):
                self._start += len(self._ahead.popleft())
        return self._line


def read_texts(path: FilePath, *, hyphens: bool = False) -> Iterator[Sentence]:
    r"""The sentences of plain text, or of the texts in the last column of a table (`.tsv`).

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.tsv").write_text("1\ttrain\tA run-off. They won.\n2\ttest\tIt isn't.\n")
    >>> [sentence.words for sentence in read_texts("votes.tsv", hyphens=True)]
    [('A', 'run-off', '.'), ('They', 'won', '.'), ('It', 'is', "n't", '.')]
    """
    if not str(PurePath(path)).endswith(TABLES):
        yield from read_raw(path, hyphens=hyphens)
        return
    for _, line in read_text_lines(path):
        yield from sentences_of(line.rpartition("\t")[2], hyphens=hyphens)


def read_tokenized(path: FilePath, limit: Limit = IN_CORPORA) -> Iterator[Sentence]:
    """Tokenised text, one sentence per line; an empty line is an empty sentence."""
    for number, line in _sentence_lines(path, limit):
        words = [word for word in _BLANKS.split(line) if word]
        if limit.exceeded(len(words), len(line), path=path, line=number):
            words = []
        yield Sentence(tuple(words))


def _sentence_lines(path: FilePath, limit: Limit) -> Iterator[tuple[int, str]]:
    """Numbered lines; one that is longer than any sentence may be is read as an empty one."""
    return read_text_lines(path, 4 * limit.characters, limit.over)


def read_with_tags(path: FilePath, limit: Limit = IN_CORPORA) -> Iterator[Sentence]:
    r"""Sentences with parts of speech: `word_TAG` or `word/TAG`, one sentence per line, or columns.

    The first line that is not empty decides which it is. Of columns, the first has the words and
    the second their parts of speech; of more, the last has gold.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("We/PRP vote/VBP\n")
    >>> next(read_with_tags("votes.txt"))
    Sentence(words=('We', 'vote'), tags=('PRP', 'VBP'), gold=None, starts=None, document=None)
    """
    lines = _sentence_lines(path, limit)
    first = next(((n, line) for n, line in lines if line.strip()), None)
    if first is None:
        return
    numbered = chain([first], lines)
    separator = _separator(first[1].split())
    if separator is None:
        yield from _columns_with_tags(numbered, path, limit)
        return
    for number, line in numbered:
        pairs = [token.rpartition(separator) for token in line.split()]
        if not all(word and tag for word, _, tag in pairs):
            problem = f"expected word{separator}TAG everywhere, as on the line before"
            raise FormatError(problem, path=path, line=number)
        if limit.exceeded(len(pairs), len(line), path=path, line=number):
            pairs = []
        yield Sentence(tuple(word for word, _, _ in pairs), tuple(tag for _, _, tag in pairs))


def _separator(tokens: list[str]) -> str | None:
    """The separator of word and tag in every token; None if the line has columns."""
    for separator in SEPARATORS:
        parts = (token.rpartition(separator) for token in tokens)
        if all(word and tag for word, _, tag in parts):
            return separator
    return None


def _columns_with_tags(
    lines: Iterable[tuple[int, str]], path: FilePath, limit: Limit
) -> Iterator[Sentence]:
    for columns, line, document, _ in parse_columns(lines, path, limit):
        if len(columns) < 2:
            problem = "expected word_TAG or word/TAG, or one word and its tag per line"
            raise FormatError(problem, path=path, line=line)
        gold = columns[-1] if len(columns) > 2 else None
        yield Sentence(columns[0], columns[1], gold, document=document)


def read_tagged_sentences(path: FilePath, column: int | None = None) -> Iterator[Sentence]:
    """Sentences whose gold is parts of speech: from columns, or from the trees of a treebank.

    Parameters
    ----------
    column : where a column file has the tags, from 1; the last one if it is not given.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.mrg").write_text("(S (NP (DT the) (NN vote)) (VP (-NONE- *)))")
    >>> [sentence.gold for sentence in read_tagged_sentences("votes.mrg")]
    [('DT', 'NN')]
    """
    if without_suffix(path).endswith(TREE_FILES):
        yield from (tagged_words(tree) for tree in read_trees(path))
        return
    for columns, _, document, _ in read_columns(path):
        if not 2 <= (column or 2) <= len(columns):
            tags = "a word and a tag per line" if column is None else f"the tags in column {column}"
            problem = f"expected {tags}, found {len(columns)} columns"
            hint = f"treebank files are known by their names: {', '.join(TREE_FILES)}"
            raise FormatError(problem, path=path, hint=hint)
        yield Sentence(columns[0], gold=columns[(column or 0) - 1], document=document)


def tagged_words(tree: Tree) -> Sentence:
    """The words of a tree, with the tags above them as gold, without empty elements."""
    leaves = [leaf for leaf in tree.preterminals() if leaf.label != EMPTY_ELEMENT]
    words = tuple(leaf.words[0] for leaf in leaves)
    return Sentence(words, gold=tuple(leaf.label for leaf in leaves))


READERS: dict[str, Callable[[FilePath, Limit], Iterator[Sentence]]] = {
    "raw": read_raw,
    "lines": read_raw_lines,
    "tokenized": read_tokenized,
    "tagged": read_with_tags,
    "columns": read_tagged,
}
"""How the text of a file becomes sentences."""


def read_files(
    files: Iterable[FilePath], how: str, limit: Limit, *, hyphens: bool = False
) -> Iterator[Sentence]:
    """The sentences of files, one by one, read by one of `READERS`.

    Parameters
    ----------
    limit : how long they may be.
    hyphens : words with hyphens stay whole where raw text is cut into words.
    """
    for file in files:
        if how == "raw":
            yield from read_raw(file, limit, hyphens=hyphens)
        elif how == "lines":
            yield from read_raw_lines(file, limit, hyphens=hyphens)
        else:
            yield from READERS[how](file, limit)
