"""A small model of every kind: of each task, and rerankers of each learner; and how it is used."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from helpers.made.lists import attachments
from helpers.made.people import made_records
from helpers.made.tasks import MADE
from typer.testing import CliRunner

import runoff as ro
from runoff.cli.app import app
from runoff.data.nbest import Candidate, NBest
from runoff.errors import NotFittedError, UsageError
from runoff.learners import LEARNERS, make_ranker
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.why import why

FEW = {"size": 3, "frequency": 1, "rounds": 20}
OPTIONS = {
    "subtree-boost": {"subtree-boost": FEW, "subtree-boost, refit": {**FEW, "refit": 1.0}},
    "svm-rank": {"svm-rank": {"subsets": 2}},
    **{
        kernel: {f"{kernel}, {form}": {"form": form} for form in ("voted", "averaged")}
        for kernel in ("tree-kernel", "tagging-kernel")
    },
}
"""Learners of which there are several models, or that need options for a few lists."""


def reranker_options() -> dict[str, tuple[str, dict[str, Any]]]:
    """A learner and its options for the name of every reranker."""
    return {
        label: (learner, options)
        for learner in LEARNERS
        for label, options in OPTIONS.get(learner, {learner: {}}).items()
    }


NAMES = (*MADE, *reranker_options())
"""The names of the models: tasks, and learners of rerankers."""


def text_lists() -> list[NBest]:
    """Lists of texts, as of a recogniser, with features of their own."""
    pairs = [("ice cream", "I scream"), ("a nice day", "an ice day"), ("to be seen", "two bees in")]
    lists = []
    for number, (right, wrong) in enumerate(pairs * 4):
        candidates = [
            Candidate(wrong, -2.0, features={"length": 2.0, "noise": 0.25 * (number % 3)}),
            Candidate(right, -2.5, features={"length": 3.0}),
            Candidate(f"{right} please", -4.0 - number, features={"length": 4.0}),
        ]
        lists.append(NBest(number, None, candidates, gold=right))
    return lists


def tagging_lists() -> list[NBest]:
    """Lists of taggings; the base system misses names at the start of a sentence."""
    lists = []
    for number, name in enumerate(["Ann", "Bert", "Carla", "Ann"] * 2):
        words, right = [name, "votes", "in", "May"], ["B-PER", "O", "O", "O"]
        candidates = [Candidate(["O"] * 4, -1.0), Candidate(right, -1.5)]
        lists.append(NBest(number, words, candidates, gold=right))
    return lists


def lists_for(learner: str) -> tuple[list[NBest], dict[str, Any]]:
    """Lists that a learner can learn from, and how they are read."""
    if learner == "tagging-kernel":
        return tagging_lists(), {"features": "tagging", "metric": "chunk-f1"}
    if make_ranker(learner).takes_trees:
        return attachments(), {"features": "tree", "metric": "parseval"}
    cuts = {} if make_ranker(learner).takes_values else {"thresholds": (1, 2), "bins": 3}
    return text_lists(), {"features": ("given", "text"), "metric": "wer", **cuts}


def make_model(name: str, folder: Path) -> Path:
    """The file of a model, trained in a folder."""
    path = folder / f"{name}.runoff"
    if name in MADE:
        files = MADE[name].write(folder)
        ro.train(name, *files, **MADE[name].options).save(path)
        return path
    learner, options = reranker_options()[name]
    lists, how = lists_for(learner)
    ro.fit(lists, dev=lists[:4], learner=learner, options=options, min_lists=1, **how).save(path)
    return path


def use_model(name: str, path: Path) -> None:
    """Load the file and do all with it that users do: apply, ask why, look into it, save it."""
    model = ro.load(path)
    for _ in islice(_results(name, model), 1000):
        pass
    model.save(path.with_suffix(".again"))
    looked = CliRunner().invoke(app, ["inspect", str(path), "--top", "5"])
    if looked.exception is not None and not isinstance(looked.exception, SystemExit):
        raise looked.exception


def _results(name: str, model: Any) -> Iterator[object]:
    text = "The council counted more votes then the mayor. Ann sees the old school with glasses ."
    if isinstance(model, Reranker):
        lists, _ = lists_for(reranker_options()[name][0])
        yield from model.rerank(lists[:3])
        yield model.named_weights()
        try:
            yield why(model, lists[0])
        except UsageError as error:  # of learners whose scores are no sums
            yield error
    elif name == "words":
        yield model.predict("the new list is ___ than the old one", 3)
        yield model.predict_each(text.split())
    elif name == "lm":
        yield from model.pipe([text, ""])
        yield from model.lists(["The council", ""], 4)
        yield from model.scored(text_lists())
        model.write_arpa(os.devnull)
    elif name == "identity":
        records = made_records(9, seed=3)
        found = model.resolve(records)
        yield list(found)
        yield [found.why(one["id"], records[0]["id"]) for one in records[1:]]
    elif name == "proofing":
        yield model.proof(text)
    elif name == "translation":
        yield list(model.pipe([text, ""]))
        yield from model.lists([text], 4)
    elif name == "tagging":
        yield model.tag(text)
        yield from model.lists([text.split()], 4)
    else:
        yield [str(one) for own in model.pipe([text]) for one in own]
        yield from model.lists([text.split()], 4)
        try:
            yield from model.explained([text.split()], 2)
        except (NotFittedError, UsageError) as error:
            yield error
