"""What verbs do about an input that is too long: a warning, and on to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.data.limits import Over
    from runoff.errors import TooLongError

WARNINGS = 20
"""Inputs that are named; more of them are only counted."""


@contextmanager
def skipping(what: str) -> Iterator[Over]:
    """Warns of inputs that are too long, which are skipped, and counts them.

    Parameters
    ----------
    what : an input is called, e.g. `sentence`.
    """
    from rich.text import Text

    from runoff.cli.show import count_of, note
    from runoff.cli.terminal import Terminal

    skipped = 0

    def skip(error: TooLongError) -> None:
        nonlocal skipped
        skipped += 1
        if skipped <= WARNINGS:
            message = f"{error.message}; it is skipped"
            Terminal(stderr=True, soft_wrap=True).print(
                Text.assemble(("warning: ", "bold yellow"), message)
            )

    yield skip
    if skipped:
        note(f"{count_of(skipped, what)} skipped")
