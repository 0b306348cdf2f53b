"""Text that is safe to show: nothing in it moves the cursor, colours or reorders what follows."""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tabs and line ends; 0x80 to 0x9f begin escapes too
    "\u2028-\u202e\u2066-\u2069"  # separators of lines; embeddings and overrides of direction
    "\ud800-\udfff\ufffe\uffff"  # no characters: bytes of a file name that are not UTF-8, ...
)
_IN_TEXT = re.compile(f"[{_INVISIBLE}]")
_IN_LINE = re.compile(f"[{_INVISIBLE}\t\n]")


def printable(text: str) -> str:
    r"""The text with a mark in place of every character that a terminal would act on.

    Tabs and line ends stay.

    Examples
    --------
    >>> printable("red: \x1b[31m")
    'red: �[31m'
    """
    return _IN_TEXT.sub(REPLACEMENT, text)


def printable_line(text: str) -> str:
    r"""The text as `printable` has it, with marks for tabs and line ends too.

    Examples
    --------
    >>> printable_line("two\nlines")
    'two�lines'
    """
    return _IN_LINE.sub(REPLACEMENT, text)
