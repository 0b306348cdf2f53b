"""Finds corpora that are not shipped with Runoff."""

from __future__ import annotations

import os
from pathlib import Path

from runoff.data.files import FilePath
from runoff.errors import UsageError

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
