"""Experiments in chunking."""

from __future__ import annotations

from typing import Any

from runoff.recipes.experiment import Setting
from runoff.tasks.chunking.train import Plan, Training
from runoff.tasks.tagging.base_experiment import TaggingExperiment, with_text


class Experiment(TaggingExperiment):
    """A recipe of the task `chunking`."""

    task = "chunking"
    plan = Plan
    training = Training

    def located(self, plan: Any, setting: Setting) -> Any:
        """The plan with its files of text where they are."""
        return with_text(plan, self.recipe.data, setting)
