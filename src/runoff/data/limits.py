"""How long a sentence may be: one limit for every verb, and what is done about a longer one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from runoff.errors import TooLongError

CHARACTERS = 1 << 16
"""Characters of the longest sentence that any verb takes."""

FIELD = 1_000_000
"""Characters of the longest field of a record that is read."""

WORDS = {
    "tag": 10_000,
    "chunk": 1_000,
    "names": 1_000,
    "parse": 400,
    "propose": 1_000,
    "translate": 500,
}
"""Words of the longest sentence that a verb takes, if nothing else is said."""

Over: TypeAlias = Callable[[TooLongError], None]
"""What is given the error for an input that is too long. It raises it, or the input is skipped."""


def reject(error: TooLongError) -> None:
    """Raise the error for an input that is too long."""
    raise error


@dataclass(frozen=True)
class Limit:
    """The longest sentence that is taken; a longer one is an error, or is read as an empty one.

    Parameters
    ----------
    words, characters : how many it has at most.
    over : is given the error for a longer one; by default, it is raised.
    hint : how the number of words can be changed.

    Examples
    --------
    >>> Limit(1000).exceeded(40)
    False
    >>> Limit(1000, over=print).exceeded(1200, path="votes.txt", line=7)
    votes.txt:7: a sentence of more than 1,000 words
    True
    """

    words: int
    over: Over = reject
    hint: str | None = None
    characters: int = CHARACTERS

    def exceeded(
        self, words: int, characters: int = 0, *, path: object = None, line: int | None = None
    ) -> bool:
        """Whether a sentence is too long; if so, `over` has been given the error."""
        if characters > self.characters:
            most, hint = f"{self.characters:,} characters", None
        elif words > self.words:
            most, hint = f"{self.words:,} words", self.hint
        else:
            return False
        self.over(TooLongError(f"a sentence of more than {most}", path=path, line=line, hint=hint))
        return True


IN_CORPORA = Limit(1 << 20, characters=1 << 24)
"""For annotated files: a longer sentence is a broken file."""
