"""Everything that learns to rank: one module per family, one protocol for all."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from runoff.errors import unknown_choice
from runoff.fitting.parameters import defaults_of, with_options
from runoff.learners.base import Ranker

LEARNERS = {
    "base": "runoff.learners.base_order:BaseOrder",
    "boosted-trees": "runoff.learners.decision_trees.ranker:TreeRanker",
    "cascade": "runoff.learners.cascade.cascade:Cascade",
    "exp-loss": "runoff.learners.boosting.boosting:ExpLoss",
    "least-squares": "runoff.learners.least_squares.least_squares:LeastSquares",
    "log-loss": "runoff.learners.boosting.boosting:LogLoss",
    "maxent": "runoff.learners.maxent.maxent:MaxEnt",
    "maxent-rank": "runoff.learners.pairs.maxent_rank:MaxEntRank",
    "mert": "runoff.learners.mert.mert:Mert",
    "p-norm-push": "runoff.learners.pairs.p_norm_push:PNormPush",
    "perceptron": "runoff.learners.perceptron.averaged:Perceptron",
    "subtree-boost": "runoff.learners.boosting.subtrees:SubtreeBoost",
    "svm-rank": "runoff.learners.pairs.svm_rank:SVMRank",
    "tagging-kernel": "runoff.learners.kernels.tagging_kernel:TaggingKernel",
    "tree-kernel": "runoff.learners.kernels.tree_kernel:TreeKernel",
    "voted-perceptron": "runoff.learners.perceptron.voted:VotedPerceptron",
}
"""Learners by the name that the command line and model files use."""


def make_ranker(
    name: str, parameters: Mapping[str, Any] | None = None, *, seed: int | None = None
) -> Ranker:
    """An unfitted ranker.

    Parameters
    ----------
    parameters : constructor arguments; texts, as the command line gives them, are converted.
    seed : for a learner that draws at random; others do not need it.

    Examples
    --------
    >>> make_ranker("perceptron", {"epochs": "5"})
    Perceptron(epochs=5, seed=0)
    """
    if name not in LEARNERS:
        raise unknown_choice("learner", name, LEARNERS)
    module, _, class_name = LEARNERS[name].partition(":")
    ranker_class = getattr(import_module(module), class_name)
    given = dict(parameters or {})
    if seed is not None and "seed" in defaults_of(ranker_class):
        given.setdefault("seed", seed)
    ranker: Ranker = with_options(ranker_class, given, name)
    return ranker
