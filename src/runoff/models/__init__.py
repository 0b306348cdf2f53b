"""Models that come with Runoff, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff.data.files import FilePath
from runoff.store.file import is_model

DEFAULT = "english"
"""The model that parses and tags where none is named."""

SHIPPED = {name: Path(__file__).parent / f"{name}.runoff" for name in (DEFAULT, "confusables")}
"""Names of models and their files inside the package."""


def model_file(name: FilePath) -> FilePath:
    """The file of a shipped model; any other name is a file itself.

    Examples
    --------
    >>> model_file("mine.runoff")
    'mine.runoff'
    """
    return SHIPPED.get(str(name), name)


def model_and_files(arguments: Sequence[str]) -> tuple[FilePath, list[str]]:
    """The model that comes first among arguments, or else the default one, and the other arguments.

    Examples
    --------
    >>> model_and_files(["mine.runoff", "text.txt"])
    ('mine.runoff', ['text.txt'])
    """
    first, *others = arguments or [DEFAULT]
    named = first in SHIPPED or is_model(first) or Path(first).suffix == ".runoff"
    name, files = (first, others) if named else (DEFAULT, list(arguments))
    return model_file(name), files
