"""Rankers out of model files, which are checked, and never run code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import msgspec

from runoff.errors import UsageError
from runoff.features.extract import EXTRACTORS, AnyExtractors, find_extractors
from runoff.learners import make_ranker
from runoff.learners.base import Ranker
from runoff.problem.extractor import Extractor
from runoff.problem.space import FeatureSpace
from runoff.store.file import Arrays
from runoff.user_code import plugins


def restored_ranker(
    header: dict[str, Any], arrays: Arrays, trusted: AnyExtractors = ()
) -> tuple[Ranker, FeatureSpace]:
    """The ranker of a header and arrays, which are checked, and the space of its features.

    Parameters
    ----------
    trusted : names of code that the user trusts; a learner that is not among ours must be there.
    """
    checked = msgspec.convert(header, Header)
    space = FeatureSpace.from_arrays(arrays)
    if ":" in checked.learner and checked.learner not in trusted:
        raise UsageError(
            f"the ranker is {checked.learner!r}, which a model file may not import",
            hint=f"if you trust that code, say so: --features {checked.learner}",
        )
    ranker = make_ranker(checked.learner, checked.parameters, allow_code=True)
    ranker.check()
    ranker.restore(arrays, len(space)).record_ = checked.record
    return ranker, space


class Header(msgspec.Struct):
    """What the header of a model file has to say of its ranker."""

    learner: str
    parameters: dict[str, int | float | str | bool | list[int | float | str]]
    features: list[str]
    logprobs: bool
    record: dict[str, list[dict[str, float]]] = {}


def asdict_parameters(ranker: Ranker) -> dict[str, Any]:
    """The constructor arguments of a ranker."""
    return {one.name: getattr(ranker, one.name) for one in fields(ranker) if one.init}  # type: ignore[arg-type]


def allowed_extractors(named: Sequence[str], given: AnyExtractors) -> list[Extractor]:
    """The extractors a model names: ours, and those that the user gave along with it."""
    own = {one.name: one for one in find_extractors(given)}
    for name in named:
        if name not in EXTRACTORS and name not in own and name not in plugins("features"):
            raise UsageError(
                f"the ranker uses the extractor {name!r}, which a model file may not import",
                hint=f"if you trust that code, say so: --features {name}",
            )
    return [own.get(name) or find_extractors([name])[0] for name in named]
