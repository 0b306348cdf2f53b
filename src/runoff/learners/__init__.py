"""Everything that learns to rank: one module per family, one protocol for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from runoff.errors import UsageError, unknown_choice
from runoff.learners.base import Ranker

LEARNERS = {
    "base": "runoff.learners.base_order:BaseOrder",
    "cascade": "runoff.learners.cascade.cascade:Cascade",
    "exp-loss": "runoff.learners.boosting.boosting:ExpLoss",
    "log-loss": "runoff.learners.boosting.boosting:LogLoss",
    "maxent": "runoff.learners.maxent.maxent:MaxEnt",
    "maxent-rank": "runoff.learners.pairs.maxent_rank:MaxEntRank",
    "p-norm-push": "runoff.learners.pairs.p_norm_push:PNormPush",
    "perceptron": "runoff.learners.perceptron.averaged:Perceptron",
    "subtree-boost": "runoff.learners.boosting.subtrees:SubtreeBoost",
    "svm-rank": "runoff.learners.pairs.svm_rank:SVMRank",
    "tagging-kernel": "runoff.learners.kernels.ranker:TaggingKernel",
    "tree-kernel": "runoff.learners.kernels.ranker:TreeKernel",
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
    known: dict[str, Any] = {f.name: f.default for f in fields(ranker_class) if f.init}
    arguments: dict[str, Any] = {} if seed is None or "seed" not in known else {"seed": seed}
    for key, value in (parameters or {}).items():
        if key not in known:
            raise unknown_choice(f"option of {name}", key, known)
        try:
            arguments[key] = _converted(value, known[key])
        except (KeyError, TypeError, ValueError):
            wanted = type(known[key]).__name__.replace("tuple", "list of numbers, as 1,2.5")
            raise UsageError(f"{name}: {key} must be of the type {wanted}, not {value!r}") from None
    ranker: Ranker = ranker_class(**arguments)
    return ranker


def _converted(value: Any, default: Any) -> Any:
    """A parameter in the type of its default, where it came as text or from a model file."""
    if isinstance(default, tuple):
        parts = value.split(",") if isinstance(value, str) else value
        parts = [parts] if isinstance(parts, int | float) else parts
        kind = type(default[0]) if default else float
        return tuple(kind(part) for part in parts)
    number = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, number) and isinstance(value, bool) == isinstance(default, bool):
        return value
    if not isinstance(value, str):
        raise TypeError
    if isinstance(default, bool):
        return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]
    return type(default)(value)
