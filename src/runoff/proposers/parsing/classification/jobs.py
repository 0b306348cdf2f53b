"""The jobs that train the classifiers of a parser by classification, one for each label."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from runoff import _native
from runoff.data.inputs import reading_own_state
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import Checkpoint
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.classification.atom_sets import atoms_of
from runoff.proposers.parsing.classification.ensembles import joined, no_trees
from runoff.proposers.parsing.classification.items import Columns, ItemNames
from runoff.store.file import Arrays, load, save

KIND, POOL = "parser-candidates", "parser-examples"
STAGE = 0.6
"""What lambda is multiplied by from stage to stage, or a little more."""

STRATEGIES = ("r2l", "l2r", "bottom-up")
SUMS = ("trees", "leaves", "active")
"""What is counted of ensembles."""

Row = dict[str, float]


class StateOptions(NamedTuple):
    """What the examples of labels depend on; see `ClassificationParser`."""

    strategy: str
    max_children: int
    atoms: str
    seed: int
    balance: float


class PathOptions(NamedTuple):
    """How lambda decays, and how decision trees are grown; see `ClassificationParser`."""

    decay: float
    penalty: float
    sample: int
    split_gain: float
    candidates: int

    @property
    def per_stage(self) -> int:
        """How many values of lambda a stage has."""
        return max(1, round(math.log(STAGE) / math.log(self.decay)))


class LabelJob(NamedTuple):
    """A job that trains the classifier of a label.

    Parameters
    ----------
    folder : where trees, samples and classifiers are kept.
    number : of the label among those of phrases.
    lambdas : what lambda is, from the first value on; the last ones are to be done.
    """

    folder: Path
    states: StateOptions
    path: PathOptions
    number: int
    lambdas: tuple[float, ...] = ()

    @property
    def pool(self) -> Path:
        """The file of the sample of examples."""
        return self.folder / f"{self.number}.examples"

    @property
    def kept(self) -> Checkpoint:
        """What was learned for the first values of lambda."""
        key = repr((self.states, self.path, self.number))
        return Checkpoint(self.folder / f"{self.number}.checkpoint", key)


class Learned(NamedTuple):
    """The classifier of a label: decision trees, and a row for each value of lambda so far."""

    trees: Ensemble
    rows: list[Row]

    def cut(self, number: int) -> Ensemble:
        """The classifier of one of the values; without rows, or of -1, it has no trees yet."""
        done = int(self.rows[number]["trees"]) if self.rows and number >= 0 else 0
        return self.trees.part(0, done)


def save_trees(folder: Path, names: ItemNames, columns: Columns) -> None:
    """Keep trees for the jobs."""
    save(folder / TREES, KIND, {}, {**names.arrays(), **columns._asdict()})


TREES = "candidates.runoff"


@lru_cache(maxsize=1)
def candidates(
    folder: Path, options: StateOptions
) -> tuple[ItemNames, _native.TrainingStates, _native.InferenceAtoms]:
    """The states of the trees, made once for all labels of a worker."""
    arrays = _own(folder / TREES, KIND)
    names = ItemNames.from_arrays(arrays)
    columns = Columns(*(np.array(arrays[name]) for name in Columns._fields))
    every = np.arange(len(columns.offsets) - 1, dtype=np.int64)
    strategy = STRATEGIES.index(options.strategy)
    states = _native.TrainingStates(
        names.native,
        strategy,
        options.max_children,
        *columns,
        every,
        options.seed,
        options.balance,
    )
    return names, states, atoms_of(names, options.atoms)


def _own(path: Path, kind: str) -> Arrays:
    """The arrays of a file that the training wrote."""
    with reading_own_state():
        return load(path, kind=kind).arrays


def _booster(job: LabelJob) -> _native.TreeBooster:
    """The learner on the sample of a label."""
    names, states, atoms = candidates(job.folder, job.states)
    found = _own(job.pool, POOL)
    pointers, y, bias, h = (np.array(found[name]) for name in ("pointers", "y", "bias", "h"))
    return _native.TreeBooster(
        _native.CandidateAtoms(states, atoms, len(names.tags) + job.number),
        *(pointers.view(np.uint64), y.astype(np.int8), bias, h),
        len(atoms),
        max(1, len(y)),
        job.states.seed,
        job.path.split_gain,
    )


def first_lambda(job: LabelJob) -> float:
    """The largest lambda that lets a decision tree of the label be split.

    It is 0 if none does, and negative for a label of no tree.
    """
    if not _own(job.pool, POOL)["positives"][0]:
        return -1.0
    return _booster(job).first_lambda(1)


def train_label(job: LabelJob) -> None:
    """Train the classifier of a label up to the last lambda, and keep it."""
    n_atoms = len(candidates(job.folder, job.states)[2])
    before, rows = learned(job, n_atoms)
    booster = _booster(job)
    lost = float(_own(job.pool, POOL)["lost"][0])
    after = before
    for value in job.lambdas[len(rows) :]:
        while booster.grow(value, 1):
            pass
        after = joined(before, Ensemble(*booster.trees(), n_atoms))
        sums = {name: float(getattr(after, f"n_{name}")) for name in SUMS}
        rows = [*rows, {"lambda": value, **sums, "loss": booster.loss, "weight lost": lost}]
    kept = job.kept
    kept.offer(lambda: {**after.arrays(), **record_columns(rows)})
    kept.flush()


def learned(job: LabelJob, n_atoms: int) -> Learned:
    """What a job has kept."""
    if found := job.kept.load():
        return Learned(Ensemble.restore(found, n_atoms), record_rows(found))
    return Learned(no_trees(n_atoms), [])
