"""Models that come with Runoff, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff.data.files import FilePath
from runoff.store.file import is_model

DEFAULTS = {
    "parse": "english",
    "tag": "english",
    "chunk": "english-chunks",
    "predict": "english-words",
    "proof": "confusables",
}
"""The names of the models that verbs take where none is named."""

SHIPPED = {name: Path(__file__).parent / f"{name}.runoff" for name in DEFAULTS.values()}
"""Names of models and their files inside the package."""


def model_file(name: FilePath) -> FilePath:
    """The file of a shipped model; any other name is a file itself.

    Examples
    --------
    >>> model_file("mine.runoff")
    'mine.runoff'
    """
    return SHIPPED.get(str(name), name)


def named_model(arguments: Sequence[str]) -> tuple[FilePath | None, list[str]]:
    """The model that comes first among arguments, if one does, and the other arguments.

    Examples
    --------
    >>> named_model(["mine.runoff", "text.txt"]), named_model(["text.txt"])
    (('mine.runoff', ['text.txt']), (None, ['text.txt']))
    """
    first, *others = arguments or [""]
    if first in SHIPPED or is_model(first) or Path(first).suffix == ".runoff":
        return model_file(first), others
    return None, list(arguments)


def model_and_files(arguments: Sequence[str], verb: str) -> tuple[FilePath, list[str]]:
    """The model that comes first among arguments, or else the verb's own, and the other arguments.

    Examples
    --------
    >>> model_and_files(["mine.runoff", "text.txt"], "parse")
    ('mine.runoff', ['text.txt'])
    """
    model, files = named_model(arguments)
    return model or SHIPPED[DEFAULTS[verb]], files
