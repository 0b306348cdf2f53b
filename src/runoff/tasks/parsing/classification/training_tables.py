"""How a classifier of the parser by classification is trained: its trees, time and samples.

Turian and Melamed (2006), "Computational challenges in parsing by classification": Figure 1,
Table 2, and the figures of sections 4.2 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.tree import Tree
from runoff.engine import Engine
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.report.tables import Cell, Table
from runoff.tasks.parsing.classification.training import (
    STEPS,
    Examples,
    Trained,
    TrainingFigures,
    booster_of,
    examples_of,
    sample_size,
    train,
)

INDIRECT = 32
"""Bytes of an example: pointer, y, bias, h and weight, and its leaf while a tree is added."""

MOST_HELD = 150_000
"""Examples whose atoms are held at a time, to see how long a tree takes without samples."""


def training_tables(
    trees: Sequence[Tree],
    paper: TrainingFigures,
    f1: Mapping[float, float],
    titles: Mapping[str, str],
    engine: Engine,
) -> list[Table]:
    """Tables of the training of a classifier.

    Parameters
    ----------
    f1 : development F1 of the whole parser by lambda.
    titles : what the tables are called in the paper.
    """
    examples = examples_of(trees, paper.classifier, paper.atoms)
    trained = train(examples, paper, engine)

    def titled(name: str, text: str) -> str:
        return f"{titles[name]}: {text}" if name in titles else text

    what = f"the {paper.classifier} classifier"
    return [
        Table(titled("curve", f"weight lost by sampling for {what}"), _curve(trained, f1),
              {"lambda": 3, "weight lost %": 2, "F1": 2}),
        Table(titled("profile", f"CPU seconds of an iteration of {what}"), _profile(trained, paper),
              {"paper": 1, "paper %": 1, "ours": 3, "sd": 3, "ours %": 1}),
        Table(titled("ensemble", what), _figures(examples, trained, paper),
              {"paper": 3, "ours": 3}),
        Table(titled("sampling", "times as long until a tree is grown, with its sample"),
              _savings(examples, trained, paper), {"paper": 0, "ours": 1, "seconds": 3}),
    ]  # fmt: skip


def _curve(trained: Trained, f1: Mapping[float, float]) -> list[dict[str, Cell]]:
    """Rows of lambda, with the F1 of the parser where it was measured at nearly the same one."""
    rows = list[dict[str, Cell]]()
    for row in trained.path:
        lam = float(row["lambda"] or 0.0)
        near = [one for one in f1 if 0.9 < one / lam < 1.1]
        found = min(near, key=lambda one: abs(np.log(one / lam)), default=None)
        rows.append({**row, "F1": None if found is None else f1[found]})
    return rows


def _profile(trained: Trained, paper: TrainingFigures) -> list[dict[str, Cell]]:
    steps = np.column_stack([trained.seconds, trained.seconds.sum(axis=1)])
    if not len(steps):
        return []
    mean, deviation = steps.mean(axis=0).tolist(), steps.std(axis=0).tolist()
    papers = {**paper.seconds, "all": sum(paper.seconds.values())}
    rows = list[dict[str, Cell]]()
    for number, step in enumerate((*STEPS, "all")):
        theirs, own = papers.get(step), 100 * mean[number] / max(1e-9, mean[-1])
        share = None if not theirs else 100 * theirs / papers["all"]
        ours = {"ours": mean[number], "sd": deviation[number], "ours %": own}
        rows.append({"step": step, "paper": theirs, "paper %": share, **ours})
    return rows


def _figures(examples: Examples, trained: Trained, paper: TrainingFigures) -> list[dict[str, Cell]]:
    """What sections 4.2 and 5 say of the classifier."""
    ours = {**_of_examples(examples), **_of_trees(trained.trees), **_of_scores(examples, trained)}
    return [
        {"figure": name, "paper": _whole(paper.figures.get(name)), "ours": _whole(x)}
        for name, x in ours.items()
    ]


def _whole(figure: float | None) -> Cell:
    """A whole number where it is one."""
    return figure if figure is None or figure % 1 else int(figure)


def _of_examples(examples: Examples) -> dict[str, float]:
    atoms = np.diff(examples.source.extract(examples.some())[0])
    return {
        "sentences": examples.n_trees,
        "examples": len(examples.y),
        "examples a sentence": len(examples.y) / max(1, examples.n_trees),
        "atoms": examples.n_atoms,
        **_spread("atoms an example", atoms),
        "bytes of an example with atoms": 4 * float(atoms.mean()),
        "bytes of an example without": INDIRECT,
    }


def _of_trees(trees: Ensemble) -> dict[str, float]:
    paths = [path for _, path in trees.active_paths()]
    negated = [not present for path in paths for _, present in path]
    return {
        "trees": trees.n_trees,
        "leaves": trees.n_leaves,
        "active leaves": trees.n_active,
        **_spread("splits a tree", np.diff(trees.offsets) // 2),
        **_spread("splits above an active leaf", np.array([len(path) for path in paths])),
        "of them negations %": 100 * float(np.mean(negated or [False])),
        **_spread("size of an active leaf's value", np.abs(trees.values[trees.values != 0.0])),
    }


def _of_scores(examples: Examples, trained: Trained) -> dict[str, float]:
    margins = examples.y * trained.h
    return {
        **_spread("margin of correct inferences", margins[examples.y > 0]),
        **_spread("margin of incorrect ones", margins[examples.y < 0]),
    }


def _spread(name: str, numbers: NDArray[Any]) -> dict[str, float]:
    """Mean and standard deviation."""
    found = numbers if len(numbers) else np.zeros(1)
    return {name: float(found.mean()), f"{name}, sd": float(found.std())}


def _savings(examples: Examples, trained: Trained, paper: TrainingFigures) -> list[dict[str, Cell]]:
    """How long the next tree takes to grow on a sample, and on all examples."""
    n, sample = len(examples.y), sample_size(examples, paper)
    sampled, step = _next_tree(examples, trained, paper, sample), 1 + n // MOST_HELD
    some = examples.every(step)
    whole = _next_tree(some, trained._replace(h=trained.h[::step].copy()), paper, len(some.y))
    whole *= n / max(1, len(some.y))  # the time of building a tree is linear in its examples
    start = process_time()
    offsets, atoms = examples.source.extract(examples.some())
    each = (process_time() - start) / max(1, len(offsets) - 1)
    again = n * each * _visited(trained.trees, offsets, atoms)
    rows = {
        f"{sample:,} examples": (1.0, sampled),
        f"all {n:,}, atoms held": (None, whole),
        f"all {n:,}, atoms extracted at every node (estimated)": (
            paper.figures.get("times as long without samples"),
            whole + again,
        ),
    }
    return [
        {"grown on": name, "paper": theirs, "ours": x / max(1e-9, sampled), "seconds": x}
        for name, (theirs, x) in rows.items()
    ]


def _next_tree(examples: Examples, trained: Trained, paper: TrainingFigures, sample: int) -> float:
    """CPU seconds until the next tree is grown; without a sample, all atoms are held already."""
    booster, trees = booster_of(examples, sample, paper.split_gain), trained.trees
    booster.restore(trees.offsets, trees.atoms, trees.yes, trees.values, trained.h, 1)
    lam = booster.first_lambda(1)
    held = booster.seconds[1] if sample == len(examples.y) else 0.0
    while lam > 0 and not booster.grow(lam, 1):
        lam *= paper.decay
    return sum(booster.seconds[:3]) - held


def _visited(trees: Ensemble, offsets: NDArray[np.int64], atoms: NDArray[np.uint32]) -> float:
    """How many nodes of a tree are split above the leaf of an example, in the mean."""
    total, looked_at = 0, 0
    for number in range(0, trees.n_trees, max(1, trees.n_trees // 20)):
        tree = trees.part(number, number + 1)
        asked, yes = tree.atoms.tolist(), tree.yes.tolist()
        for row in np.split(atoms, offsets[1:-1])[::20]:
            present, node = set(row.tolist()), 0
            while yes[node]:
                node = yes[node] if asked[node] in present else node + 1
                total += 1
            looked_at += 1
    return total / max(1, looked_at)
