"""Learning to predict words from plain text, which is read once and grown into a tree in shards.

With a folder for the work, the numbers of the words, the order of the features and every shard are
steps whose results are kept, and shards are grown by as many processes as are wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

import runoff
from runoff.data.files import FilePath
from runoff.data.numbering import OUTSIDE, Numbering, Numbers
from runoff.data.text.words import read_word_chunks
from runoff.engine.processes import cores, mapper
from runoff.errors import FormatError, UsageError
from runoff.fitting.run import Progress, Run
from runoff.learners.igtree.shards import cut, joined
from runoff.learners.igtree.tree import IGTree, Shard, Windows
from runoff.pipeline.work_folder import Product, Work, counted, files_key, say
from runoff.store.file import load, save
from runoff.store.strings import StringTable, pack_words, take_words
from runoff.tasks.words.model import WordModel

KIND = "words step"

EXAMPLES = 2_000_000
"""So many windows are grown into a shard, about."""

DISCOUNT = 0.5
"""What probabilities lose to shorter contexts, where no text has chosen it."""


def train_words(
    files: Iterable[FilePath],
    dev: FilePath | None = None,
    *,
    tokenized: bool = False,
    left: int = 7,
    right: int = 7,
    top: int = 5,
    work: FilePath | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> WordModel:
    """A model of the words of files; each file is one text, read as a stream.

    Parameters
    ----------
    dev : a file that chooses the discount, and tells how many words are predicted.
    tokenized : what stands between blanks is a word, in all files.
    left, right : how many words on either side the tree looks at.
    top : how many words a node keeps.
    work : folder for what is done, so that training can be broken off.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("rhyme.txt").write_text("row row row your boat gently down the stream " * 2)
    >>> model = train_words(["rhyme.txt"], left=2, right=2)
    >>> [nbest.candidates[0].output for nbest in model.lists("row your ___ gently".split(), 1, [2])]
    ['boat']
    """
    named = list(files)
    if work is None or "-" in map(str, named):  # what comes from stdin cannot be looked at twice
        growing = Numbering([OUTSIDE])
        texts = [read_numbers(file, growing, tokenized=tokenized) for file in named]
        model = grow_words(
            texts, StringTable.of(growing), left, right, top, jobs=jobs, progress=progress
        )
    else:
        steps = _Steps(Work(work), check_sides(left, right), jobs, progress)
        model = steps.model(named, tokenized, top)
    if dev is not None:
        words = [word for chunk in read_word_chunks(dev, tokenized=tokenized) for word in chunk]
        model.judge(words, threads=cores(jobs))
    return model


def read_numbers(path: FilePath, growing: Numbering, *, tokenized: bool = False) -> Numbers:
    """The words of a file as numbers; new words get new ones."""
    chunks = [growing.numbers(words) for words in read_word_chunks(path, tokenized=tokenized)]
    return np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.uint32)


def grow_words(
    texts: Sequence[Numbers],
    vocabulary: StringTable,
    left: int,
    right: int,
    top: int,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> WordModel:
    """A model of texts that are numbers of words already, grown in one go."""
    windows = Windows.of_text(texts, *check_sides(left, right))
    say(progress, "tree", 0)
    run = Run(threads=cores(jobs), progress=progress)
    tree = IGTree(top=top).fit(check_size(windows), run=run)
    say(progress, "tree")
    return _model(tree, vocabulary, Sides(left, right), len(windows.places))


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


def _model(tree: IGTree, vocabulary: StringTable, sides: Sides, size: int) -> WordModel:
    training = {
        "runoff": runoff.__version__,
        "words": size,
        "vocabulary": len(vocabulary) - 1,
        "nodes": len(tree),
    }
    return WordModel(tree, vocabulary, *sides, DISCOUNT, training)


class _ShardJob(NamedTuple):
    """What a process needs to grow a shard: files, and how."""

    text: Path
    order: Path
    sides: Sides
    top: int
    shard: Shard
    output: Path


@dataclass(frozen=True)
class _Steps:
    """The steps of training, each of which gives its product, made now or earlier."""

    work: Work
    sides: Sides
    jobs: int
    progress: Progress | None

    def model(self, files: Sequence[FilePath], tokenized: bool, top: int) -> WordModel:
        text = self.text(files, tokenized)
        windows = check_size(_windows(text.path, self.sides))
        order = self.order(text, windows)
        tree = _weighed(order.path, top)
        shards = cut(windows, int(tree.order_[0]), EXAMPLES)
        made = [self.work.product("shard", ".runoff", order.key, top, shard) for shard in shards]
        todo = [
            _ShardJob(text.path, order.path, self.sides, top, shard, one.path)
            for shard, one in zip(shards, made, strict=True)
            if not one.done
        ]
        with mapper(self.jobs) as run:
            for _ in counted(self.progress, "shards", run(_grow_shard, todo), len(todo), every=1):
                pass
        tree.take(joined([dict(load(one.path, kind=KIND).arrays) for one in made]))
        vocabulary = take_words(load(text.path, kind=KIND).arrays)
        return _model(tree, vocabulary, self.sides, len(windows.places))

    def text(self, files: Sequence[FilePath], tokenized: bool) -> Product:
        """The words as numbers, with gaps between the texts, and the vocabulary."""
        gap = max(self.sides)
        made = self.work.product("text", ".runoff", files_key(files), tokenized, gap)
        if not made.done:
            say(self.progress, "text", 0)
            growing = Numbering([OUTSIDE])
            texts = [read_numbers(file, growing, tokenized=tokenized) for file in files]
            cells = Windows.of_text(texts, *self.sides).cells
            save(made.path, KIND, {}, {"cells": cells, **pack_words(StringTable.of(growing))})
            say(self.progress, "text")
        return made

    def order(self, text: Product, windows: Windows) -> Product:
        """The information gain of the features, and their order."""
        made = self.work.product("order", ".runoff", text.key, self.sides)
        if not made.done:
            say(self.progress, "order", 0)
            tree = IGTree().weigh(windows, run=Run(threads=cores(self.jobs)))
            save(made.path, KIND, {}, {"gains": tree.gains_, "order": tree.order_})
            say(self.progress, "order")
        return made


def _windows(text: Path, sides: Sides) -> Windows:
    return Windows.of_cells(load(text, kind=KIND).arrays["cells"], *sides)


def _weighed(order: Path, top: int) -> IGTree:
    tree, arrays = IGTree(top=top), load(order, kind=KIND).arrays
    tree.gains_, tree.order_ = arrays["gains"], arrays["order"]
    return tree


def _grow_shard(job: _ShardJob) -> None:
    nodes = _weighed(job.order, job.top).grow(_windows(job.text, job.sides), job.shard)
    save(job.output, KIND, {}, nodes)
