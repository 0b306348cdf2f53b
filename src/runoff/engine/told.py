"""Progress told in words: one line per stage of the work, to the log of Python or to a stream."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from runoff.engine import Engine, Step

logger = logging.getLogger("runoff")

EVERY = 30.0
"""Seconds after which a stage that is still at work is told of again."""


class Told:
    """Takes steps of progress and tells of each stage when it begins, now and then, and as it ends.

    Parameters
    ----------
    say : is given each line; by default, the logger `runoff` is.
    least : seconds that a stage must have taken to be told of.

    Examples
    --------
    >>> told = Told(print)
    >>> for done in range(1, 4):
    ...     told(Step("features of train lists", done, 3, {}))
    >>> told(Step("perceptron", 1, 10, {"mistakes": 7.0}))
    features of train lists: 3 of 3
    >>> told.end()
    perceptron: 1 of 10, mistakes 7
    """

    def __init__(self, say: Callable[[str], None] = logger.info, least: float = 0.0) -> None:
        self._say, self._least = say, least
        self._last: Step | None = None
        self._began = self._at = time.monotonic()

    def __call__(self, step: Step) -> None:
        """Take a step; a line is said of the stage before it if this is another one."""
        if self._last is not None and self._last.stage != step.stage:
            self.end()
        if self._last is None:
            self._began = self._at = time.monotonic()
        self._last = step
        if time.monotonic() - self._at > EVERY:
            self._line(step)

    def end(self) -> None:
        """Say how far the last stage came."""
        if self._last is not None:
            self._line(self._last)
            self._last = None

    def _line(self, step: Step) -> None:
        self._at = time.monotonic()
        if self._at - self._began < self._least:
            return
        total = "" if step.total is None else f" of {step.total:,}"
        figures = "".join(f", {name} {value:,.6g}" for name, value in step.figures.items())
        self._say(f"{step.stage}: {step.done:,}{total}{figures}")


def telling(engine: Engine, stderr: bool = False) -> tuple[Engine, Told]:
    """The engine, which also tells the log, or stderr, of its progress; and what does the telling.

    The caller says when the work has ended.
    """
    told = Told(_to_stderr if stderr else logger.info)
    before = engine.progress

    def progress(step: Step) -> None:
        told(step)
        if before is not None:
            before(step)

    return replace(engine, progress=progress), told


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
