"""Tables of figures: what commands print and reports show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from runoff.data.nbest import Candidate

Cell = str | int | float | None
Key = tuple[float, ...]


@dataclass(frozen=True)
class Table:
    """A table of figures.

    Parameters
    ----------
    rows : all with the same columns.
    decimals : how many a column of fractions shows.
    """

    title: str
    rows: list[dict[str, Cell]]
    decimals: dict[str, int] = field(default_factory=dict)


def side_by_side(
    keys: Iterable[str], columns: Mapping[str, Mapping[Key, Cell]]
) -> list[dict[str, Cell]]:
    """Rows of several columns, joined by their keys; a column without any figure is left out.

    Examples
    --------
    >>> side_by_side(["rounds"], {"paper": {(10,): 48.6}, "ours": {(10,): 9.8, (100,): 56.7}})
    [{'rounds': 10, 'paper': 48.6, 'ours': 9.8}, {'rounds': 100, 'paper': None, 'ours': 56.7}]
    """
    names = list(keys)
    filled = {name: column for name, column in columns.items() if any_figure(column.values())}
    places = dict.fromkeys(place for column in filled.values() for place in column)
    return [
        {**dict(zip(names, place, strict=True)), **{n: c.get(place) for n, c in filled.items()}}
        for place in places
    ]


def any_figure(cells: Iterable[Cell]) -> bool:
    """Whether not all cells are empty."""
    return any(cell is not None for cell in cells)


def cells(values: Sequence[object], decimals: int | None = None) -> list[str]:
    """The values of one column as text, numbers with the same number of decimals.

    Examples
    --------
    >>> cells([10.188, 0.849, 0.0]), cells([12345, None]), cells([0.5, -2.25])
    (['10.19', '0.85', '0.00'], ['12,345', ''], ['0.5000', '-2.2500'])
    """
    floats = [value for value in values if isinstance(value, float)]
    if decimals is None:
        largest = max(map(abs, floats), default=0.0)
        decimals = 0 if all(f.is_integer() for f in floats) else 2 if largest >= 10 else 4
    return [_cell(value, decimals) for value in values]


def _cell(value: object, decimals: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.{decimals}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as lines of text; columns of numbers are aligned to the right.

    Examples
    --------
    >>> print(plain_table(["feature", "weight"], [["length", -0.5], ["unigram: scream", 12.25]]))
    feature          weight
    length            -0.50
    unigram: scream   12.25
    """
    made = []
    for place, column in enumerate(columns):
        values = [row[place] for row in rows]
        texts = [column, *cells(values)]
        width = max(map(len, texts))
        numeric = all(isinstance(value, int | float) or value is None for value in values)
        made.append([text.rjust(width) if numeric else text.ljust(width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*made, strict=True))


def shown_value(value: Any) -> str:
    """An input or output for people to read.

    Examples
    --------
    >>> shown_value(["We", "vote"]), shown_value("We vote"), shown_value({"a": 1})
    ('We vote', 'We vote', '{"a":1}')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return msgspec.json.encode(value, enc_hook=str).decode()


def shown_candidate(candidate: Candidate) -> str:
    """The output of a candidate for people to read; one without output is named by its rank.

    Examples
    --------
    >>> shown_candidate(Candidate("We vote")), shown_candidate(Candidate(features={"a": 1}, rank=2))
    ('We vote', 'candidate 3')
    """
    if candidate.output is not None:
        return shown_value(candidate.output)
    rank = "" if candidate.rank is None else f" {candidate.rank + 1}"
    comment = candidate.extra.get("comment")
    return f"candidate{rank}" + (f" ({comment})" if comment else "")
