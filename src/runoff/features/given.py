"""The features that lists carry themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.data.nbest import Candidate
from runoff.features.extract import light


@light
def given(input: Any, candidate: Candidate) -> Mapping[str, float]:
    """The candidate's own `features`.

    Examples
    --------
    >>> given("any", Candidate("a", features={"lm": -3.5}))
    {'lm': -3.5}
    """
    return candidate.features or {}
