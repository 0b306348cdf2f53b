"""Words of a text that were probably confused with others, and the corrected text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from runoff.data.files import (
    BYTE_ORDER_MARK,
    FilePath,
    decode,
    open_input,
    open_output,
    read_whole,
)
from runoff.data.text.words import Word
from runoff.errors import UsageError

QUOTES = tuple("\"'`“”‘’«»*_")
"""What stands around a word that is mentioned; asterisks and underscores do in Markdown."""

SHOWN = 40
"""Characters on either side of a word that are shown with it."""


MAX_TEXT = 1 << 24
"""Bytes of the longest file that is proof-read."""


class Suspect(msgspec.Struct, frozen=True):
    """A word that is probably wrong.

    Parameters
    ----------
    line, column : where it is, from 1; columns count characters.
    confidence : the probability of the suggestion among the words of its set, from 0 to 1.
    context : the text around, on one line.
    offset : where the word begins in the context, in characters.
    start : where it begins in the text, in characters.

    Examples
    --------
    >>> print(Suspect(1, 6, "then", "than", 0.99, "More then two.", 5, 5))
    1:6: then -> than (99.0%)  More then two.
    """

    line: int
    column: int
    word: str
    suggestion: str
    confidence: float
    context: str
    offset: int
    start: int

    def __str__(self) -> str:
        found = f"{self.word} -> {self.suggestion} ({100 * self.confidence:.1f}%)"
        return f"{self.line}:{self.column}: {found}  {self.context}"


def make_suspects(text: str, found: Iterable[tuple[Word, str, float]]) -> Iterator[Suspect]:
    """The suspects for words of a text, in order.

    Parameters
    ----------
    found : words, those that should probably be there, and their probabilities.
    """
    curly = "’" in text and "'" not in text
    line, line_start, end = 1, 0, 0  # the text up to the end has been counted
    for word, better, confidence in found:
        line += text.count("\n", end, word.start)
        line_start = max(line_start, text.rfind("\n", end, word.start) + 1)
        end = word.start
        there = text[word.start : word.end]
        suggestion = in_case_of(there, better)
        context, offset = context_of(text, word)
        yield Suspect(
            line=line,
            column=word.start - line_start + 1,
            word=there,
            suggestion=suggestion.replace("'", "’") if curly else suggestion,
            confidence=confidence,
            context=context,
            offset=offset,
            start=word.start,
        )


def in_case_of(word: str, suggestion: str) -> str:
    """The suggestion with the capitals of the word that it replaces.

    Examples
    --------
    >>> in_case_of("Then", "than"), in_case_of("THEIR", "there"), in_case_of("I", "me")
    ('Than', 'THERE', 'me')
    """
    if len(word) > 1 and word.isupper():
        return suggestion.upper()
    if len(word) > 1 and word[:1].isupper():
        return suggestion[:1].upper() + suggestion[1:]
    return suggestion


def fixed(text: str, suspects: Iterable[Suspect]) -> str:
    """The text with every suggestion in place of its suspect.

    Examples
    --------
    >>> fixed("More then two.", [Suspect(1, 6, "then", "than", 0.99, "More then two.", 5, 5)])
    'More than two.'
    """
    parts, end = [], 0
    for one in suspects:
        parts += [text[end : one.start], one.suggestion]
        end = one.start + len(one.word)
    return "".join([*parts, text[end:]])


def read_text(path: FilePath) -> str:
    """The text of a file; `-` is stdin."""
    return decode(read_whole(path, MAX_TEXT), path, 1)


def fix_file(path: FilePath, text: str, suspects: Iterable[Suspect]) -> None:
    """Write the text of a file again, with every suggestion in it; all or nothing."""
    if str(path) == "-":
        raise UsageError("what comes from stdin cannot be fixed; name a file")
    with open_input(path) as before:
        mark = BYTE_ORDER_MARK if before.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK else b""
    with open_output(path) as stream:
        stream.write(mark + fixed(text, suspects).encode("utf-8"))


def is_mentioned(text: str, word: Word) -> bool:
    """Whether a word is only mentioned: alone in quotes, or with a slash beside it."""
    before, behind = text[max(word.start - 1, 0) : word.start], text[word.end : word.end + 1]
    return "/" in (before, behind) or (before in QUOTES and behind in QUOTES)


def context_of(text: str, word: Word) -> tuple[str, int]:
    """The text around a word with single blanks, and where the word begins in it."""
    start, end = word.start, word.end
    before = " ".join(text[max(start - SHOWN, 0) : start].split())
    rest = " ".join(text[start : end + SHOWN].split())
    gap = " " if before and text[start - 1].isspace() else ""
    return f"{before}{gap}{rest}", len(before) + len(gap)
