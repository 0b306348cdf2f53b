"""Repeating an experiment, by the name of its recipe."""

from __future__ import annotations

from importlib import import_module

from runoff.data.files import FilePath
from runoff.errors import unknown_choice
from runoff.recipes.experiment import Experiment
from runoff.recipes.recipe import naming, read_recipe, recipe_file
from runoff.tasks import TASKS

STUDIES = {"links": "runoff.tasks.links"}
"""Packages of experiments that are of no task, since they rank the candidates of other programs."""


def experiment(recipe: FilePath, *, small: bool = False) -> Experiment:
    """The experiment of a shipped recipe or of a recipe's file, checked and ready to run.

    A small one takes minutes and shows that everything works; its figures mean nothing.

    Examples
    --------
    >>> experiment("english").recipe.task
    'parsing'
    """
    file = recipe_file(recipe)
    read = read_recipe(file)
    read = read.made_small() if small else read
    packages = {name: task.package for name, task in TASKS.items() if task.has_experiments}
    packages |= STUDIES
    with naming(file):
        if read.task not in packages:
            raise unknown_choice("task", read.task, packages)
        made: Experiment = import_module(f"{packages[read.task]}.experiment").Experiment(read)
        return made
