"""Limits of time, as commands take them."""

from __future__ import annotations

import re

from runoff.errors import UsageError

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def seconds(text: str) -> float:
    """The seconds of a limit such as `200ms`, `2s` or `5m`.

    Examples
    --------
    >>> seconds("200ms"), seconds("1.5s")
    (0.2, 1.5)
    """
    found = _BUDGET.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"--budget takes a time, e.g. 200ms, 2s or 5m; not {text!r}")
    return float(found[1]) * _SECONDS[found[2]]
