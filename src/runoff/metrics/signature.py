"""Signatures: how a figure was made, in one line beside it."""

from __future__ import annotations

import runoff


def signature(metric: str, **settings: object) -> str:
    """The signature of a figure: its metric, what else it depends on, and the version.

    Examples
    --------
    >>> signature("parseval|prm:collins", trees=2).rpartition("|v:")[0]
    'parseval|prm:collins|trees:2'
    """
    parts = [f"{name}:{setting}" for name, setting in settings.items()]
    return "|".join([metric, *parts, f"v:{runoff.__version__}"])
