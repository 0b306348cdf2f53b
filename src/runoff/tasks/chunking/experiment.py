"""Experiments in chunking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Setting
from runoff.tasks.chunking.train import Plan, Training
from runoff.tasks.tagging.base_experiment import TaggingExperiment


class Experiment(TaggingExperiment):
    """A recipe of the task `chunking`."""

    task = "chunking"
    plan = Plan
    training = Training

    def located(self, plan: Any, setting: Setting) -> Any:
        """The plan with its files of text where they are."""
        data = self.recipe.data
        files = data.located(plan.text, folder_of(data, setting.data)) if plan.text else ()
        return replace(plan, text=tuple(map(str, files)))
