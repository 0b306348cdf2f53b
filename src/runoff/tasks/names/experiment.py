"""Experiments in finding names."""

from __future__ import annotations

from runoff.tasks.names.train import Plan, Training
from runoff.tasks.tagging.base_experiment import TaggingExperiment


class Experiment(TaggingExperiment):
    """A recipe of the task `names`."""

    task = "names"
    plan = Plan
    training = Training
