"""A folder for long work: every step's result is a file whose name says what it depends on.

Work that was killed resumes where it was, and when something changes, only what depends on it is
done again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import runoff
from runoff.data.files import FilePath, read_chunks
from runoff.data.inputs import reading_own_state
from runoff.errors import FormatError
from runoff.store.file import VERSION, is_intact

logger = logging.getLogger(__name__)


class StepResult(NamedTuple):
    """The result of a step: its file, and the key of all that it depends on."""

    path: Path
    key: str

    @property
    def done(self) -> bool:
        """Whether the step was finished: its file is there, and as it was written.

        Files appear whole or not at all, but disks fail. A damaged one is made again.
        """
        if not self.path.is_file():
            return False
        if _is_intact(self.path):
            return True
        logger.warning("%s is damaged, so it is made again", self.path)
        return False

    @property
    def checkpoint(self) -> Path:
        """The file that keeps the state of a step while it is running."""
        return self.path.with_name(f"{self.path.name}.checkpoint")


class WorkFolder:
    """A folder of step results.

    Examples
    --------
    >>> work = WorkFolder("votes.work")
    >>> ten, fifty = (work.step("lists", ".jsonl.gz", "collins", n) for n in (10, 50))
    >>> ten.done, ten.key == fifty.key, ten.path.name.startswith("lists-")
    (False, False, True)
    """

    def __init__(self, folder: FilePath) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def step(self, name: str, suffix: str, *depends: object) -> StepResult:
        """The result of a step that depends on these things: keys of others, parameters, hashes.

        A model file of another format cannot be read, so it is made again. All other files are
        gzipped, which gives them a checksum, as model files have one.
        """
        layout = (VERSION,) if suffix == ".runoff" else ()
        key = hash_of([name, runoff.__version__, *map(repr, depends + layout)])
        return StepResult(self.folder / f"{name}-{key}{suffix}", key)


def hash_of(texts: Iterable[str]) -> str:
    """A short hash of texts."""
    digest = hashlib.blake2b(digest_size=8)
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def files_key(files: Iterable[FilePath]) -> str:
    """A hash of the contents of files, gunzipped, one after the other."""
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        size = 0
        for chunk in read_chunks(file):
            digest.update(chunk)
            size += len(chunk)
        digest.update(b"%d" % size)
    return digest.hexdigest()


def _is_intact(path: Path) -> bool:
    """Whether a file is as it was written, by the checksum in it; the whole file is read."""
    if path.suffix != ".gz":
        return is_intact(path)
    try:
        with reading_own_state():
            for _ in read_chunks(path):
                pass
    except FormatError:
        return False
    return True


def default_work(model: FilePath) -> Path:
    """The default folder for the steps of a training: next to the model."""
    return Path(f"{model}.work")
