"""The lists of linkages that experiments take, made once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from runoff.data.files import read_text_lines
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.links import Linked, read_dependencies
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.data.text.read import sentences_of
from runoff.engine import Engine
from runoff.pipeline.work_folder import StepResult, WorkFolder, files_key
from runoff.proposers.parsing.linkage_lists import LinkageProposer
from runoff.tasks.links.plan import Plan

Item = TypeVar("Item")

PARTS = {"train": (0, 1, 2), "dev": (3,), "test": (4,)}
"""Articles of a corpus with gold links by their number, in the order of their ids, modulo 5."""


def gold_sentences(files: Sequence[Path], plan: Plan, part: str) -> list[Linked]:
    """Sentences of one part of the articles, drawn at random."""
    found = [
        one
        for file in files
        for one in read_dependencies(file)
        if plan.shortest <= len(one.words) <= plan.longest
    ]
    names = sorted({one.document or "" for one in found})
    numbers = {name: number % 5 for number, name in enumerate(names)}
    own = [one for one in found if numbers[one.document or ""] in PARTS[part]]
    return _drawn(own, getattr(plan, part), plan.seed)


def plain_sentences(files: Sequence[Path], plan: Plan) -> list[Sentence]:
    """Sentences of files with one per line, drawn at random; words with hyphens stay whole."""
    lines = [line.strip() for file in files for _, line in read_text_lines(file)]
    chosen = _drawn([line for line in lines if line], plan.sentences, plan.seed)
    joined = [
        tuple(word for one in sentences_of(line, hyphens=True) for word in one.words)
        for line in chosen
    ]
    return [Sentence(words) for words in joined]


def _drawn(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    return random.Random(seed).sample(list(items), min(size, len(items)))


def linkages(
    sentences: Sequence[Sentence | Linked],
    proposer: LinkageProposer,
    work: WorkFolder,
    engine: Engine,
    files: Sequence[Path],
    stage: str,
) -> StepResult:
    """The lists of sentences, as a step whose result is kept."""
    words = [one.words for one in sentences]
    made = work.step("linkages", ".jsonl.gz", files_key(files), words, proposer)
    if not made.done:
        lists = proposer.lists(sentences, engine=engine)
        write_nbest(engine.counted(stage, lists, len(sentences), 1), made.path)
    return made


def linked_lists(made: StepResult) -> list[NBest]:
    """The lists of a step that have any linkage."""
    return [nbest for nbest in read_nbest(made.path) if nbest.candidates[0].output]
