"""Lists of sentences with their gold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from runoff.data.nbest import NBest


def with_gold(lists: Iterable[NBest], gold: Iterable[Sequence[str]]) -> Iterable[NBest]:
    """The lists with the gold of each."""
    for nbest, own in zip(lists, gold, strict=True):
        yield replace(nbest, gold=list(own))


def numbered(lists: Iterable[NBest]) -> Iterable[NBest]:
    """The lists with their numbers, from 1, as ids."""
    for number, nbest in enumerate(lists, 1):
        yield replace(nbest, id=number)
