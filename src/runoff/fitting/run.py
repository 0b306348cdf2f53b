"""What surrounds a fit: who hears of its progress, its threads, where its state is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.engine import Engine
from runoff.engine.progress import Progress, Step
from runoff.errors import FormatError
from runoff.store.file import Arrays, load, save

KIND = "checkpoint"

State = Callable[[], dict[str, NDArray[Any]]]


class Checkpoint:
    """The state of an unfinished fit in a file, so that a killed run goes on to the same bytes.

    Parameters
    ----------
    path : the file; it is written atomically.
    key : says which fit this is: learner, parameters, data. A file with another key is not used.
    seconds : how long to wait between two writes.

    Examples
    --------
    >>> import numpy as np
    >>> checkpoint = Checkpoint("fit.checkpoint", "perceptron, these lists")
    >>> checkpoint.offer(lambda: {"w": np.ones(3)})
    >>> checkpoint.flush()
    >>> Checkpoint("fit.checkpoint", "perceptron, these lists").load()["w"].tolist()
    [1.0, 1.0, 1.0]
    >>> Checkpoint("fit.checkpoint", "perceptron, other lists").load()
    {}
    """

    def __init__(self, path: FilePath, key: str, seconds: float = 30.0) -> None:
        self.path = Path(path)
        self.key = key
        self.seconds = seconds
        self._latest: State | None = None
        self._written = time.monotonic()

    def load(self) -> Arrays:
        """The state that was kept; empty where there is none for this key."""
        try:
            _, header, arrays = load(self.path, kind=KIND)
        except (FormatError, OSError):  # none, or damaged: the fit starts from the beginning
            return {}
        return arrays if header.get("key") == self.key else {}

    def offer(self, state: State) -> None:
        """Take note of a state to go on from; written when the last write is long enough ago.

        `state` may be called much later, so it must not see what the fit does in between.
        """
        self._latest = state
        if time.monotonic() - self._written >= self.seconds:
            self.flush()

    def flush(self) -> None:
        """Write the last state that was offered."""
        if self._latest is not None:
            save(self.path, KIND, {"key": self.key}, self._latest())
            self._latest, self._written = None, time.monotonic()

    def remove(self) -> None:
        """Delete the file: the fit is finished."""
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Run:
    """What surrounds a fit.

    Parameters
    ----------
    threads : how many native code may use; what is learned does not depend on it.
    progress : told how far the fit has come.
    checkpoint : where the state is kept; without one nothing is.
    prefix, finished : for fits that are made of several: what the names of this one's state begin
        with, and the state of those before it.
    """

    threads: int = 1
    progress: Progress | None = None
    checkpoint: Checkpoint | None = None
    prefix: str = ""
    finished: Arrays = field(default_factory=dict)

    @classmethod
    def on(cls, engine: Engine) -> Run:
        """A fit with the threads of an engine, which is told of its progress."""
        return cls(threads=engine.threads, progress=engine.progress)

    def report(self, stage: str, done: int, total: int | None, **figures: float) -> None:
        """Tell how far the fit has come."""
        if self.progress is not None:
            self.progress(Step(self.prefix + stage, done, total, figures))

    def saved(self) -> Arrays:
        """The state of an earlier run to go on from, or nothing."""
        if self.checkpoint is None:
            return {}
        found = self.checkpoint.load()
        size = len(self.prefix)
        return {key[size:]: found[key] for key in found if key.startswith(self.prefix)}

    def keep(self, state: State) -> None:
        """Offer a state to go on from; see `Checkpoint.offer`."""
        if self.checkpoint is not None:
            self.checkpoint.offer(lambda: {**self.finished, **self.named(state())})

    def named(self, arrays: Arrays) -> dict[str, NDArray[Any]]:
        """The arrays under the names that the checkpoint gives them."""
        return {self.prefix + key: array for key, array in arrays.items()}

    def part(self, name: str, finished: Arrays) -> Run:
        """The same surroundings for one part of a fit; `finished` goes into every state of it."""
        return replace(self, prefix=f"{self.prefix}{name}: ", finished=finished)


@contextmanager
def resumable(run: Run, path: FilePath | None, key: str) -> Iterator[Run]:
    """The run with a checkpoint in a file, which is removed once the fit has finished.

    A fit that is interrupted keeps its state, and says so. Without a path nothing is kept.
    """
    if path is None:
        yield run
        return
    kept = Checkpoint(path, key)
    try:
        yield replace(run, checkpoint=kept)
    except KeyboardInterrupt:
        kept.flush()
        if kept.load():
            sentence = f"interrupted; the same command goes on from {kept.path}"
            raise KeyboardInterrupt(sentence) from None
        raise
    kept.remove()


def record_columns(rows: Sequence[dict[str, float]]) -> dict[str, NDArray[Any]]:
    """Rows of a record as arrays, to go into a state; all rows have the same keys.

    Examples
    --------
    >>> record_columns([{"epoch": 1.0, "wrong": 7.0}, {"epoch": 2.0, "wrong": 4.0}])
    {'record: epoch': array([1., 2.]), 'record: wrong': array([7., 4.])}
    """
    keys = rows[0] if rows else ()
    return {_COLUMN + key: np.array([row[key] for row in rows]) for key in keys}


def record_rows(state: Arrays) -> list[dict[str, float]]:
    """The rows of a record that a state holds."""
    columns = {k[len(_COLUMN) :]: v.tolist() for k, v in state.items() if k.startswith(_COLUMN)}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


_COLUMN = "record: "

ALONE = Run()
"""One thread, nobody to tell, nothing kept."""
