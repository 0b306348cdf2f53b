"""Repeating an experiment, by the name of its recipe."""

from __future__ import annotations

from runoff.data.files import FilePath
from runoff.errors import unknown_choice
from runoff.recipes.experiment import Experiment
from runoff.recipes.recipe import naming, read_recipe, recipe_file
from runoff.tasks.chunking.experiment import ChunkingExperiment, NamesExperiment
from runoff.tasks.parsing.experiment import ParsingExperiment
from runoff.tasks.words.experiment import WordsExperiment

TASKS: dict[str, type[Experiment]] = {
    "chunking": ChunkingExperiment,
    "names": NamesExperiment,
    "parsing": ParsingExperiment,
    "words": WordsExperiment,
}
"""What carries out the recipes of a task."""


def experiment(recipe: FilePath) -> Experiment:
    """The experiment of a shipped recipe or of a recipe's file, checked and ready to run.

    Examples
    --------
    >>> type(experiment("english")).__name__
    'ParsingExperiment'
    """
    file = recipe_file(recipe)
    read = read_recipe(file)
    with naming(file):
        if read.task not in TASKS:
            raise unknown_choice("task", read.task, TASKS)
        return TASKS[read.task](read)
