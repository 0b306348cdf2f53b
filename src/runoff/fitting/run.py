"""The context of a fit: progress reporting, threads and checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from runoff.data.files import FilePath, check_target
from runoff.engine import Engine
from runoff.engine.progress import Progress, Step
from runoff.fitting.checkpoint import Checkpoint, State
from runoff.store.file import Arrays


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
