"""Tasks, one line each: from `TASKS` come loading, training, inspection, experiments and help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Task:
    """A task: a folder of `runoff.tasks`, its models and its verb.

    Its modules always have the same names: `model`, `train` with `Plan` and `train`, `report` with
    `summary` and, where it can tell, `weights` of a model and what it knows `about` a word, and
    `experiment` with `Experiment` if there are recipes of it.

    Parameters
    ----------
    package : the folder.
    model : the class of its models, in `model.py`.
    kind : what its model files say that they are.
    verb : the command that puts a model to work.
    metric : what makes a candidate, or a whole model, good.
    learns : what is learned from what, a sentence for `runoff train`.
    """

    package: str
    model: str
    kind: str
    verb: str
    metric: str
    learns: str

    def module(self, name: str) -> ModuleType:
        """One of its modules."""
        return import_module(f"{self.package}.{name}")

    @property
    def model_class(self) -> Any:
        """The class of its models."""
        return getattr(self.module("model"), self.model)

    @property
    def has_experiments(self) -> bool:
        """Whether there are recipes of it."""
        return find_spec(f"{self.package}.experiment") is not None


TASKS: Mapping[str, Task] = {
    "tagging": Task(
        "runoff.tasks.tagging", "TaggingModel", "tagger", "tag", "accuracy",
        "Train a tagger on tagged sentences or a treebank.",
    ),
    "chunking": Task(
        "runoff.tasks.chunking", "ChunkingModel", "chunker", "chunk", "chunk-f1",
        "Train a chunker, a CRF with a ranker of its taggings, on a treebank or on chunk tags.",
    ),
    "names": Task(
        "runoff.tasks.names", "NamesModel", "names", "names", "chunk-f1",
        "Train a name finder, a tagger with a ranker of its taggings, on sentences with name tags.",
    ),
    "parsing": Task(
        "runoff.tasks.parsing", "ParsingModel", "parser", "parse", "parseval",
        "Train a parser, with a tagger before it and a ranker after it, on a treebank.",
    ),
    "words": Task(
        "runoff.tasks.words", "WordModel", "words", "predict", "accuracy",
        "Train a model that predicts words from their neighbours, on plain text.",
    ),
    "lm": Task(
        "runoff.tasks.lm", "LanguageModel", "language model", "score", "perplexity",
        "Train an n-gram language model on plain text.",
    ),
    "proofing": Task(
        "runoff.tasks.proofing", "ConfusablesModel", "confusables", "proof", "accuracy",
        "Train a proof reader for commonly confused words, on plain text.",
    ),
    "translation": Task(
        "runoff.tasks.translation", "TranslationModel", "translator", "translate", "bleu",
        "Train a translator on parallel text.",
    ),
    "identity": Task(
        "runoff.tasks.identity", "IdentityModel", "identity", "resolve", "pair-f1",
        "Train a model that finds records of one thing, on records whose clusters are known.",
    ),
}  # fmt: skip
"""Every task, in the order in which help texts list them."""


def task_of(kind: str) -> Task | None:
    """The task whose model files say that they are of this kind."""
    return next((task for task in TASKS.values() if task.kind == kind), None)
