"""Training the classifiers of a parser by classification: one per label, on one path of lambda.

All labels see the same values of lambda, the weight of the l1 penalty, so that the parser of any
value can be made and measured: the trees of each label up to there (Turian and Melamed 2006,
"Advances in discriminative parsing", Listing 1). Labels are jobs of the engine; what they have
learned is kept in a file each, from which they go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.engine import Engine
from runoff.fitting.checkpoint import Checkpoint
from runoff.fitting.record import record_columns, record_rows
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.inference_atoms import GROUPS, group_rows
from runoff.proposers.parsing.items import Columns, ItemNames
from runoff.store.file import load, save

KIND = "parser-candidates"
AT_ONCE = 4
"""Values of lambda that a job goes through before development trees are parsed."""

STRATEGIES = ("r2l", "l2r", "bottom-up")

Row = dict[str, float]


class StateOptions(NamedTuple):
    """What the examples of labels depend on; see `ClassificationParser`."""

    strategy: str
    max_children: int
    atoms: str
    seed: int


class LabelJob(NamedTuple):
    """A job that trains the classifier of a label.

    Parameters
    ----------
    trees : file of the trees that are learned from.
    sample : maximum number of examples that a decision tree is grown on.
    split_gain : what a split must gain at least, in shares of lambda.
    lambdas : what lambda is, from the first value on.
    kept : file of what was learned for the first of them, to which the job adds.
    """

    trees: Path
    options: StateOptions
    sample: int
    split_gain: float
    label: str
    lambdas: tuple[float, ...]
    kept: Path


class Learned(NamedTuple):
    """The classifier of a label: decision trees, and a row for each value of lambda so far."""

    trees: Ensemble
    rows: list[Row]

    def cut(self, number: int) -> Ensemble:
        """The classifier of one of the values."""
        return self.trees.part(0, int(self.rows[number]["trees"]))


def save_trees(path: Path, names: ItemNames, columns: Columns) -> None:
    """Keep trees for the jobs."""
    save(path, KIND, {}, {**names.arrays(), **columns._asdict()})


@lru_cache(maxsize=1)
def _candidates(
    path: Path, options: StateOptions
) -> tuple[ItemNames, _native.TrainingStates, _native.InferenceAtoms]:
    """The states of the trees, made once for all labels of a worker."""
    arrays = load(path, kind=KIND).arrays
    names = ItemNames.from_arrays(arrays)
    columns = Columns(*(np.array(arrays[name]) for name in Columns._fields))
    every = np.arange(len(columns.offsets) - 1, dtype=np.int64)
    strategy = STRATEGIES.index(options.strategy)
    states = _native.TrainingStates(
        names.native, strategy, options.max_children, *columns, every, options.seed
    )
    return names, states, _native.InferenceAtoms(names.native, group_rows(GROUPS[options.atoms]))


@contextmanager
def job_folder(work: Path | None) -> Iterator[Path]:
    """The folder for what jobs keep; a temporary one if none is given."""
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
        yield work
        return
    with TemporaryDirectory(prefix="runoff-") as folder:
        yield Path(folder)


class LabelTraining:
    """The examples of a label with the decision trees so far."""

    def __init__(self, job: LabelJob) -> None:
        names, states, atoms = _candidates(job.trees, job.options)
        number = names.labels.index(job.label)
        pointers, y, bias = states.examples(number)
        self.n_examples, self.n_atoms = len(y), len(atoms)
        self.positives = int((y > 0).sum())
        self.booster = _native.TreeBooster(
            _native.CandidateAtoms(states, atoms, number),
            *(pointers, y, bias, np.zeros(0)),
            self.n_atoms,
            job.sample,
            job.options.seed,
            job.split_gain,
        )
        self.kept = Checkpoint(job.kept, repr(job._replace(lambdas=(), kept=Path())))
        self.rows: list[Row] = []
        if found := self.kept.load():
            trees = Ensemble.restore(found, self.n_atoms)
            h = np.array(found["h"])
            self.booster.restore(trees.offsets, trees.atoms, trees.yes, trees.values, h, 1)
            self.rows = record_rows(found)

    def follow(self, lambdas: Sequence[float]) -> None:
        """Add trees for all values of lambda that are not done yet, and keep them."""
        for value in lambdas[len(self.rows) :]:
            while self.booster.grow(value, 1):
                self.kept.offer(self._state())
            self.rows = [*self.rows, self._row(value)]
        self.kept.offer(self._state())
        self.kept.flush()

    def _row(self, value: float) -> Row:
        trees = self._trees()
        return {
            "lambda": value,
            "trees": float(trees.n_trees),
            "leaves": float(trees.n_leaves),
            "active": float(trees.n_active),
            "loss": self.booster.loss,
            "weight lost": self.booster.lost,
        }

    def _trees(self) -> Ensemble:
        return Ensemble(*self.booster.trees(), self.n_atoms)

    def _state(self) -> Callable[[], dict[str, NDArray[np.generic]]]:
        rows = self.rows

        def state() -> dict[str, NDArray[np.generic]]:
            h = np.empty(self.n_examples)
            self.booster.h(h)
            return {**self._trees().arrays(), "h": h, **record_columns(rows)}

        return state


def first_lambda(job: LabelJob) -> float:
    """The largest lambda that lets a decision tree of the label be split; 0 if none does."""
    made = LabelTraining(job._replace(kept=Path("none")))
    return made.booster.first_lambda(1) if made.positives else 0.0


def train_label(job: LabelJob) -> None:
    """Train the classifier of a label up to the last lambda."""
    LabelTraining(job).follow(job.lambdas)


def learned(job: LabelJob, n_atoms: int) -> Learned:
    """What a job has kept."""
    found = load(job.kept).arrays
    return Learned(Ensemble.restore(found, n_atoms), record_rows(found))


class Stage(NamedTuple):
    """Classifiers after some more values of lambda: one for each label, None for those of no tree.

    Parameters
    ----------
    first, last : which values are new.
    """

    labels: list[Learned | None]
    first: int
    last: int


def stages(
    jobs: Sequence[LabelJob], n_atoms: int, decay: float, smallest: float, engine: Engine
) -> Iterator[Stage]:
    """The classifiers of all labels, as lambda decays; it ends where lambda gets too small.

    Parameters
    ----------
    jobs : one for each label, without values of lambda.
    decay : lambda is multiplied by this when no tree of any label gains any more.
    smallest : the last lambda is at least this.
    """
    with closing(engine.map(first_lambda, jobs)) as results:
        firsts = list(engine.counted("first lambda, by label", results, len(jobs), every=1))
    lambdas = list[float]()
    following = max(firsts) * decay
    while following >= smallest and following > 0:
        done = len(lambdas)
        while len(lambdas) < done + AT_ONCE and following >= smallest:
            lambdas.append(following)
            following *= decay
        todo = [
            job._replace(lambdas=tuple(lambdas))
            for job, first in zip(jobs, firsts, strict=True)
            if first > 0
        ]
        with closing(engine.map(train_label, todo)) as trained:
            stage = f"classifiers down to lambda {lambdas[-1]:.3g}"
            for _ in engine.counted(stage, trained, len(todo), every=1):
                pass
        found = [
            learned(job, n_atoms) if first > 0 else None
            for job, first in zip(jobs, firsts, strict=True)
        ]
        yield Stage(found, done, len(lambdas))


Judge = Callable[[list[Ensemble | None], float], float]
"""Development quality of the classifiers of all labels, None for those of no tree, at a lambda."""


def best_of_path(
    path: Iterator[Stage], judge: Judge | None, patience: int
) -> tuple[list[Ensemble | None], list[Row]]:
    """The classifiers of the lambda that is judged best, or of the last, and a row for each value.

    The path ends if `patience` values in a row brought nothing better.
    """
    rows, best, chosen = list[Row](), -1, list[Ensemble | None]()
    for stage in path:
        for number in range(stage.first, stage.last):
            found = [None if one is None else one.cut(number) for one in stage.labels]
            trees = [one for one in found if one is not None]
            value = next(one.rows[number]["lambda"] for one in stage.labels if one is not None)
            sums = {name: float(sum(getattr(one, f"n_{name}") for one in trees)) for name in _SUMS}
            rows.append({"lambda": value, **sums})
            if judge is not None:
                rows[-1]["dev F1"] = judge(found, value)
            if judge is None or best < 0 or rows[-1]["dev F1"] > rows[best]["dev F1"]:
                best, chosen = number, found
        if len(rows) - 1 - best >= patience:
            break
    return chosen, rows


_SUMS = ("trees", "leaves", "active")
