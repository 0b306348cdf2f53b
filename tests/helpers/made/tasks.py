"""For every task, a little data to learn from, and options with which that takes a moment."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from helpers.made.chunks import CHUNKED
from helpers.made.people import made_records
from helpers.made.sentences import TAGGED
from helpers.made.text import TEXT
from helpers.made.trees import made_trees

from runoff.data.demo.captions import captions
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import Sentence
from runoff.data.tagged import write_tagged
from runoff.data.tree import write_trees
from runoff.tasks import TASKS
from runoff.tasks.words.model import Asked


class Made(NamedTuple):
    """What a task learns from: files that are written to a folder, and options of the plan.

    `shown` are the same options, or some of them, as the command line has them.
    """

    write: Callable[[Any], tuple[Any, Any]]
    options: Mapping[str, Any]
    shown: list[str]


def _tagged(folder):
    write_tagged(TAGGED, folder / "data.tsv")
    return folder / "data.tsv", folder / "data.tsv"


def _chunked(folder):
    write_tagged(CHUNKED * 2, folder / "data.tsv")
    return folder / "data.tsv", folder / "data.tsv"


def _trees(folder):
    write_trees(made_trees(40), folder / "train.mrg")
    write_trees(made_trees(10, seed=1), folder / "dev.mrg")
    return folder / "train.mrg", folder / "dev.mrg"


def _text(folder):
    (folder / "data.txt").write_text(TEXT * 8)
    return folder / "data.txt", folder / "data.txt"


def _records(folder):
    for name, seed in (("train", 1), ("dev", 2)):
        lines = [json.dumps(one) for one in made_records(12, seed=seed)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return folder / "train.jsonl", folder / "dev.jsonl"


def _captions(folder):
    for name, pairs in (("train", captions()[:60]), ("dev", captions()[60:72])):
        for side, language in enumerate(("en", "de")):
            text = "".join(f"{pair[side]}\n" for pair in pairs)
            (folder / f"{name}.{language}").write_text(text)
    return tuple([folder / f"{n}.en", folder / f"{n}.de"] for n in ("train", "dev"))


TAGGER = {"prior": (10.0,), "min_count": 1, "iterations": 20}
MADE = {
    "tagging": Made(_tagged, {"prior": (1.0, 10.0), "min_count": 1}, ["--prior", "1,10"]),
    "chunking": Made(
        _chunked,
        {"prior": (1.0, 10.0), "folds": 2, "n": 5, "tagger_options": TAGGER, "attribution": "ours"},
        [
            "--prior",
            "1,10",
            "--folds",
            "2",
            "--tagger-option",
            "prior=10",
            "--attribution",
            'a "b"',
        ],
    ),
    "names": Made(
        _chunked,
        {"folds": 2, "n": 5, "tagger_options": TAGGER},
        ["--boundaries", "-O", "form=voted", "--no-rerank", "--features", "tagging"],
    ),
    "parsing": Made(
        _trees,
        {
            "folds": 2,
            "n": 8,
            "grammars": 1,
            "proposed": 20,
            "features": ("parse",),
            "options": {"prior": 1.0, "iterations": 20},
            "tagger_options": TAGGER,
            "parser_options": {"min_count": 1},
        },
        ["--thresholds", "1,2", "--parser-option", "min_count=1", "--features", "parse"],
    ),
    "words": Made(_text, {"left": 2, "right": 2}, ["--left", "2", "--tokenized"]),
    "lm": Made(_text, {"order": 3}, ["--order", "3", "--tokenized", "--arpa", "a.arpa"]),
    "proofing": Made(
        lambda folder: (_text(folder)[0], None),
        {"sets": (("than", "then"),), "false_alarms": 0.2, "iterations": 20},
        ["--false-alarms", "0.2", "--sets", "sets.txt"],
    ),
    "translation": Made(
        _captions,
        {"order": 3, "rounds": 3, "n": 20, "options": {"starts": 2}},
        ["--order", "3", "--features", "tillmann", "--beam", "single-beam", "-O", "starts=2"],
    ),
    "identity": Made(
        _records,
        {"folds": 2, "prior": (0.03, 0.3), "pair_prior": (0.1,)},
        ["--folds", "2", "--prior", "0.1,1", "--block", "town", "--gain", "difference"],
    ),
}
assert list(MADE) == list(TASKS)


def answers(name, model, *, gold):
    """What a model says of inputs, with their gold or with other gold."""
    if name == "words":
        words = "the new list is longer than the old one".split()
        asked = [*words[:5], words[5] if gold else "___", *words[6:]]
        (nbest,) = model.lists([Asked(asked, [5])], 3)
        return [(one.output, one.logprob) for one in nbest.candidates]
    if name == "identity":
        known = {"cluster": "1"} if gold else {"cluster": "2"}
        found = model.resolve([{**one, **known} for one in made_records(9, seed=3)])
        return [list(found), found.confidences]
    if name == "lm":
        words = "the new list is longer than the old one".split()
        nbest = NBest(1, None, [Candidate(words)], gold=words if gold else None)
        (scored,) = model.scored([nbest])
        return scored.candidates, model.score(words), list(model.lists([words], 3))
    if name == "translation":
        return list(model.lists(["A man sits in the park."], 3))
    if name == "proofing":
        words = "the new list is longer than the old one".split()
        asked = [*words[:5], words[5] if gold else "then", *words[6:]]
        return [expert.scores(asked, 5).tolist() for expert in model.experts]
    words = ("They", "voted", "on", "Monday", ".")
    sentence = Sentence(words, gold=("B-NP", "B-VP", "B-PP", "B-NP", "O") if gold else None)
    return list(model.lists([sentence], 2))
