"""Column files of tagged sentences: one word a line, a blank line after each sentence.

The first column has the words and the last one gold: the labels to learn from, or to be judged by.
Where there are three or more, the second has parts of speech. Columns are separated by TABs, or by
spaces in a line without TABs. `-DOCSTART-` lines begin a document:
`-DOCSTART-<TAB>id[<TAB>note]`, or CoNLL 2003's `-DOCSTART- -X- O O`, whose documents are numbered
from 1. There are no comments: `#` is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from runoff.data.files import FilePath, read_text_lines, write_pieces
from runoff.data.limits import IN_CORPORA, Limit
from runoff.data.sentence import Document, Sentence
from runoff.errors import FormatError

DOCUMENT = "-DOCSTART-"
BLANKS = " \t\r\n"

Block = list[tuple[int, str]]  # numbered lines
Column = tuple[str, ...]

_FORBIDDEN = re.compile("[\t\r\n\ud800-\udfff]")  # the last are halves of surrogate pairs


class Columns(NamedTuple):
    """The columns of a sentence as its file has them.

    Parameters
    ----------
    line : number of its first line.
    document, note : id of the document that it is part of, and what else is said of that.
    """

    columns: list[Column]
    line: int
    document: str | None
    note: str

    def sentence(self) -> Sentence:
        """Words first, gold last, parts of speech second where there are three columns or more."""
        words, *others = self.columns
        tags = others[0] if len(others) > 1 else None
        return Sentence(words, tags, others[-1] if others else None, document=self.document)


def read_tagged(path: FilePath, limit: Limit = IN_CORPORA) -> Iterator[Sentence]:
    """The sentences of a column file, plain or gzip, one by one.

    Parameters
    ----------
    limit : how long they may be.

    Raises
    ------
    FormatError : a line with more or fewer columns than the first of the file.
    """
    return (found.sentence() for found in read_columns(path, limit))


def read_documents(path: FilePath) -> Iterator[Document]:
    """The documents of a column file, one by one."""
    for (document, note), own in groupby(read_columns(path), lambda s: (s.document, s.note)):
        yield Document(document, tuple(found.sentence() for found in own), note)


def read_columns(path: FilePath, limit: Limit = IN_CORPORA) -> Iterator[Columns]:
    """The sentences of a column file with all their columns, one by one."""
    return parse_columns(read_text_lines(path), path, limit)


def parse_columns(
    lines: Iterable[tuple[int, str]], path: object, limit: Limit = IN_CORPORA
) -> Iterator[Columns]:
    """The sentences of numbered lines of columns, one by one."""
    document, note, documents, width = None, "", 0, 0
    for block in group_lines(lines, longest=limit.words):
        line, first = block[0]
        if is_document(first):
            documents += 1
            document, note = _document(first, documents)
            continue
        columns = split_columns(block, path, width)
        width = len(columns)
        if limit.exceeded(len(block), sum(map(len, columns[0])), path=path, line=line):
            columns = [()] * width
        yield Columns(columns, line, document, note)


def write_tagged(sentences: Iterable[Sentence | Document], path: FilePath) -> None:
    """Write sentences, or documents of them, to a column file, TABs between columns.

    Raises
    ------
    FormatError : a word that would not be read back, or parts of speech without gold: those could
        not be told from gold.
    """
    write_pieces(_encode(sentences), path)


def _encode(sentences: Iterable[Sentence | Document]) -> Iterator[bytes]:
    before = None
    for document, note, sentence in _with_documents(sentences):
        if document != before and document is not None:
            yield _line([DOCUMENT, document] + ([note] if note else [])) + b"\n"
        before = document
        if sentence.tags is not None and sentence.gold is None:
            raise FormatError("a column file has parts of speech only where it has gold too")
        columns = [one for one in (sentence.tags, sentence.gold) if one is not None]
        for row in zip(sentence.words, *columns, strict=True):
            if row[0].partition(" ")[0] == DOCUMENT or (len(row) == 1 and " " in row[0]):
                raise FormatError(f"a column file cannot hold the word {row[0]!r}")
            yield _line(row)
        yield b"\n"


def _with_documents(
    given: Iterable[Sentence | Document],
) -> Iterator[tuple[str | None, str, Sentence]]:
    """Every sentence with its document's id and note."""
    for one in given:
        if isinstance(one, Sentence):
            yield one.document, "", one
        else:
            yield from ((one.id, one.note, sentence) for sentence in one)


def _line(fields: Iterable[str]) -> bytes:
    fields = list(fields)
    for field in fields:
        if not field.strip(BLANKS) or _FORBIDDEN.search(field):
            raise FormatError(f"a column file cannot hold the field {field!a}")
    return ("\t".join(fields) + "\n").encode()


def is_document(line: str) -> bool:
    """Whether a line begins a document."""
    return line.startswith(DOCUMENT) and line[len(DOCUMENT) :][:1] in ("", " ", "\t")


def _document(line: str, number: int) -> tuple[str, str]:
    """Id and note of a document."""
    if "\t" not in line or not line.split("\t")[1].strip(BLANKS):
        return str(number), ""
    _, name, *note = line.split("\t", 2)
    return name, "".join(note)


def group_lines(
    lines: Iterable[tuple[int, str]], *, longest: int, documents: bool = True
) -> Iterator[Block]:
    """Groups of numbered lines between blank lines; a line that begins a document is its own.

    Parameters
    ----------
    longest : of a longer group, this many lines and one more are kept, so that it can be told.
    """
    block: Block = []
    for number, line in lines:
        alone = documents and is_document(line)
        if block and (alone or not line.strip(BLANKS)):
            yield block
            block = []
        if alone:
            yield [(number, line)]
        elif line.strip(BLANKS) and len(block) <= longest:
            block.append((number, line))
    if block:
        yield block


def split_columns(block: Block, path: object, width: int = 0) -> list[tuple[str, ...]]:
    """The columns of a group of lines; all lines have `width` of them, or as many as the first."""
    rows = [_split(line) for _, line in block]
    width = width or len(rows[0])
    for (number, _), row in zip(block, rows, strict=True):
        if len(row) != width:
            problem = f"expected {width} columns, found {len(row)}"
            raise FormatError(problem, path=path, line=number)
        if not all(row):
            raise FormatError("an empty column", path=path, line=number)
    return list(zip(*rows, strict=True))


def _split(line: str) -> list[str]:
    """The fields of a line: between TABs, or between runs of spaces where it has none."""
    return line.split("\t") if "\t" in line else [field for field in line.split(" ") if field]
