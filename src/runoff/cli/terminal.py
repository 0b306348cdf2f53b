"""The terminal: user text is shown as it is, and never interpreted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from runoff.data.text.printable import printable

LINES = str.maketrans("│─┌┐└┘├┤┬┴┼·", "|-+++++++++.")
"""The lines of drawings in ASCII, for terminals that have no others."""


class Terminal(Console):
    """A console for which all text is data: no markup, no emoji, no control characters."""

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False) -> None:
        super().__init__(
            stderr=stderr, soft_wrap=soft_wrap, highlight=False, markup=False, emoji=False
        )

    def render_str(self, text: str, **options: Any) -> Text:
        """Text as it is shown: what the terminal has no letter for is written with a backslash."""
        shown = printable(text)
        if not self.encoding.startswith("utf"):
            shown = shown.encode(self.encoding, "backslashreplace").decode(self.encoding)
        return super().render_str(shown, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is written for an object; styled text keeps its length, so its styles fit."""
        if isinstance(renderable, Text):
            shown = printable(renderable.plain)
            if not self.encoding.startswith("utf"):
                shown = shown.translate(LINES)
            if shown != renderable.plain:
                renderable = renderable.copy()
                renderable.plain = shown
        return super().render(renderable, options)

    def on_broken_pipe(self) -> None:
        """Leave it to the command, as with everything else that is written."""
        raise BrokenPipeError
