"""How a ranker is fitted to lists: the options that `runoff fit` and every training share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runoff.pipeline.options import check_ranges, option

NO_OPTIONS: dict[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class FitPlan:
    """Learner, features and cut-offs of a ranker; see `runoff.fit`.

    Examples
    --------
    >>> FitPlan(thresholds=(1, 2, 4)).learner
    'auto'
    """

    learner: str = option(
        "auto", "Learner: {LEARNERS}; or a class of yours, `module:Class`.", metavar="NAME"
    )
    options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the learner, e.g. `epochs=20`; may be repeated. Where a learner chooses by "
        "development lists, give several values, e.g. `smoothing=0.001,0.0025,0.005`.",
        flags=("--option", "-O"),
    )
    features: Sequence[str] = option(
        ("given", "text", "changes"),
        "Feature set: {EXTRACTORS}; or a function of yours, `module:function`. May be repeated.",
        metavar="NAME",
    )
    min_lists: int = option(2, "Leave out features that occur in fewer lists than this.", min=1)
    thresholds: Sequence[int] = option(
        (), "Make counts binary: `1,2,4` asks for at least 1, at least 2 and at least 4."
    )
    bins: int = option(
        0, "Discretise each real-valued feature into this many binary features; 0 is none.", min=0
    )
    choose_by_sum: bool = option(
        False,
        "Let development lists choose by the sum of the qualities of what is picked, as Collins & "
        "Koo (2005) do; by default, by the metric's figure of all of it.",
    )
    seed: int = option(0, "Random seed.", min=0)

    def __post_init__(self) -> None:
        """Check ranges before any work is done."""
        check_ranges(self)
