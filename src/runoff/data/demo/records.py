"""Made-up people, recorded more than once and with errors; which records are one person is known.

Names are made of syllables, so nobody is meant. Frequent names are frequent as in real
directories: the name of rank r has a probability in proportion to 1 / (r + 20).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.records.records import Records
from runoff.errors import UsageError, check_at_least, check_seed

SIZES = {1: 0.40, 2: 0.28, 3: 0.16, 4: 0.10, 6: 0.06}
"""Share of people by the number of their records."""

FIELDS = ("first_name", "middle_name", "last_name", "born", "street", "city", "postcode")

TYPING, MISSING = 0.12, 0.06
"""Share of values with a typing error, and of values that are left out."""

ABBREVIATED, SWAPPED = 0.15, 0.03
"""Share of records with initials only, and of those whose first and last names are swapped."""

WITH_MIDDLE, RELATED = 0.4, 0.2
"""Share of people with a middle name, and of those who live with the family of another."""

KINDS = ("Street", "Road", "Lane", "Avenue", "Square", "Hill")
SHORT = {"Street": "St.", "Road": "Rd.", "Lane": "Ln.", "Avenue": "Ave.", "Square": "Sq."}
ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pr r s sh st t tr v w z".split()
VOWELS = "a e i o u ai ea ie oa ou".split()
CODAS = ["", "", "", "l", "n", "r", "s", "t", "nd", "rk", "ck", "m"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Numbers = NDArray[np.int64]


def corrupted_records(
    count: int, *, seed: int = 0, sizes: Mapping[int, float] = SIZES, noise: float = 1.0
) -> Records:
    """Records of people in random order; the column `cluster` says who is who.

    Errors are independent of each other: typing errors, missing values, initials in place of
    first and middle names, first and last names swapped, abbreviated streets, day and month
    swapped. A million records take some seconds.

    Parameters
    ----------
    count : number of records.
    seed : the same seed gives the same records.
    sizes : share of people by the number of their records.
    noise : factor of all rates of errors; 0 makes exact copies.

    Examples
    --------
    >>> records = corrupted_records(1000, seed=1)
    >>> len(records), len(set(records.columns["cluster"]))
    (1000, 467)
    """
    check_at_least(1, count=count)
    check_at_least(0, noise=noise)
    if not sizes or min(sizes) < 1 or min(sizes.values()) < 0 or not sum(sizes.values()):
        raise UsageError(f"sizes must map numbers of records to shares, not {dict(sizes)}")
    rng = np.random.default_rng(check_seed(seed))
    owners = _owners(count, sizes, rng)
    people = _people(int(owners.max()) + 1, count, rng)
    columns = {name: [column[i] for i in owners.tolist()] for name, column in people.items()}
    errors = _Errors(count, noise, rng)
    _corrupt(columns, errors)
    clusters = [f"p{owner}" for owner in owners.tolist()]
    ids = [f"r{number}" for number in range(1, count + 1)]
    return Records(ids, ["cluster", *FIELDS], {"cluster": clusters, **columns})


def _owners(count: int, sizes: Mapping[int, float], rng: np.random.Generator) -> Numbers:
    """The person of each record, in random order."""
    shares = np.array(list(sizes.values()), dtype=np.float64)
    drawn = rng.choice(list(sizes), size=count, p=shares / shares.sum())
    people = int(np.searchsorted(np.cumsum(drawn), count)) + 1
    owners = np.repeat(np.arange(people), drawn[:people])[:count]
    return rng.permutation(owners)


def _people(number: int, count: int, rng: np.random.Generator) -> dict[str, list[Any]]:
    """The columns of people without errors; families share a last name and a home."""
    firsts = _words(max(50, int(count**0.5)), 1, rng)
    middles = zip(_drawn(firsts, number, rng), rng.random(number) < WITH_MIDDLE, strict=True)
    people: dict[str, list[Any]] = {
        "first_name": _drawn(firsts, number, rng),
        "middle_name": [middle if has_one else None for middle, has_one in middles],
        "last_name": _drawn(_words(max(100, int(20 * count**0.5)), 2, rng), number, rng),
        "born": (np.datetime64("1930-01-01") + rng.integers(0, 27000, number)).astype(str).tolist(),
        "street": [
            f"{house} {name} {KINDS[kind]}"
            for house, name, kind in zip(
                rng.integers(1, 200, number).tolist(),
                _drawn(_words(2000, 2, rng), number, rng),
                rng.integers(0, len(KINDS), number).tolist(),
                strict=True,
            )
        ],
        "city": _drawn(cities := _words(300, 2, rng), number, rng),
    }
    numbers = {city: 10000 + 100 * place for place, city in enumerate(cities)}
    districts = rng.integers(0, 90, number).tolist()
    people["postcode"] = [
        str(numbers[c] + d) for c, d in zip(people["city"], districts, strict=True)
    ]
    for place in np.flatnonzero(rng.random(number - 1) < RELATED).tolist():
        for name in ("last_name", "street", "city", "postcode"):
            people[name][place + 1] = people[name][place]
    return people


def _drawn(words: list[str], number: int, rng: np.random.Generator) -> list[str]:
    """Words at random, the first ones most often."""
    weights = 1 / (np.arange(len(words)) + 20)
    drawn = rng.choice(len(words), size=number, p=weights / weights.sum())
    return [words[i] for i in drawn.tolist()]


def _words(number: int, syllables: int, rng: np.random.Generator) -> list[str]:
    """Different words, with one syllable more where there are not enough."""
    words: dict[str, None] = {}
    while len(words) < number:
        length = syllables + int(rng.random() < 0.4) + (len(words) > 2000)
        parts = (
            ONSETS[rng.integers(len(ONSETS))]
            + VOWELS[rng.integers(len(VOWELS))]
            + CODAS[rng.integers(len(CODAS))]
            for _ in range(length)
        )
        words["".join(parts).capitalize()] = None
    return list(words)


class _Errors:
    """Chooses the records that have an error, and changes their values."""

    def __init__(self, count: int, noise: float, rng: np.random.Generator) -> None:
        self.count, self.noise, self.rng = count, noise, rng
        self.random = random.Random(int(rng.integers(1 << 32)))

    def places(self, rate: float) -> list[int]:
        """Records with an error that this share of them has."""
        found: list[int] = np.flatnonzero(
            self.rng.random(self.count) < min(1.0, rate * self.noise)
        ).tolist()
        return found

    def change(self, column: list[Any], rate: float, change: Callable[[str], str | None]) -> None:
        """Change some of the values that are not missing."""
        for place in self.places(rate):
            if column[place]:
                column[place] = change(column[place])

    def mistype(self, text: str) -> str:
        """A text with a letter too many, too few, wrong, or in the wrong order."""
        place, kind = self.random.randrange(len(text)), self.random.randrange(4)
        letter = self.random.choice(LETTERS if text[place].isalpha() else "0123456789")
        if kind == 0:
            return text[:place] + letter + text[place:]
        if kind == 1:
            return text[:place] + text[place + 1 :] or text
        if kind == 2:
            return text[:place] + letter + text[place + 1 :]
        return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def _corrupt(columns: dict[str, list[Any]], errors: _Errors) -> None:
    """Put errors into the columns."""
    first, middle, last = (columns[name] for name in FIELDS[:3])
    for place in errors.places(ABBREVIATED):
        first[place] = first[place][0] + "."
        middle[place] = middle[place] and middle[place][0] + "."
    for place in errors.places(SWAPPED):
        first[place], last[place] = last[place], first[place]
    errors.change(columns["born"], SWAPPED, lambda day: f"{day[:4]}-{day[8:]}-{day[5:7]}")
    errors.change(columns["street"], 3 * ABBREVIATED, _shortened)
    for column in columns.values():
        errors.change(column, TYPING, errors.mistype)
        errors.change(column, MISSING, lambda _: None)


def _shortened(street: str) -> str:
    start, _, kind = street.rpartition(" ")
    return f"{start} {SHORT.get(kind, kind)}"
