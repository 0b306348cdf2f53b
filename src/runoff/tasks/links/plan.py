"""How experiments with linkages are run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runoff.errors import unknown_choice
from runoff.pipeline.options import check_ranges, option

STUDIES = ("search", "links")
REGRESSOR: dict[str, Any] = {"prior": (0.01, 0.02, 0.05, 0.1)}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Sentences, linkages, regressor and search of an experiment."""

    study: str = option("search", "What is measured: the search, or the links that it picks.")
    sentences: int = option(200, "Number of sentences in which the search is measured.", min=4)
    n: int = option(100, "Number of linkages of a sentence at most.", min=2, max=1000)
    train: int = option(1500, "Number of sentences that the regressor learns from.", min=2)
    dev: int = option(300, "Number of sentences that choose its penalty.", min=2)
    test: int = option(400, "Number of sentences in which the picked links are judged.", min=2)
    shortest: int = option(8, "Words of the shortest sentence with gold links that is taken.")
    longest: int = option(25, "Words of the longest sentence with gold links that is taken.")
    learner: str = option("least-squares", "Learner of the regressor: {LEARNERS}.")
    options: Mapping[str, Any] = option(REGRESSOR, "Options of the learner.")
    learners: Mapping[str, Any] = option({}, "Other learners to compare, with their options.")
    replications: int = option(5, "Number of times that the sentences are halved.", min=1)
    epsilons: tuple[float, ...] = option(
        (0.01, 0.05, 0.1, 0.2), "Values of epsilon that are measured.", min=0.0, max=1.0
    )
    seed: int = option(0, "Random seed.", min=0)
    attribution: str = option(
        "", "Where the sentences come from, and their licence; kept in the model."
    )

    def __post_init__(self) -> None:
        """Check ranges before any work is done."""
        check_ranges(self)
        if self.study not in STUDIES:
            raise unknown_choice("study", self.study, STUDIES)
