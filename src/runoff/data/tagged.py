"""Tagged sentences: one word a line with its columns, a blank line after each sentence.

Columns are separated by TABs, or by spaces in a line without TABs. `-DOCSTART-` lines begin a
document: `-DOCSTART-<TAB>id[<TAB>note]`, or CoNLL 2003's `-DOCSTART- -X- O O`, whose documents
are numbered from 1. There are no comments: `#` is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from runoff.data.files import FilePath, read_text_lines, write_pieces
from runoff.errors import FormatError, unknown_choice

DOCUMENT = "-DOCSTART-"
BLANKS = " \t\r\n"

Block = list[tuple[int, str]]  # numbered lines

_FORBIDDEN = re.compile("[\t\r\n\ud800-\udfff]")  # the last are halves of surrogate pairs


class TaggedSentence(msgspec.Struct, frozen=True):
    """The words of a sentence and what is known of each, column by column.

    Parameters
    ----------
    columns : one tuple per column, all of one length; words first, tags last.
    names : what the columns are called, where that is known.
    document : id of the document that the sentence is part of.
    note : what the document's first line says beside the id, such as its genre.

    Examples
    --------
    >>> sentence = TaggedSentence((("A", "vote"), ("DT", "NN"), ("B-NP", "I-NP")))
    >>> sentence.words, sentence.tags, len(sentence)
    (('A', 'vote'), ('B-NP', 'I-NP'), 2)
    """

    columns: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()
    document: str | None = None
    note: str = ""

    def __len__(self) -> int:
        return len(self.columns[0])

    @property
    def words(self) -> tuple[str, ...]:
        """The first column."""
        return self.columns[0]

    @property
    def tags(self) -> tuple[str, ...]:
        """The last column."""
        return self.columns[-1]

    def column(self, name: str) -> tuple[str, ...]:
        """The column of that name.

        Examples
        --------
        >>> TaggedSentence((("vote",), ("NN",)), names=("word", "pos")).column("pos")
        ('NN',)
        """
        if name not in self.names:
            raise unknown_choice("column", name, self.names)
        return self.columns[self.names.index(name)]


def read_tagged(path: FilePath, names: Iterable[str] = ()) -> Iterator[TaggedSentence]:
    """The sentences of a column file, plain or gzip, one by one.

    Where columns are given names, the file must have as many of them.

    Raises
    ------
    FormatError : a line with more or fewer columns than the first of the file.
    """
    names = tuple(names)
    document, note, documents, width = None, "", 0, len(names)
    for block in read_blocks(path):
        if is_document(block[0][1]):
            documents += 1
            document, note = _document(block[0][1], documents)
            continue
        columns = split_columns(block, path, width)
        width = len(columns)
        yield TaggedSentence(tuple(columns), names, document, note)


def read_documents(
    path: FilePath, names: Iterable[str] = ()
) -> Iterator[tuple[str | None, list[TaggedSentence]]]:
    """The documents of a column file: id and sentences, one by one."""
    for document, sentences in groupby(read_tagged(path, names), lambda s: s.document):
        yield document, list(sentences)


def write_tagged(sentences: Iterable[TaggedSentence], path: FilePath) -> None:
    """Write sentences to a column file, TABs between columns."""
    write_pieces(_encode(sentences), path)


def _encode(sentences: Iterable[TaggedSentence]) -> Iterator[bytes]:
    document = None
    for sentence in sentences:
        if sentence.document != document and sentence.document is not None:
            head = [DOCUMENT, sentence.document] + ([sentence.note] if sentence.note else [])
            yield _line(head) + b"\n"
        document = sentence.document
        for row in zip(*sentence.columns, strict=True):
            if row[0].partition(" ")[0] == DOCUMENT or (len(row) == 1 and " " in row[0]):
                raise FormatError(f"a column file cannot hold the word {row[0]!r}")
            yield _line(row)
        yield b"\n"


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


def read_blocks(path: FilePath, *, documents: bool = True) -> Iterator[Block]:
    """Groups of lines between blank lines; a line that begins a document is its own group."""
    return group_lines(read_text_lines(path), documents=documents)


def group_lines(lines: Iterable[tuple[int, str]], *, documents: bool = True) -> Iterator[Block]:
    """The same for lines that have been read already."""
    block: Block = []
    for number, line in lines:
        alone = documents and is_document(line)
        if block and (alone or not line.strip(BLANKS)):
            yield block
            block = []
        if alone:
            yield [(number, line)]
        elif line.strip(BLANKS):
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
