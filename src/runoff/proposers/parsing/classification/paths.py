"""Training the classifiers of a parser by classification: one per label, on one path of lambda.

All labels see the same values of lambda, the weight of the l1 penalty, so that the parser of any
value can be made and measured: the trees of each label up to there (Turian and Melamed 2006,
"Advances in discriminative parsing", Listing 1).

The path has stages. Each begins with a pass over the candidates of all states, which draws a sample
of the examples of each label by the weights that the classifiers so far give them; then each label
grows its trees for some values of lambda on its sample alone. The papers draw a sample for each
tree and find the values of leaves on all examples; that many trees may do with one sample is what
"Computational challenges", section 5, suggests. Where a treebank has more than `candidates`, wrong
ones are looked at in a random share of the states only, so that a pass takes no longer for it.
Labels are jobs of the engine; what they have
learned is kept in a file each, from which they go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from runoff.engine import Engine
from runoff.fitting.run import Checkpoint
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.classification.jobs import (
    POOL,
    SUMS,
    LabelJob,
    Learned,
    PathOptions,
    Row,
    StateOptions,
    candidates,
    first_lambda,
    learned,
    train_label,
)
from runoff.proposers.parsing.classification.judging import Judge
from runoff.store.file import Arrays, save


@contextmanager
def job_folder(work: Path | None) -> Iterator[Path]:
    """The folder for what jobs keep; a temporary one if none is given."""
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
        yield work
        return
    with TemporaryDirectory(prefix="runoff-") as folder:
        yield Path(folder)


class Stage(NamedTuple):
    """Classifiers after some more values of lambda: one for each label, None for those of no tree.

    Parameters
    ----------
    first, last : which values are new.
    """

    labels: list[Learned | None]
    first: int
    last: int


class LabelPaths:
    """The classifiers of all labels while lambda decays.

    Parameters
    ----------
    folder : where trees were saved; what is learned is kept there.
    """

    def __init__(
        self, folder: Path, states: StateOptions, path: PathOptions, engine: Engine
    ) -> None:
        self.folder, self.states, self.path, self.engine = folder, states, path, engine
        names, _, atoms = candidates(folder, states)
        self.n_atoms = len(atoms)
        self.jobs = [LabelJob(folder, states, path, n) for n in range(len(names.phrases))]

    def stages(self) -> Iterator[Stage]:
        """The classifiers stage by stage, until lambda is as small as it may get."""
        firsts = self._firsts()
        jobs = [job for job, first in zip(self.jobs, firsts, strict=True) if first >= 0]
        lambdas, following = list[float](), max(firsts) * self.path.decay
        while following >= self.path.penalty and following > 0:
            done = len(lambdas)
            while len(lambdas) < done + self.path.per_stage and following >= self.path.penalty:
                lambdas.append(following)
                following *= self.path.decay
            self._train([job._replace(lambdas=tuple(lambdas)) for job in jobs], done)
            found = [
                learned(job, self.n_atoms) if first >= 0 else None
                for job, first in zip(self.jobs, firsts, strict=True)
            ]
            yield Stage(found, done, len(lambdas))

    def _train(self, jobs: Sequence[LabelJob], done: int) -> None:
        """Go on with the labels that have not all values of lambda yet."""
        lambdas = jobs[0].lambdas
        todo = [job for job in jobs if len(learned(job, self.n_atoms).rows) < len(lambdas)]
        if not todo:
            return
        self._draw(done)
        stage = f"classifiers down to lambda {lambdas[-1]:.3g}"
        with closing(self.engine.map(train_label, todo)) as trained:
            for _ in self.engine.counted(stage, trained, len(todo), every=1):
                pass

    def _draw(self, done: int) -> None:
        """Write the sample of each label, as the classifiers of the values that are done weigh."""
        _, states, atoms = candidates(self.folder, self.states)
        trees = [learned(job, self.n_atoms).cut(done - 1) for job in self.jobs]
        nodes = [(one.offsets, one.atoms, one.yes, one.values) for one in trees]
        seed, threads = self.states.seed, self.engine.threads
        share = min(1.0, self.path.candidates / max(1, states.candidates))
        pools = states.pools(atoms, nodes, self.path.sample, seed, done, threads, share)
        for job, (pointers, y, bias, h, _, positives, lost) in zip(self.jobs, pools, strict=True):
            columns: Arrays = {
                "pointers": pointers.view(np.int64),
                "y": y.astype(np.int32),
                "bias": bias,
                "h": h,
                "positives": np.array([positives]),
                "lost": np.array([lost]),
            }
            save(job.pool, POOL, {}, columns)

    def _firsts(self) -> list[float]:
        """The first lambda of each label."""
        kept = Checkpoint(self.folder / "first.checkpoint", repr((self.states, self.path)))
        if not (found := kept.load()):
            self._draw(0)
            with closing(self.engine.map(first_lambda, self.jobs)) as results:
                count = len(self.jobs)
                shown = self.engine.counted("first lambda, by label", results, count, every=1)
                firsts = np.array(list(shown))
            kept.offer(lambda: {"first": firsts})
            kept.flush()
            return [float(one) for one in firsts]
        return [float(one) for one in found["first"]]


def best_of_path(
    path: Iterator[Stage], judge: Judge | None, patience: int
) -> tuple[list[Ensemble | None], list[Row]]:
    """The classifiers of the lambda that is judged best, or of the last, and a row for each stage.

    The path ends if `patience` stages in a row brought nothing better.
    """
    rows, best, chosen = list[Row](), -1, list[Ensemble | None]()
    for stage in path:
        number = stage.last - 1
        found = [None if one is None else one.cut(number) for one in stage.labels]
        trees = [one for one in found if one is not None]
        value = next(one.rows[number]["lambda"] for one in stage.labels if one is not None)
        sums = {name: float(sum(getattr(one, f"n_{name}") for one in trees)) for name in SUMS}
        rows.append({"lambda": value, **sums})
        if judge is not None:
            rows[-1]["dev quality"] = judge(found, value)
        if judge is None or best < 0 or rows[-1]["dev quality"] > rows[best]["dev quality"]:
            best, chosen = len(rows) - 1, found
        if len(rows) - 1 - best >= patience:
            break
    return chosen, rows
