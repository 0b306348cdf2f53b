"""The contract of experiments: the user's settings, and the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from runoff.data.files import FilePath
from runoff.engine import ALONE, Engine
from runoff.recipes.recipe import Recipe
from runoff.report.tables import Table

WORK = "reproduce.work"
"""Where steps are kept by default: one folder for all recipes, since they share steps."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The user's settings of a run.

    Parameters
    ----------
    data : the folder of corpora, see `runoff.recipes.corpora.data_folder`.
    wsj : the folder of the Wall Street Journal, which then takes the place of the data.
    work : folder in which the results of the steps are kept.
    plot : folder in which curves are drawn.
    engine : what runs the experiment.
    """

    data: FilePath | None = None
    wsj: FilePath | None = None
    work: FilePath = WORK
    plot: FilePath | None = None
    engine: Engine = ALONE


class Model(Protocol):
    """A trained model, which can be saved."""

    def save(self, path: FilePath) -> None:
        """Write the model file."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an experiment: the model of the plan, tables, and files of curves."""

    model: Model
    tables: list[Table]
    plots: list[Path]


class Experiment(Protocol):
    """A recipe, checked by its task and ready to run."""

    recipe: Recipe

    def __init__(self, recipe: Recipe) -> None: ...

    def run(self, setting: Setting) -> Outcome:
        """Run the experiment."""
