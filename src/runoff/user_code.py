"""Users' own functions, named `module:function`.

Only names that the user typed may come here. A name out of a model, a recipe or a list never does:
reading a file runs no code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from runoff.errors import UsageError


def load_function(name: str, what: str) -> Callable[..., Any]:
    """Import a function; modules of the working folder are found, after all others.

    Examples
    --------
    >>> load_function("math:sqrt", "metric")(9)
    3.0
    """
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        function = getattr(import_module(module), attribute)
    except Exception as error:
        kind = (
            "" if isinstance(error, ImportError | AttributeError) else f"{type(error).__name__}: "
        )
        raise UsageError(f"cannot import the {what} {name!r}: {kind}{error}") from error
    if not callable(function):
        raise UsageError(f"the {what} {name!r} is not a function")
    return function  # type: ignore[no-any-return]


@cache
def plugins(kind: str) -> dict[str, EntryPoint]:
    """What installed packages offer, by name: entry points of the group `runoff.<kind>`.

    Kinds are `learners`, `metrics`, `features` and `formats`. Users install packages themselves, so
    names of these may come out of files too.
    """
    return {one.name: one for one in entry_points(group=f"runoff.{kind}")}


def plugin(kind: str, name: str) -> Any:
    """What an installed package offers under a name, imported; None if there is nothing."""
    found = plugins(kind).get(name)
    if found is None:
        return None
    try:
        return found.load()
    except Exception as error:
        raise UsageError(f"cannot import {name!r} of {found.value}: {error}") from error
