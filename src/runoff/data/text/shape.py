"""The shape of a word: the kinds of its characters."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def squeezed(shape: Iterable[str]) -> str:
    """The shape with each run of a kind once.

    Examples
    --------
    >>> squeezed("XxXxxxxx"), squeezed("ddd,ddd.dd")
    ('XxXx', 'd,d.d')
    """
    return "".join(kind for kind, _ in groupby(shape))
