"""What the readers and writers share: numbers, ids, and the words for what cannot be written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from runoff.data.nbest import NBest
from runoff.errors import FormatError

SHOWN = 40
"""How much of a wrong text an error repeats, in characters."""

BLANKS = " \t\r\n"
"""What counts as whitespace in column files; other Unicode spaces belong to the words."""


def shown(text: str) -> str:
    """The text in quotes for an error, cut where it is long.

    Examples
    --------
    >>> shown("x")
    "'x'"
    """
    return ascii(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def read_number(text: str, path: object, line: int, key: str | None = None) -> float:
    """The finite number that a text spells.

    Examples
    --------
    >>> read_number("-1.5e3", "a.tsv", 1)
    -1500.0
    """
    try:
        value = float(text.replace("_", "?"))  # Python would read 1_0 as a number
    except ValueError:
        raise FormatError(f"not a number: {shown(text)}", path=path, line=line, key=key) from None
    if not math.isfinite(value):
        raise FormatError(f"not a finite number: {shown(text)}", path=path, line=line, key=key)
    return value


def read_id(text: str) -> str | int:
    """An id of a text format: a whole number where it is written as one, else the text.

    Examples
    --------
    >>> read_id("17"), read_id("017"), read_id("wsj_2300.1")
    (17, '017', 'wsj_2300.1')
    """
    short = text.isascii() and text.isdigit() and len(text) < 19
    return int(text) if short and (text == "0" or text[0] != "0") else text


class Unwritable(FormatError):
    """A list that a format cannot hold; the message names the list."""


class Numbered:
    """A list to be written to a file, with its index, from 0.

    The methods give back what is asked of a list, or say that the list does not have it.
    """

    def __init__(self, place: int, nbest: NBest) -> None:
        self.place, self.nbest = place, nbest
        if not nbest.candidates:
            raise self.error("has no candidates")

    def error(self, problem: str) -> Unwritable:
        """The error for this list."""
        number = f"list {self.place + 1}"
        name = number if self.nbest.id is None else f"{number}, id {shown(str(self.nbest.id))}"
        return Unwritable(problem, key=name)

    @property
    def id(self) -> str | int:
        """The list's id, or its index if it has none."""
        return self.place if self.nbest.id is None else self.nbest.id

    def number(self, value: float | None, what: str) -> str:
        """The number as text that reads back as the same number."""
        if value is None:
            raise self.error(f"has a candidate without {what}, which this format needs")
        if not math.isfinite(value):
            raise self.error(f"has a {what} that is not finite: {value}")
        return repr(float(value))

    def text(self, value: object, what: str, forbidden: str = "\r\n") -> str:
        """The value, if it is text without any of the forbidden characters."""
        if not isinstance(value, str):
            raise self.error(f"has {what} that is not text but {type(value).__name__}")
        if any(c in value for c in forbidden):
            raise self.error(f"has {what} which this format cannot hold: {shown(value)}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.error(f"has {what} with an unpaired surrogate: {shown(value)}") from None
        return value


def numbered(lists: Iterable[NBest]) -> Iterator[Numbered]:
    """The lists with their indices."""
    return (Numbered(place, nbest) for place, nbest in enumerate(lists))


class SeenIds:
    """The ids of a file so far; a repeated id is an error."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, name: object) -> bool:
        """Add an id; False if it was added before."""
        fresh = str(name) not in self._seen
        self._seen.add(str(name))
        return fresh
