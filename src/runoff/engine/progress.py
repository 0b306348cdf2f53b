"""How far work has come, for progress bars."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Step(NamedTuple):
    """How far a stage of the work has come; `total` is None where nobody knows it."""

    stage: str
    done: int
    total: int | None
    figures: dict[str, float]


Progress = Callable[[Step], None]
"""Who is told of progress."""
