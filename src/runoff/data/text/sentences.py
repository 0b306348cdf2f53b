"""Sentences of plain text, whole or as it streams in; every one knows its place.

Blank lines end a paragraph, and with it a sentence; so does a line break after a line that is much
shorter than its neighbours and has no punctuation at its end, as headings are. Inside a
paragraph, a full stop, question or exclamation mark ends a sentence where what follows looks like
the start of another and what precedes is not an abbreviation.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from runoff.data.files import FilePath, read_chunks
from runoff.data.limits import CHARACTERS
from runoff.data.text.tokens import ABBREVIATIONS, BEFORE_NUMBERS, Piece
from runoff.errors import FormatError

LONGEST = CHARACTERS
"""Characters of a paragraph that are looked at together; a longer one is cut, at the end of a
sentence where there is one."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*+\n")
_LINE = re.compile(r"[^\n]++")
_END = re.compile(  # begins with a set of characters: what is none of them is passed over quickly
    r"[.!?…。！？](?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+['\"”’»)\]]{0,4}+(?=\s)"
    r"|(?<=[。！？])[。！？]*+[」』”）]{0,4}+)"
)
_NEXT = re.compile(r"\s*+(['\"“‘«(\[]{0,3}+)\s?(\S{0,20})")
_START = re.compile(r"[^\W\d_a-z]|\d|[a-z]{1,3}[A-Z\d]|[*†‡•§]")
_LETTER = re.compile(r"[a-z](?:[-–,][a-z])?[):.](?!\w)")  # of a list: (a), b-d: or c.
_UNIT = re.compile(r"\d\s[dghlmsy]\Z")  # 5 d, 24 h
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")

_NEVER_LAST = frozenset(ABBREVIATIONS) - frozenset(
    "Jr Sr Inc Ltd Corp Co Bros al etc Jan Feb Apr Aug Sept Sep Oct Nov Dec Ave Blvd spp Calif Fla "
    "Conn Minn Mich Ariz Colo Wis Tenn Okla".split()
)
_SOMETIMES_LAST = frozenset(ABBREVIATIONS) - _NEVER_LAST
_STARTERS = frozenset(
    "A After All Although An And As At Both But By During Each Finally For From Further "
    "Furthermore Having He Hence Her Here His How However I If In Indeed Interestingly It Its "
    "Like Moreover Most My No Of On One Only Or Other Our She Similarly Since So Some Such That "
    "The Their Then There Therefore These They This Those Thus To Under Unlike We What When "
    "Where Whether Which While Who Why With Yet You Your".split()
)


class CutPiece(Piece):
    """A piece of a sentence of more than `LONGEST` characters, which the next one goes on with."""

    __slots__ = ()


def split_sentences(text: str) -> Iterator[Piece]:
    r"""The sentences of a text, in order, without the whitespace around them.

    Examples
    --------
    >>> text = "Votes were cast. Dr. Hill (cf. Fig. 2) won.\n\nResults\n\nThere were two."
    >>> [sentence.text for sentence in split_sentences(text)]
    ['Votes were cast.', 'Dr. Hill (cf. Fig. 2) won.', 'Results', 'There were two.']
    """
    return stream_sentences([text])


def read_sentences(path: FilePath) -> Iterator[Piece]:
    """The sentences of a UTF-8 file, plain or gzip, of any size; `-` is stdin.

    Places count characters from the start of the file, without a byte-order mark.

    Raises
    ------
    FormatError : the file cannot be read or is not UTF-8.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("We voted. They won.")
    >>> list(read_sentences("votes.txt"))
    [Piece(text='We voted.', start=0), Piece(text='They won.', start=10)]
    """
    return stream_sentences(read_decoded(path))


def stream_sentences(chunks: Iterable[str]) -> Iterator[Piece]:
    """The sentences of a text that arrives in chunks; where those are cut makes no difference.

    Memory is that of the longest chunk and of `LONGEST` characters: a longer sentence comes in
    several pieces, all but the last of which are a `CutPiece`.
    """
    text, at, offset = "", 0, 0  # text[at:] is still to do; text[0] is at `offset`
    for chunk in _gathered(chunks):
        text, offset = text[at:] + chunk, offset + at
        at = 0
        while (found := _paragraph_end(text, at)) is not None:
            end, cut = found
            pieces = _sentences(text[at:end], offset + at)
            yield from (CutPiece(*piece) for piece in pieces) if cut else pieces
            at = end
    yield from _sentences(text[at:], offset + at)


def read_decoded(path: FilePath) -> Iterator[str]:
    """The text of a UTF-8 file, a chunk at a time."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in read_chunks(path):
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        problem = f"not UTF-8: byte 0x{error.object[error.start]:02x}"
        raise FormatError(problem, path=path) from None


def _gathered(chunks: Iterable[str]) -> Iterator[str]:
    """The text in chunks that are not small."""
    waiting: list[str] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= LONGEST:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def _paragraph_end(text: str, at: int) -> tuple[int, bool] | None:
    """Where the paragraph at a place ends, or is cut; None if that is not in the text yet.

    The second says whether that is inside a sentence.
    """
    blank = _BLANK_LINE.search(text, at, at + LONGEST)
    if blank is not None:
        return blank.end(), False
    if len(text) - at <= LONGEST:
        return None
    window = text[at : at + LONGEST]
    *_, last = [Piece("", 0), *_sentences(window, 0)]
    if last.start > 0:
        return at + last.start, False
    bare = window.rstrip()
    if len(bare) < LONGEST // 2:  # a short sentence, and a lot of blanks after it
        return at + LONGEST, False
    before_space = bare.rpartition(" ")[0]
    if before_space:
        return at + len(before_space), True
    return at + LONGEST, not text[at + LONGEST].isspace()


def _sentences(paragraph: str, offset: int) -> Iterator[Piece]:
    """The sentences of a paragraph that starts at an offset."""
    for block_start, block_end in _blocks(paragraph):
        start = block_start
        for mark in _END.finditer(paragraph, block_start, block_end):
            if _ends_sentence(paragraph, start, mark):
                yield from _stripped(paragraph, start, mark.end(), offset)
                start = mark.end()
        yield from _stripped(paragraph, start, block_end, offset)


def _stripped(text: str, start: int, end: int, offset: int) -> Iterator[Piece]:
    piece = text[start:end]
    bare = piece.lstrip()
    if bare:
        yield Piece(bare.rstrip(), offset + start + len(piece) - len(bare))


def _blocks(paragraph: str) -> Iterator[tuple[int, int]]:
    """Parts of a paragraph between lines that are headings, and those."""
    lines = [line for line in _LINE.finditer(paragraph) if not line[0].isspace()]
    width = max((len(line[0]) for line in lines), default=0)
    start = 0
    for line, following in pairwise(lines):
        if _is_heading(line[0].strip(), following[0].lstrip(), width):
            yield start, line.end()
            start = line.end()
    yield start, len(paragraph)


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether a line ends although there was room, without punctuation, before a new start."""
    room = width * 3 // 4 - len(line)
    return (
        len(following.partition(" ")[0]) < room
        and line[-1] not in ".,;:!?-–—"
        and not following[0].islower()
    )


def _ends_sentence(text: str, start: int, mark: re.Match[str]) -> bool:
    if mark[0][0] in "。！？":
        return True
    following = _NEXT.match(text, mark.end())
    if following is None:
        return False
    if not _START.match(following[2]) and not _LETTER.match(following[2]):
        return False
    if mark[0][0] != "." or mark[0][:2] == "..":
        return True
    before = text[max(start, mark.start() - 40) : mark.start()]
    word = re.split(r"[\s(\[]", before)[-1].lstrip("'\"“‘’-")
    if _UNIT.search(before):
        return True
    first = mark.start() - start < 40 and before.strip() == word
    return _stop_after(word, following[2], first=first)


def _stop_after(word: str, following: str, *, first: bool) -> bool:
    """Whether a full stop after a word ends the sentence; `first` says that the word begins it."""
    if word in _NEVER_LAST or (word in BEFORE_NUMBERS and re.search(r"\d", following)):
        return False
    if word in _SOMETIMES_LAST or _ACRONYM.fullmatch(word) or (len(word) == 1 and word.isalpha()):
        return following.rstrip(",") in _STARTERS and not first
    return not (first and word.isdigit())
