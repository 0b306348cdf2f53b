"""Everything that learns to rank: one module per family, one protocol for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

from runoff.errors import UsageError, unknown_choice
from runoff.fitting.parameters import defaults_of, with_options
from runoff.learners.base import Ranker
from runoff.user_code import load_function, plugin, plugins

LEARNERS = {
    "auto": "runoff.learners.auto.auto:Auto",
    "base": "runoff.learners.base_order:BaseOrder",
    "boosted-trees": "runoff.learners.decision_trees.ranker:TreeRanker",
    "cascade": "runoff.learners.cascade.cascade:Cascade",
    "exp-loss": "runoff.learners.boosting.boosting:ExpLoss",
    "lambdamart": "runoff.learners.lambdamart.lambdamart:LambdaMart",
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
    name: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    allow_code: bool = False,
) -> Ranker:
    """An unfitted ranker.

    Parameters
    ----------
    parameters : constructor arguments; texts, as the command line gives them, are converted.
    seed : for a learner that draws at random; others do not need it.
    allow_code : also take a class of the user's, `module:Class`, and import it. Only for names that
        the user typed.

    Examples
    --------
    >>> make_ranker("perceptron", {"epochs": "5"})
    Perceptron(epochs=5, seed=0)
    """
    ranker_class = _class_of(name, allow_code)
    given = dict(parameters or {})
    if seed is not None and "seed" in defaults_of(ranker_class):
        given.setdefault("seed", seed)
    ranker: Ranker = with_options(ranker_class, given, name)
    return ranker


def _class_of(name: str, allow_code: bool) -> Any:
    if name in LEARNERS:
        module, _, class_name = LEARNERS[name].partition(":")
        return getattr(import_module(module), class_name)
    found = (
        load_function(name, "learner") if allow_code and ":" in name else plugin("learners", name)
    )
    if found is None:
        raise unknown_choice("learner", name, [*LEARNERS, *plugins("learners"), "module:Class"])
    if not isinstance(found, type) or not is_dataclass(found):
        raise UsageError(
            f"the learner {name!r} is not a dataclass; see `runoff.learners.base.Ranker`"
        )
    return found


def learner_name(ranker: Ranker) -> str:
    """The name under which a model file keeps a ranker: ours, a package's, or `module:Class`.

    Examples
    --------
    >>> learner_name(make_ranker("perceptron"))
    'perceptron'
    """
    kind = type(ranker)
    place = f"{kind.__module__}:{kind.__qualname__}"
    if ranker.name in LEARNERS and LEARNERS[ranker.name] == place:
        return ranker.name
    offered = plugins("learners").items()
    return next((name for name, one in offered if one.value == place), place)
