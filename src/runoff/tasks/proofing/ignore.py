"""What a proof reader passes over because its user said so: marks in a text, words, places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePath

from runoff.data.files import FilePath, read_text_lines
from runoff.errors import FormatError

_MARK = re.compile(r"\brunoff: (ignore|off|on)\b")
_PLACE = re.compile(r"(.+):(\d+)")


def ignored_lines(text: str) -> set[int]:
    r"""The lines of a text that marks in it exclude, from 1.

    A line with `runoff: ignore` is passed over, and so are all from `runoff: off` to `runoff: on`;
    the marks are usually in comments.

    Examples
    --------
    >>> sorted(ignored_lines("their # runoff: ignore\nno\n<!-- runoff: off -->\nthen\n"))
    [1, 3, 4]
    """
    if "runoff: " not in text:
        return set()
    lines, off = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        marks = _MARK.findall(line)
        if marks or off:
            lines.add(number)
        for mark in marks:
            off = off if mark == "ignore" else mark == "off"
    return lines


@dataclass(frozen=True)
class Ignored:
    """Words and places that are passed over.

    Parameters
    ----------
    words : in lower case, wherever they are.
    places : files with a line, from 1; a name without a folder is meant in any folder.

    Examples
    --------
    >>> ignored = Ignored(frozenset({"whose"}), frozenset({("letter.txt", 2)}))
    >>> ignored.has("Whose", "a.txt", 9), ignored.has("then", "old/letter.txt", 2)
    (True, True)
    """

    words: frozenset[str] = field(default=frozenset())
    places: frozenset[tuple[str, int]] = field(default=frozenset())

    @classmethod
    def read(cls, path: FilePath) -> Ignored:
        """Words and places of a file: `word` or `file:line`, one per line; `#` begins a comment.

        Raises
        ------
        FormatError : a line with more than one word.
        """
        words, places = set(), set()
        for number, line in read_text_lines(path):
            text = line.partition("#")[0].strip()
            if place := _PLACE.fullmatch(text):
                places.add((place[1], int(place[2])))
            elif " " in text:
                problem = f"expected a word or file:line, found {text[:60]!r}"
                raise FormatError(problem, path=path, line=number)
            elif text:
                words.add(text.lower())
        return cls(frozenset(words), frozenset(places))

    def has(self, word: str, name: str, line: int) -> bool:
        """Whether a word on a line of a file is passed over."""
        return word.lower() in self.words or any(
            line == number
            and PurePath(name).parts[-len(PurePath(file).parts) :] == PurePath(file).parts
            for file, number in self.places
        )


NOTHING = Ignored()
"""Nothing but what marks in the text exclude."""
