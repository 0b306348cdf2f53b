"""Training latent-variable grammars, of all training trees or of those outside a fold."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.data.tree import Tree, read_trees
from runoff.pipeline.work_folder import StepResult
from runoff.proposers.parsing.headed_trees import Alphabet, mark_base_nps, under_top
from runoff.proposers.parsing.latent_grammars import LatentGrammars

REVISION = 3
"""Raise it when grammars learn something else than before, so that earlier results are not used."""


class GrammarJob(NamedTuple):
    """A job that trains grammars in a worker.

    Parameters
    ----------
    trees : file of all training trees.
    learned : the numbers of those to learn from, some more than once.
    made : where the grammars go.
    grammars : still to be fitted.
    min_count : rarer words are known by their class alone.
    """

    trees: Path
    learned: NDArray[np.int64]
    made: StepResult
    grammars: LatentGrammars
    min_count: int


def train_grammars(job: GrammarJob) -> None:
    """Train grammars and save them."""
    trees, alphabet = _treebank(job.trees, job.min_count)
    learned = (trees[number] for number in job.learned.tolist())
    job.grammars.fit(learned, alphabet).save(job.made.path)


@lru_cache(maxsize=1)
def _treebank(path: Path, min_count: int) -> tuple[list[Tree], Alphabet]:
    """The trees of a file and their alphabet, made once for all jobs of a worker."""
    trees = list(read_trees(path))
    return trees, Alphabet.of((mark_base_nps(under_top(tree)) for tree in trees), min_count)
