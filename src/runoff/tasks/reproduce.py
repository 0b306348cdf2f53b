"""Repeating an experiment, by the name of its recipe."""

from __future__ import annotations

from runoff.data.files import FilePath
from runoff.errors import unknown_choice
from runoff.recipes.experiment import Experiment
from runoff.recipes.recipe import naming, read_recipe, recipe_file
from runoff.tasks import TASKS


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
    known = [name for name, task in TASKS.items() if task.has_experiments]
    with naming(file):
        if read.task not in known:
            raise unknown_choice("task", read.task, known)
        made: Experiment = TASKS[read.task].module("experiment").Experiment(read)
        return made
