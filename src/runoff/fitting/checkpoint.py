"""Checkpoints: the state of an unfinished fit in a file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.data.inputs import reading_own_state
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
