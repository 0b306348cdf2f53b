"""Models by reference: jobs carry a name, the hash of a model's content, and workers load it once.

On one machine a model goes to workers as a file, which they map, so that all share its memory.
Elsewhere it is looked for in the folder `RUNOFF_SHARED`, if there is one; else its bytes are sent
along with the function, which goes to each worker once.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from runoff.data.files import FilePath, open_output
from runoff.errors import RunoffError
from runoff.store.file import checksum

SHARED = "RUNOFF_SHARED"
"""The variable that names a folder which the workers of a cluster see too."""

LOADED = 4
"""Models that a process keeps; a fold of a jackknife needs one after another."""

Model = TypeVar("Model")

_loaded: OrderedDict[str, Any] = OrderedDict()
_sending: ContextVar[bool] = ContextVar("sending", default=False)


class Reference(Generic[Model]):
    """A model as jobs carry it: in this process itself, in a worker's the one loaded there.

    Parameters
    ----------
    model : has `save`, which writes a model file.
    load : makes it again from the file.
    """

    def __init__(self, model: Model, load: Callable[[FilePath], Model]) -> None:
        self.model, self._load = model, load
        self._file: Path | None = None

    def __reduce__(self) -> tuple[object, ...]:
        if self._file is None:
            self._file = _kept(self.model)
        name, shared = self._file.stem, SHARED in os.environ
        data = self._file.read_bytes() if _sending.get() and not shared else None
        return _found, (_Sent(name, str(self._file), data), self._load)


class _Sent(NamedTuple):
    name: str
    path: str
    data: bytes | None


@contextmanager
def contents_sent(wanted: bool) -> Iterator[None]:
    """Within it, references carry the model's bytes, unless a folder is shared."""
    before = _sending.set(wanted)
    try:
        yield
    finally:
        _sending.reset(before)


def _found(sent: _Sent, load: Callable[[FilePath], Model]) -> Reference[Model]:
    """The reference in a worker, whose model is loaded unless this process has it."""
    if sent.name not in _loaded:
        path = Path(sent.path)
        if sent.data is not None:
            path = _folder() / path.name
            if not path.exists():
                with open_output(path) as stream:
                    stream.write(sent.data)
        if not path.exists():
            raise RunoffError(
                f"a worker does not see the model file {path}",
                hint=f"the folder {SHARED} must be one that all machines share",
            )
        _loaded[sent.name] = load(path)
    _loaded.move_to_end(sent.name)
    if len(_loaded) > LOADED:
        _loaded.popitem(last=False)
    return Reference(_loaded[sent.name], load)


def _kept(model: Any) -> Path:
    """A file of the model that is named by its content, in the shared folder or one of our own."""
    folder = _folder()
    written = Path(tempfile.mkdtemp(dir=folder)) / "model"
    try:
        model.save(written)
        path = folder / f"{checksum(written)}.runoff"
        if not path.exists():
            written.replace(path)
        return path
    finally:
        shutil.rmtree(written.parent)


def _folder() -> Path:
    shared = os.environ.get(SHARED)
    if shared is None:
        return _own_folder()
    Path(shared).mkdir(parents=True, exist_ok=True)
    return Path(shared)


@cache
def _own_folder() -> Path:
    """A folder that this process alone writes to, and that goes away with it."""
    folder = Path(tempfile.mkdtemp(prefix="runoff-models-"))
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, owner: int) -> None:
    """Remove a folder, but not in a fork of the process that it belongs to."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
