"""Tables of figures: what commands print and reports show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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
