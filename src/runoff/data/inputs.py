"""Inputs are never overwritten: a file that is read is not written, whatever it is called."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TextIO

from runoff.errors import UsageError

_Path = str | os.PathLike[str]
Identity = tuple[int, int]
"""Device and number of a file: the same under all its names and links."""


class _Files(NamedTuple):
    """Names by identity; a file that is gone may have left its identity to another."""

    targets: dict[Identity, _Path]
    read: dict[Identity, _Path]


_FILES: ContextVar[_Files | None] = ContextVar("files", default=None)


@contextmanager
def keeping_inputs(*targets: _Path) -> Iterator[None]:
    """Within it, reading a file that is to be written is an error, and writing one that was read.

    Parameters
    ----------
    targets : files that will be written at the end, so that the error comes at the beginning.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.txt").write_text("yes")
    >>> with keeping_inputs("./votes.txt"):
    ...     note_read("votes.txt")
    Traceback (most recent call last):
    ...
    runoff.errors.UsageError: votes.txt would be read and overwritten
    <BLANKLINE>
    Hint: write to another file
    """
    outer = _FILES.get() or _Files({}, {})
    found = ((_identity(target, sys.stdout), target) for target in targets)
    named = {identity: target for identity, target in found if identity is not None}
    token = _FILES.set(_Files(outer.targets | named, outer.read))
    try:
        yield
    finally:
        _FILES.reset(token)


@contextmanager
def reading_own_state() -> Iterator[None]:
    """Within it, what is read may be written again: checkpoints, caches, results of steps."""
    token = _FILES.set(None)
    try:
        yield
    finally:
        _FILES.reset(token)


def note_read(path: _Path) -> None:
    """Raise an error if a file that is about to be read is to be written; else remember it."""
    files = _FILES.get()
    found = None if files is None else _identity(path, sys.stdin)
    if files is None or found is None:
        return
    if found in files.targets and _identity(files.targets[found], sys.stdout) == found:
        raise _overwritten(path)
    files.read[found] = path


def check_not_read(path: _Path) -> None:
    """Raise an error if a file that is about to be written was read."""
    files = _FILES.get()
    found = None if files is None else _identity(path, sys.stdout)
    if files is None or found not in files.read:
        return
    if _identity(files.read[found], sys.stdin) == found:
        raise _overwritten(path)


def _overwritten(path: _Path) -> UsageError:
    name = str(path).encode(errors="backslashreplace").decode()
    return UsageError(f"{name} would be read and overwritten", hint="write to another file")


def _identity(path: _Path, stream: TextIO) -> Identity | None:
    """Of regular files only: pipes and devices are not overwritten."""
    try:
        found = os.fstat(stream.fileno()) if str(path) == "-" else os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):  # there is none, or a test has put something else there
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
