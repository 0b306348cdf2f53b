"""Lists of decoders made smaller: equal outputs merged, and lists cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError, unknown_choice

WAYS = ("best", "sum")


def merged(lists: Iterable[NBest], how: str) -> Iterator[NBest]:
    """The lists without candidates whose output was there before.

    The candidate with the highest log-probability stays, where the first of them was.

    Parameters
    ----------
    how : `best` leaves its log-probability as it is; `sum` adds up the probabilities of all.

    Examples
    --------
    >>> heard = [Candidate("yes", -1.0), Candidate("no", -1.5), Candidate("yes", -1.0)]
    >>> [round(one.logprob, 4) for one in next(merged([NBest(1, None, heard)], "sum")).candidates]
    [-0.3069, -1.5]
    """
    if how not in WAYS:
        raise unknown_choice("way to merge", how, WAYS)
    for number, nbest in enumerate(lists, start=1):
        groups: dict[str, list[Candidate]] = {}
        for one in nbest.candidates:
            groups.setdefault(repr(one.output), []).append(one)
        if len(groups) == len(nbest):
            yield nbest
            continue
        made = [_joined(group, how, nbest.name(number)) for group in groups.values()]
        yield msgspec.structs.replace(nbest, candidates=made)


def _joined(group: list[Candidate], how: str, name: str) -> Candidate:
    known = [one.logprob for one in group if one.logprob is not None]
    if len(group) == 1 or not known:
        return group[0]
    if len(known) < len(group):
        raise FormatError(f"{name} has equal outputs with and without logprob")
    best = max(group, key=lambda one: one.logprob or -np.inf)
    if how == "best":
        return best
    return msgspec.structs.replace(best, logprob=float(np.logaddexp.reduce(known)))


def cut(lists: Iterable[NBest], n: int) -> Iterator[NBest]:
    """The first n candidates of each list in the base system's order, left as they stand.

    Examples
    --------
    >>> heard = [Candidate("no", -1.5), Candidate("yes", -1.0), Candidate("nay", -2.0)]
    >>> [one.output for one in next(cut([NBest(1, None, heard)], 2)).candidates]
    ['no', 'yes']
    """
    for nbest in lists:
        kept = sorted(nbest.base_order()[:n])
        yield msgspec.structs.replace(nbest, candidates=[nbest.candidates[i] for i in kept])
