"""What a person has decided: pairs of records that are, or are not, one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.data.records.records import read_records
from runoff.errors import FormatError, UsageError
from runoff.proposers.identity.compared import Constraints

ANSWERS = {"yes": True, "y": True, "no": False, "n": False}


class Decision(NamedTuple):
    """Two records, by their ids, and whether they are one thing."""

    first: str
    second: str
    same: bool


def read_decisions(path: FilePath) -> list[Decision]:
    """The answers in a file with the columns first, second and answer: yes, no or nothing."""
    given = read_records(path)
    answers = given.column("answer")
    found = []
    rows = zip(given.column("first"), given.column("second"), answers, strict=True)
    for number, (first, second, answer) in enumerate(rows, 1):
        if answer is None:
            continue
        if answer.casefold() not in ANSWERS or first is None or second is None:
            expected = "two ids and an answer, yes or no"
            raise FormatError(f"row {number}: expected {expected}, not {answer!r}", path=path)
        found.append(Decision(first, second, ANSWERS[answer.casefold()]))
    return found


class Groups:
    """Numbers that are joined to groups, each named by its least one."""

    def __init__(self, n: int) -> None:
        self.parents = list(range(n))

    def find(self, one: int) -> int:
        """The name of a number's group."""
        while self.parents[one] != one:
            self.parents[one] = self.parents[self.parents[one]]
            one = self.parents[one]
        return one

    def join(self, a: int, b: int) -> None:
        """Make one group of two."""
        low, high = sorted((self.find(a), self.find(b)))
        self.parents[high] = low


def constraints(
    decisions: Sequence[Decision], ids: Sequence[str], node: NDArray[np.int64], n: int
) -> Constraints:
    """What decisions mean for the distinct records; those that contradict each other are an error.

    Parameters
    ----------
    node : which distinct record each record is, of `n`.
    """
    places = {one: place for place, one in enumerate(ids)}
    groups, apart = Groups(n), list[tuple[int, int, Decision]]()
    for one in decisions:
        for name in (one.first, one.second):
            if name not in places:
                raise UsageError(f"a decision speaks of {name!r}, which is the id of no record")
        a, b = (int(node[places[name]]) for name in (one.first, one.second))
        if one.same:
            groups.join(a, b)
        elif a == b:
            raise UsageError(
                f"{one.first!r} and {one.second!r} cannot be kept apart: they are equal in every "
                "field that is compared"
            )
        else:
            apart.append((a, b, one))
    for a, b, one in apart:
        if groups.find(a) == groups.find(b):
            raise UsageError(
                f"decisions contradict each other: {one.first!r} and {one.second!r} are not one "
                "thing by one of them, and one thing by others"
            )
    start = np.array([groups.find(one) for one in range(n)], dtype=np.uint32)
    left, right = (np.array([row[i] for row in apart], dtype=np.uint32) for i in (0, 1))
    return Constraints(start, left, right)
