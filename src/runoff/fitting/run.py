"""The context of a fit: progress reporting, threads, and checkpoints of its state in a file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from runoff.data.files import FilePath, check_target
from runoff.data.inputs import reading_own_state
from runoff.engine import Engine, Progress, Step
from runoff.errors import ModelError
from runoff.store.file import Arrays, is_intact, load, save

logger = logging.getLogger(__name__)

KIND = "checkpoint"

State = Callable[[], dict[str, NDArray[Any]]]


class Checkpoint:
    """The state of an unfinished fit in a file, so that a killed run resumes to the same bytes.

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
        """The state that was kept; empty where there is none for this key, or a damaged one."""
        if not self.path.exists():
            return {}
        if not is_intact(self.path):
            logger.warning("%s is damaged, so the fit starts from the beginning", self.path)
            return {}
        try:
            with reading_own_state():
                _, header, arrays = load(self.path, kind=KIND)
        except ModelError:  # of another version
            return {}
        return {name: arrays[name] for name in header["names"]} if header["key"] == self.key else {}

    def offer(self, state: State) -> None:
        """Offer a state to resume from; written if the last write is long enough ago.

        `state` may be called much later, so it must not see what the fit does in between.
        """
        self._latest = state
        if time.monotonic() - self._written >= self.seconds:
            self.flush()

    def flush(self) -> None:
        """Write the last state that was offered."""
        if self._latest is not None:
            arrays = self._latest()
            header = {"key": self.key, "names": list(arrays)}  # in their order, as records need it
            save(self.path, KIND, header, arrays)
            self._latest, self._written = None, time.monotonic()

    def remove(self) -> None:
        """Delete the file: the fit is finished."""
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Run:
    """The context of a fit.

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
        """The context of a fit with the threads and the progress callback of an engine."""
        return cls(threads=engine.threads, progress=engine.progress)

    def report(self, stage: str, done: int, total: int | None, **figures: float) -> None:
        """Report the progress of the fit."""
        if self.progress is not None:
            self.progress(Step(self.prefix + stage, done, total, figures))

    def saved(self) -> Arrays:
        """The state of an earlier run to resume from, or nothing."""
        if self.checkpoint is None:
            return {}
        found = self.checkpoint.load()
        size = len(self.prefix)
        return {key[size:]: found[key] for key in found if key.startswith(self.prefix)}

    def keep(self, state: State) -> None:
        """Offer a state to resume from; see `Checkpoint.offer`."""
        if self.checkpoint is not None:
            self.checkpoint.offer(lambda: {**self.finished, **self.named(state())})

    def named(self, arrays: Arrays) -> dict[str, NDArray[Any]]:
        """The arrays under the names that the checkpoint gives them."""
        return {self.prefix + key: array for key, array in arrays.items()}

    def part(self, name: str, finished: Arrays) -> Run:
        """The context of one part of a fit; `finished` is added to every state of it."""
        return replace(self, prefix=f"{self.prefix}{name}: ", finished=finished)


@contextmanager
def resumable(run: Run, path: FilePath | None, key: str) -> Iterator[Run]:
    """The run with a checkpoint in a file, which is removed once the fit has finished.

    A fit that is interrupted keeps its state, and says so. Without a path nothing is kept.
    """
    if path is None:
        yield run
        return
    check_target(path)
    kept = Checkpoint(path, key)
    try:
        yield replace(run, checkpoint=kept)
    except KeyboardInterrupt:
        kept.flush()
        if kept.load():
            sentence = f"interrupted; the same command resumes from {kept.path}"
            raise KeyboardInterrupt(sentence) from None
        raise
    kept.remove()


ALONE = Run()
"""One thread, nobody to tell, nothing kept."""
