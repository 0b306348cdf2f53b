"""Experiments in word prediction: learning curves of trees that know all words, and of experts.

Van den Bosch (2006): trees of growing pieces of one text, cut backward from where its last part,
the test, begins; they are tested there and on other texts (section 2.2).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.confusables import PAPER_SETS, check_sets, forms_of
from runoff.data.files import open_output, read_chunks
from runoff.data.numbering import OUTSIDE, Numbering, Numbers
from runoff.data.text.words import read_numbers
from runoff.errors import FormatError, UsageError, import_extra, unknown_choice
from runoff.fitting.run import Run
from runoff.learners.igtree.tree import IGTree, Windows
from runoff.pipeline.options import option
from runoff.pipeline.work_folder import WorkFolder, files_key
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, plans_of
from runoff.store.strings import StringTable
from runoff.tasks.words.coverage import coverage
from runoff.tasks.words.plots import draw
from runoff.tasks.words.tables import Coverage, Figures, Point, SetPoint, tables
from runoff.tasks.words.train import Plan as WordPlan
from runoff.tasks.words.train import grow_words

METRIC = "accuracy"
"""The one metric of words."""

HELD_OUT = "held out"
"""What the last part of the text is called."""

GRAMS = {"unigrams": 1, "bigrams": 2, "8-grams": 8}
"""The n-grams whose coverage is shown: those of Table 1, and long ones, of which a test has many in
the training text only if parts of it are copies."""


@dataclass(frozen=True, kw_only=True)
class Plan(WordPlan):
    """How words are learned and tested: what `runoff train words` has, and the sizes of text."""

    column: int | None = option(
        None,
        "Column of tab-separated training files that has the text, counted from 1; by default, "
        "whole lines are text.",
        min=1,
    )
    held_out: int = option(
        100_000, "Number of words at the end of the text that are the first test.", min=1
    )
    smallest: int = option(
        1_000, "Smallest power of ten that sizes of text are multiples of.", min=1
    )
    multiples: tuple[int, ...] = option(
        (1, 2, 3, 4, 5, 6, 7, 8, 9),
        "Sizes of text are these times powers of ten, and all there is.",
        min=1,
    )
    sets: tuple[tuple[str, ...], ...] = option(PAPER_SETS, "Sets of words that experts tell apart.")

    def __post_init__(self) -> None:
        """Check the plan now, not after hours."""
        super().__post_init__()
        check_sets(self.sets)

    def sizes(self, available: int) -> list[int]:
        """How many words each tree learns from.

        Examples
        --------
        >>> Plan(smallest=10, multiples=(1, 5)).sizes(120)
        [10, 50, 100, 120]
        """
        powers = range(len(str(available)))
        sizes = {m * 10**power for m in self.multiples for power in powers}
        return [*sorted(n for n in sizes if self.smallest <= n < available), available]


class Texts(NamedTuple):
    """Text to learn from, and texts to test on, as numbers of words."""

    train: Numbers
    tests: dict[str, Numbers]
    vocabulary: StringTable
    key: str


class Experiment:
    """A recipe of the task `words`. Each size of text is a step whose figures are kept."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of words", recipe.metric, [METRIC])
        for key, given in {"wsj": recipe.wsj, "variants": recipe.variants}.items():
            if given:
                raise FormatError("recipes of words have no such part", key=key)
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, Plan, Figures)

    def run(self, setting: Setting) -> Outcome:
        """Grow trees of every size, test them, and compare with the paper."""
        if setting.wsj is not None:
            raise UsageError("recipes of words take no --wsj")
        if setting.plot is not None:
            import_extra("matplotlib", "plot")  # now, not after minutes
        (plan,), (paper,) = self.plans.values(), self.figures.values()
        texts = self._texts(plan, setting)
        sizes = plan.sizes(len(texts.train))
        points = [
            self._point(texts, plan, size, setting)
            for size in setting.engine.counted("sizes", sizes, len(sizes), every=1)
        ]
        name = self.recipe.data.name
        plots = [] if setting.plot is None else draw(points, Path(setting.plot))
        model = grow_words([texts.train], texts.vocabulary, plan, engine=setting.engine)
        held_out = [texts.vocabulary[number] for number in texts.tests[HELD_OUT].tolist()]
        model.judge(held_out, threads=setting.engine.threads)
        return Outcome(model, tables(covered(texts), points, paper, name), plots)

    def _texts(self, plan: Plan, setting: Setting) -> Texts:
        data = self.recipe.data
        folder = folder_of(data, setting.data)
        train, test = (data.files(part, folder) for part in ("train", "test"))
        growing = Numbering([OUTSIDE])
        text = np.concatenate(
            [
                read_numbers(file, growing, tokenized=plan.tokenized, column=plan.column)
                for file in train
            ]
        )[: data.items]
        if len(text) <= plan.held_out:
            raise FormatError(f"the text has no more than the {plan.held_out} words of the test")
        tests = {HELD_OUT: text[-plan.held_out :]}
        for file in test:
            numbers = read_numbers(file, growing, tokenized=True)
            if not len(numbers):
                raise FormatError("there are no words to measure by", path=file)
            tests[file.name.partition(".")[0]] = numbers
        return Texts(
            text[: -plan.held_out], tests, StringTable.of(growing), files_key([*train, *test])
        )

    def _point(self, texts: Texts, plan: Plan, size: int, setting: Setting) -> Point:
        made = WorkFolder(setting.work).step("size", ".json.gz", texts.key, plan, size)
        if not made.done:
            point = measure(texts, plan, size, Run(threads=setting.engine.threads))
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(point))
        return msgspec.json.decode(b"".join(read_chunks(made.path)), type=Point)


def covered(texts: Texts) -> dict[str, list[Coverage]]:
    """How much of each test the training text has: n-grams as tokens, and as types."""
    found = {}
    for name, test in texts.tests.items():
        shares = coverage(texts.train, test, max(GRAMS.values()))
        found[name] = [
            Coverage(
                words=len(test),
                counted=counted,
                grams={
                    gram: 100 * getattr(shares[n - 1], counted)
                    for gram, n in GRAMS.items()
                    if n <= len(shares)
                },
            )
            for counted in ("tokens", "types")
        ]
    return found


def measure(texts: Texts, plan: Plan, size: int, run: Run) -> Point:
    """The tree of the last words of the text, and experts that saw as much of it."""
    sides = plan.left, plan.right
    windows = Windows.of_text([texts.train[-size:]], *sides)
    tests = {name: Windows.of_text([text], *sides) for name, text in texts.tests.items()}
    tree = IGTree(min_count=plan.min_count).fit(windows, run=run)
    guesses, speeds = dict[str, Numbers](), dict[str, float | None]()
    for name, test in tests.items():
        guesses[name], speeds[name] = _timed(tree, test)
    nodes, order = len(tree) - 1, windows.shifts[tree.order_].tolist()
    del tree
    points = [
        _set_point(windows, tests, guesses, texts.vocabulary, words, run) for words in plan.sets
    ]
    shares = {name: _share(guesses[name], texts.tests[name]) for name in tests}
    return Point(
        windows=size,
        nodes=nodes,
        branching=nodes ** (1 / len(order)),
        order=order,
        accuracy=shares,
        speed=speeds,
        sets=points,
    )


def _timed(tree: IGTree, test: Windows) -> tuple[Numbers, float | None]:
    """What the tree predicts, by one thread, and how many words per CPU second."""
    _ = tree.native  # made now, not while it is timed
    start = time.process_time()
    found = tree.predict(test)
    spent = time.process_time() - start
    return found, len(found) / spent if len(found) and spent else None


def _set_point(
    windows: Windows,
    tests: Mapping[str, Windows],
    guesses: Mapping[str, Numbers],
    vocabulary: StringTable,
    words: Sequence[str],
    run: Run,
) -> SetPoint:
    """How well words of a set are predicted by the tree of all words, and by their expert.

    Capitals make no difference to what is right.
    """
    numbers = vocabulary.numbered
    same = np.zeros(len(vocabulary), dtype=np.int64)  # 0: not of the set
    for place, word in enumerate(words, 1):
        same[[numbers[form] for form in forms_of(word) if form in numbers]] = place
    own = windows._replace(places=windows.places[same[windows.cells[windows.places]] > 0])
    expert = IGTree().fit(own, run=run) if len(own.places) else None
    predicted, chosen = dict[str, float | None](), dict[str, float | None]()
    tested = {}
    for name, test in tests.items():
        there = same[test.cells[test.places]]
        asked = test._replace(places=test.places[there > 0])
        gold = there[there > 0]
        tested[name] = len(gold)
        predicted[name] = _share(same[guesses[name][there > 0]], gold)
        chosen[name] = None if expert is None else _share(same[expert.predict(asked)], gold)
    seen = np.bincount(own.cells[own.places])
    return SetPoint(
        words=tuple(words),
        examples=len(own.places),
        tested=tested,
        commonest=None if expert is None else vocabulary[int(seen.argmax())],
        predicted=predicted,
        chosen=chosen,
    )


def _share(found: NDArray[np.generic], gold: NDArray[np.generic]) -> float | None:
    """How many are the same, in per cent; None of nothing."""
    return 100 * float((found == gold).mean()) if len(gold) else None
