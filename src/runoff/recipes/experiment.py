"""What every task's experiments share: what the user says, and what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from runoff.data.files import FilePath
from runoff.fitting.run import Progress
from runoff.recipes.recipe import Recipe

Cell = str | int | float | None
Key = tuple[float, ...]

WORK = "reproduce.work"
"""Where steps are kept by default: one folder for all recipes, since they share steps."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the user says of a run.

    Parameters
    ----------
    data : the folder of corpora, see `runoff.recipes.corpora.data_folder`.
    wsj : the folder of the Wall Street Journal, which then takes the place of the data.
    work : folder in which the results of the steps are kept.
    plot : folder in which curves are drawn.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.
    """

    data: FilePath | None = None
    wsj: FilePath | None = None
    work: FilePath = WORK
    plot: FilePath | None = None
    jobs: int = 1
    progress: Progress | None = None


@dataclass(frozen=True)
class Table:
    """Figures of the paper and ours.

    Parameters
    ----------
    rows : all with the same columns.
    decimals : how many a column of fractions shows.
    """

    title: str
    rows: list[dict[str, Cell]]
    decimals: dict[str, int] = field(default_factory=dict)


class Model(Protocol):
    """What was learned."""

    def save(self, path: FilePath) -> None:
        """Write the model file."""


@dataclass(frozen=True)
class Outcome:
    """What came out: the model of the plan, tables, and files of curves."""

    model: Model
    tables: list[Table]
    plots: list[Path]


class Experiment(Protocol):
    """A recipe as its task understands it."""

    def __init__(self, recipe: Recipe) -> None: ...

    def run(self, setting: Setting) -> Outcome:
        """Do what the recipe says."""


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
