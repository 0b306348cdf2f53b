"""Models that come with Runoff, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff.data.files import FilePath
from runoff.errors import UsageError
from runoff.store import is_model

DEFAULT = "english"
"""The model that is used where none is named."""

SHIPPED: dict[str, Path] = {}
"""Names of models and their files inside the package; the English one is still to come."""


def model_file(name: FilePath) -> FilePath:
    """The file of a shipped model; any other name is a file itself.

    Examples
    --------
    >>> model_file("mine.runoff")
    'mine.runoff'
    """
    if str(name) in SHIPPED:
        return SHIPPED[str(name)]
    if str(name) == DEFAULT and not Path(name).exists():
        raise UsageError(
            f"this Runoff comes without the model {DEFAULT!r}",
            hint="train one: runoff train parsing --train FILE --dev FILE -o MODEL",
        )
    return name


def model_and_files(arguments: Sequence[str]) -> tuple[FilePath, list[str]]:
    """The model that comes first among arguments, or else the default one, and the other arguments.

    Examples
    --------
    >>> model_and_files(["mine.runoff", "text.txt"])
    ('mine.runoff', ['text.txt'])
    """
    first, *others = arguments or [DEFAULT]
    named = DEFAULT not in SHIPPED or first in SHIPPED or is_model(first)
    name, files = (first, others) if named else (DEFAULT, list(arguments))
    return model_file(name), files
