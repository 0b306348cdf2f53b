"""Learning grammars with substates, for all training trees or for a fold's lists."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runoff.pipeline.work_folder import Product
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.parsing.folds import treebank

REVISION = 3
"""Raise it when grammars learn something else than before, so that those of before are not used
again."""


class Pupil(NamedTuple):
    """What a worker needs to learn grammars.

    Parameters
    ----------
    trees : file of all training trees.
    outside : of the trees, those that are not learned from.
    made : where the grammars go.
    grammars : still to be fitted.
    min_count : as the parser's.
    """

    trees: Path
    outside: range
    made: Product
    grammars: LatentGrammars
    min_count: int


def learn(pupil: Pupil) -> None:
    """Learn the grammars, unless they are there."""
    if pupil.made.done:
        return
    trees, encoded = treebank(pupil.trees, pupil.min_count)
    learned = (tree for number, tree in enumerate(trees) if number not in pupil.outside)
    pupil.grammars.fit(learned, encoded.alphabet).save(pupil.made.path)
