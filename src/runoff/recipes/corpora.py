"""The corpora of experiments, which are not shipped with Runoff, and where they are found."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from runoff.data.files import FilePath
from runoff.errors import FormatError, UsageError

Example = TypeVar("Example")

VARIABLE = "RUNOFF_DATA"
BESIDE = Path("..", "shared", "data")


def data_folder(given: FilePath | None = None, *, project: FilePath = ".") -> Path:
    """The folder of corpora: the one given, else RUNOFF_DATA, else ../shared/data of the project.

    Examples
    --------
    >>> Path("treebanks").mkdir(exist_ok=True)
    >>> data_folder("treebanks").name
    'treebanks'
    """
    named = given or os.environ.get(VARIABLE)
    folder = Path(named or Path(project) / BESIDE)
    if not folder.is_dir():
        unnamed = "" if named else f", {VARIABLE} is not set"
        raise UsageError(
            f"no folder of corpora: {folder} does not exist{unnamed}",
            hint=f"name the folder: --data DIR, or {VARIABLE}=DIR",
        )
    return folder


class Data(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The corpora of an experiment.

    Parameters
    ----------
    name : what they are called in tables.
    source : where to get them.
    train, dev, test : files, relative to the folder of corpora.
    held_out : how many of the last examples of a training file are development examples instead.
    items : how many trees, sentences or words of each file are taken, the first ones; all, if None.
    longest : trees with more words, punctuation counted, are left out of experiments in parsing.
    """

    name: str
    source: str
    train: tuple[str, ...]
    dev: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    held_out: dict[str, int] = {}
    items: int | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Check that what is held out is of training files."""
        for name, size in self.held_out.items():
            if name not in self.train:
                raise FormatError(f"{name} is held out, but no file of training data")
            if size < 1:
                raise FormatError(f"{size:,} examples of {name} cannot be held out")

    def files(self, part: str, folder: Path) -> list[Path]:
        """The files of a part of the data, all of which exist."""
        return self.located(getattr(self, part), folder)

    def missing(self, given: FilePath | None = None) -> list[str]:
        """The files that are not in the folder of corpora; all of them, if there is no folder."""
        names = [*self.train, *self.dev, *self.test]
        try:
            folder = data_folder(given)
        except UsageError:
            return names
        return [name for name in names if not (folder / name).exists()]

    def examples(
        self, part: str, folder: Path, read: Callable[[Path], Iterable[Example]]
    ) -> list[Example]:
        """The examples of a part of the data; each of its files must have some."""
        return [one for own in self.examples_by_file(part, folder, read).values() for one in own]

    def examples_by_file(
        self, part: str, folder: Path, read: Callable[[Path], Iterable[Example]]
    ) -> dict[str, list[Example]]:
        """The examples of a part of the data, by file; what is held out follows the files of `dev`.

        Raises
        ------
        FormatError : a file does not exist, or nothing of it is left.
        """
        found: dict[str, list[Example]] = {}
        held_out = self.held_out if part == "dev" else {}
        names = [*getattr(self, part), *held_out]
        for name, file in zip(names, self.located(names, folder), strict=True):
            own = list(islice(read(file), self.items))
            if name in held_out:
                own = own[-held_out[name] :]
            elif part == "train" and name in self.held_out:
                own = own[: -self.held_out[name]]
            if not own:
                raise FormatError("there is nothing to learn from or to measure by", path=file)
            found[name] = own
        return found

    def located(self, names: Iterable[str], folder: Path) -> list[Path]:
        """Files of a folder, all of which exist."""
        files = [folder / name for name in names]
        for file in files:
            if not file.exists():
                raise FormatError("no such file", path=file, hint=self.source)
        return files


def folder_of(data: Data, given: FilePath | None) -> Path:
    """The folder of corpora, or an error that says where to get these."""
    try:
        return data_folder(given)
    except UsageError as error:
        raise UsageError(error.message, hint=f"{error.hint}; {data.source}") from None
