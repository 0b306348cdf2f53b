"""Sets of words that writers confuse with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.data.files import FilePath, read_text_lines
from runoff.errors import FormatError, UsageError

PAPER_SETS = (
    ("cite", "site", "sight"),
    ("accept", "except"),
    ("affect", "effect"),
    ("fewer", "less"),
    ("among", "between"),
    ("I", "me"),
    ("than", "then"),
    ("there", "their", "they're"),
    ("to", "too", "two"),
)
"""The nine sets of Van den Bosch (2006), table 2."""

MORE_SETS = (
    ("its", "it's"),
    ("your", "you're"),
    ("whose", "who's"),
    ("lose", "loose"),
    ("weather", "whether"),
    ("quite", "quiet"),
    ("passed", "past"),
    ("advice", "advise"),
    ("breath", "breathe"),
    ("principal", "principle"),
)
"""Other words that are often confused."""


def forms_of(word: str) -> tuple[str, ...]:
    """How a word may be written; one with capitals of its own, as `I`, only so.

    Examples
    --------
    >>> forms_of("then"), forms_of("I")
    (('then', 'Then', 'THEN'), ('I',))
    """
    return (word, word.capitalize(), word.upper()) if word.islower() else (word,)


def read_sets(path: FilePath) -> list[tuple[str, ...]]:
    """Sets of words: one a line, with commas or blanks between; `#` begins a comment.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("sets.txt").write_text("desert, dessert  # sand or sweets")
    >>> read_sets("sets.txt")
    [('desert', 'dessert')]
    """
    sets = []
    for number, line in read_text_lines(path):
        words = line.partition("#")[0].replace(",", " ").split()
        if len(words) == 1:
            raise FormatError("a set has two words or more", path=path, line=number)
        if words:
            sets.append(tuple(words))
    return check_sets(sets)


def check_sets(sets: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The sets, if no word is in two of them."""
    checked = [tuple(one) for one in sets]
    words = [word.lower() for one in checked for word in one]
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice is not None:
        raise UsageError(f"the word {twice!r} comes twice among the sets")
    if not checked:
        raise UsageError("there are no sets of words")
    return checked
