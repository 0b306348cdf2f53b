"""Learning to predict words from plain text, which is read once and grown into a tree in shards.

With a folder for the work, the numbers of the words, the order of the features and every shard are
steps whose results are kept, and shards are grown by as many processes as are wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

import runoff
from runoff.data.files import FilePath, file_names
from runoff.data.numbering import OUTSIDE, Numbering, Numbers
from runoff.data.text.words import read_numbers, read_word_chunks
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError
from runoff.fitting.run import Run
from runoff.learners.igtree.shards import cut, joined
from runoff.learners.igtree.tree import IGTree, Shard, Windows
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.work_folder import StepResult, WorkFolder, files_key
from runoff.store.arrays import take
from runoff.store.file import load, save
from runoff.store.strings import StringTable, pack_words, take_words
from runoff.tasks.words.model import WordModel

KIND = "words step"

EXAMPLES = 2_000_000
"""Windows that are grown into a shard, approximately."""

DISCOUNT = 0.5
"""Default absolute discount, used when there is no development text to tune it."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a model of words is trained."""

    tokenized: bool = option(False, "The text is already tokenised; split it at whitespace only.")
    left: int = option(7, "Size of the context window to the left, in words.", min=0)
    right: int = option(
        7, "Size of the context window to the right, in words; 0 predicts the next word.", min=0
    )
    top: int = option(5, "Number of words that each node of the tree keeps.", min=1)
    min_count: int = option(
        1,
        "Leave out nodes of the tree with fewer examples than this, and words that are then in "
        "none; the model becomes much smaller, and predicts a little worse.",
        min=1,
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        check_sides(self.left, self.right)

    @property
    def tree(self) -> IGTree:
        """A tree with the options of the plan, still to be grown."""
        return IGTree(top=self.top, min_count=self.min_count)


def train(
    train: FilePath | Iterable[FilePath],
    dev: FilePath | Iterable[FilePath] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> WordModel:
    """A model of the words of plain text.

    Parameters
    ----------
    train, dev : files of text, each read as a stream; `dev` chooses the discount and tells how many
        words are predicted.
    work : folder in which the results of the steps are kept, so that training that was killed
        resumes from there.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("rhyme.txt").write_text("row row row your boat gently down the stream " * 2)
    >>> model = train("rhyme.txt", plan=Plan(left=2, right=2))
    >>> [nbest.candidates[0].output for nbest in model.predict("row your ___ gently")]
    ['boat']
    """
    plan, workers, files = plan or Plan(), Engine.of(engine), file_names(train)
    if work is None or "-" in map(str, files):  # what comes from stdin cannot be read twice
        growing = Numbering([OUTSIDE])
        texts = [read_numbers(file, growing, tokenized=plan.tokenized) for file in files]
        model = grow_words(texts, StringTable.of(growing), plan, engine=workers)
    else:
        model = _Steps(WorkFolder(work), plan, workers).model(files)
    if dev is not None:
        words = [
            word
            for file in file_names(dev)
            for chunk in read_word_chunks(file, tokenized=plan.tokenized)
            for word in chunk
        ]
        model.judge(words, threads=workers.threads)
    return model


def grow_words(
    texts: Sequence[Numbers],
    vocabulary: StringTable,
    plan: Plan,
    *,
    engine: Engine = ALONE,
) -> WordModel:
    """A model of texts that are numbers of words already, grown in one go."""
    windows = Windows.of_text(texts, plan.left, plan.right)
    engine.tell("tree", 0)
    tree = plan.tree.fit(check_size(windows), run=Run.on(engine))
    engine.tell("tree")
    return _model(tree, vocabulary, plan, len(windows.places))


class Sides(NamedTuple):
    """How many words on either side a tree looks at."""

    left: int
    right: int


def check_sides(left: int, right: int) -> Sides:
    """The sides of a window, if it is one."""
    if not 0 < left + right < 1 << 10 or min(left, right) < 0:
        raise UsageError(f"a window has 1 to 1,023 words, not {left} and {right}")
    return Sides(left, right)


def check_size(windows: Windows) -> Windows:
    """The windows, if there are any."""
    if not len(windows.places):
        raise FormatError("there are no words to learn from")
    return windows


def _model(tree: IGTree, vocabulary: StringTable, plan: Plan, size: int) -> WordModel:
    if plan.min_count > 1:
        vocabulary = _met_in(tree, vocabulary)
    training = {
        "runoff": runoff.__version__,
        "words": size,
        "vocabulary": len(vocabulary) - 1,
        "nodes": len(tree),
    }
    if plan.attribution is not None:
        training["attribution"] = plan.attribution
    return WordModel(tree, vocabulary, plan.left, plan.right, DISCOUNT, training)


def _met_in(tree: IGTree, vocabulary: StringTable) -> StringTable:
    """The words that a tree knows; it gets their new numbers, which rise as the old ones did."""
    met = np.union1d(tree.nodes_["values"], tree.nodes_["classes"])
    met = np.union1d(met, np.uint32(0))  # what is outside the text
    tree.take(
        tree.nodes_
        | {
            name: np.searchsorted(met, tree.nodes_[name]).astype(np.uint32)
            for name in ("values", "classes")
        }
    )
    return StringTable.of([vocabulary[number] for number in met.tolist()])


class _ShardJob(NamedTuple):
    """A job that grows a shard in a process: files and options."""

    text: Path
    order: Path
    plan: Plan
    shard: Shard
    output: Path


@dataclass(frozen=True)
class _Steps:
    """The steps of training, each of which gives its result, made now or earlier."""

    work: WorkFolder
    plan: Plan
    engine: Engine

    @property
    def sides(self) -> Sides:
        return Sides(self.plan.left, self.plan.right)

    def model(self, files: Sequence[FilePath]) -> WordModel:
        text = self.text(files)
        how = (self.plan.top, self.plan.min_count)
        windows = check_size(_windows(text.path, self.sides))
        order = self.order(text, windows)
        tree = _weighed(order.path, self.plan)
        shards = cut(windows, int(tree.order_[0]), EXAMPLES)
        made = [self.work.step("shard", ".runoff", order.key, *how, shard) for shard in shards]
        todo = [
            _ShardJob(text.path, order.path, self.plan, shard, one.path)
            for shard, one in zip(shards, made, strict=True)
            if not one.done
        ]
        with closing(self.engine.map(_grow_shard, todo)) as grown:
            for _ in self.engine.counted("shards", grown, len(todo), every=1):
                pass
        tree.take(joined([dict(load(one.path, kind=KIND).arrays) for one in made]))
        vocabulary = take_words(load(text.path, kind=KIND).arrays)
        return _model(tree, vocabulary, self.plan, len(windows.places))

    def text(self, files: Sequence[FilePath]) -> StepResult:
        """The words as numbers, with gaps between the texts, and the vocabulary."""
        gap, tokenized = max(self.sides), self.plan.tokenized
        made = self.work.step("text", ".runoff", files_key(files), tokenized, gap)
        if not made.done:
            self.engine.tell("text", 0)
            growing = Numbering([OUTSIDE])
            texts = [read_numbers(file, growing, tokenized=tokenized) for file in files]
            cells = Windows.of_text(texts, *self.sides).cells
            save(made.path, KIND, {}, {"cells": cells, **pack_words(StringTable.of(growing))})
            self.engine.tell("text")
        return made

    def order(self, text: StepResult, windows: Windows) -> StepResult:
        """The information gain of the features, and their order."""
        made = self.work.step("order", ".runoff", text.key, self.sides)
        if not made.done:
            self.engine.tell("order", 0)
            tree = IGTree().weigh(windows, run=Run(threads=self.engine.threads))
            save(made.path, KIND, {}, {"gains": tree.gains_, "order": tree.order_})
            self.engine.tell("order")
        return made


def _windows(text: Path, sides: Sides) -> Windows:
    return Windows.of_cells(take(load(text, kind=KIND).arrays, "cells", np.uint32), *sides)


def _weighed(order: Path, plan: Plan) -> IGTree:
    tree, arrays = plan.tree, load(order, kind=KIND).arrays
    tree.gains_, tree.order_ = take(arrays, "gains", np.float64), take(arrays, "order", np.uint32)
    return tree


def _grow_shard(job: _ShardJob) -> None:
    windows = _windows(job.text, Sides(job.plan.left, job.plan.right))
    nodes = _weighed(job.order, job.plan).grow(windows, job.shard)
    save(job.output, KIND, {}, nodes)
