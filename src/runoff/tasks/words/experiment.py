"""Experiments in word prediction: learning curves of trees that know all words, and of experts.

Van den Bosch (2006): trees of growing pieces of one text, cut backward from where its last part,
the test, begins; they are tested there and on other texts (section 2.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.confusables import PAPER_SETS, check_sets, forms_of
from runoff.data.files import open_output
from runoff.data.numbering import OUTSIDE, Numbering, Numbers
from runoff.data.text.words import read_numbers, read_word_chunks
from runoff.errors import FormatError, UsageError, import_extra, unknown_choice
from runoff.fitting.run import Run
from runoff.learners.igtree.tree import IGTree, Windows
from runoff.pipeline.options import option
from runoff.pipeline.work_folder import WorkFolder, files_key
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, folder_of, plans_of
from runoff.store.strings import StringTable
from runoff.tasks.words.tables import Figures, Point, SetPoint, draw, tables
from runoff.tasks.words.train import Plan as WordPlan
from runoff.tasks.words.train import grow_words

METRIC = "accuracy"
"""The one metric of words."""

HELD_OUT = "held out"
"""What the last part of the text is called."""


@dataclass(frozen=True, kw_only=True)
class Plan(WordPlan):
    """How words are learned and tested: what `runoff train words` has, and the sizes of text."""

    held_out: int = option(
        100_000, "Number of words at the end of the text that are the first test.", min=1
    )
    smallest: int = option(
        10_000, "Smallest power of ten that sizes of text are multiples of.", min=1
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
        sides = (plan.left, plan.right, plan.top)
        model = grow_words([texts.train], texts.vocabulary, *sides, engine=setting.engine)
        return Outcome(model, tables(points, paper, name), plots)

    def _texts(self, plan: Plan, setting: Setting) -> Texts:
        data = self.recipe.data
        folder = folder_of(data, setting.data)
        train, test = (data.files(part, folder) for part in ("train", "test"))
        growing = Numbering([OUTSIDE])
        text = np.concatenate(
            [read_numbers(file, growing, tokenized=plan.tokenized) for file in train]
        )
        if len(text) <= plan.held_out:
            raise FormatError(f"the text has no more than the {plan.held_out} words of the test")
        tests = {HELD_OUT: text[-plan.held_out :]}
        for file in test:
            chunks = [*map(growing.numbers, read_word_chunks(file, tokenized=True))]
            if not any(map(len, chunks)):
                raise FormatError("there are no words to measure by", path=file)
            tests[file.name.partition(".")[0]] = np.concatenate(chunks)
        return Texts(
            text[: -plan.held_out], tests, StringTable.of(growing), files_key([*train, *test])
        )

    def _point(self, texts: Texts, plan: Plan, size: int, setting: Setting) -> Point:
        made = WorkFolder(setting.work).step("curve", ".json", texts.key, plan, size)
        if not made.done:
            point = measure(texts, plan, size, Run(threads=setting.engine.threads))
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(point))
        return msgspec.json.decode(made.path.read_bytes(), type=Point)


def measure(texts: Texts, plan: Plan, size: int, run: Run) -> Point:
    """The tree of the last words of the text, and experts that saw as much of it."""
    sides = plan.left, plan.right
    windows = Windows.of_text([texts.train[-size:]], *sides)
    tests = {name: Windows.of_text([text], *sides) for name, text in texts.tests.items()}
    tree = IGTree().fit(windows, run=run)
    guesses = {name: tree.predict(test) for name, test in tests.items()}
    nodes = len(tree) - 1
    del tree
    numbers = texts.vocabulary.numbered
    points = [_set_point(windows, tests, guesses, numbers, words, run) for words in plan.sets]
    shares = {name: _share(guesses[name], texts.tests[name]) for name in tests}
    return Point(windows=size, nodes=nodes, accuracy=shares, sets=points)


def _set_point(
    windows: Windows,
    tests: Mapping[str, Windows],
    guesses: Mapping[str, Numbers],
    numbers: Mapping[str, int],
    words: Sequence[str],
    run: Run,
) -> SetPoint:
    """How well words of a set are predicted by the tree of all words, and by their expert.

    Capitals make no difference to what is right.
    """
    same = np.zeros(max(numbers.values(), default=0) + 1, dtype=np.int64)  # 0: not of the set
    for place, word in enumerate(words, 1):
        same[[numbers[form] for form in forms_of(word) if form in numbers]] = place
    own = windows._replace(places=windows.places[same[windows.cells[windows.places]] > 0])
    expert = IGTree().fit(own, run=run) if len(own.places) else None
    predicted, chosen = dict[str, float | None](), dict[str, float | None]()
    for name, test in tests.items():
        there = same[test.cells[test.places]]
        asked = test._replace(places=test.places[there > 0])
        gold = there[there > 0]
        predicted[name] = _share(same[guesses[name][there > 0]], gold)
        chosen[name] = None if expert is None else _share(same[expert.predict(asked)], gold)
    return SetPoint(
        words=tuple(words), examples=len(own.places), predicted=predicted, chosen=chosen
    )


def _share(found: NDArray[np.generic], gold: NDArray[np.generic]) -> float | None:
    """How many are the same, in per cent; None of nothing."""
    return 100 * float((found == gold).mean()) if len(gold) else None
