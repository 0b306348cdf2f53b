"""The choice among priors by what they achieve on development data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.fitting.optimise import Minimum
from runoff.fitting.record import Record
from runoff.fitting.run import Run
from runoff.store.file import Arrays

Floats = NDArray[np.float64]


def fit_priors(
    priors: tuple[float, ...],
    fit: Callable[..., Minimum],
    quality: Callable[[Floats], float] | None,
    run: Run,
) -> tuple[Floats, Record]:
    """The weights under the prior that does best on development lists, the first of equals.

    Parameters
    ----------
    fit : takes a prior, as the number s, and `run`.
    quality : of weights, on development lists.
    """
    if len(priors) == 1:
        found = fit(priors[0], run=run)
        return found.x, {"iterations": found.rows}
    finished: Arrays = {}
    weights, rows, table = [], [], []
    for s in priors:
        part = run.part(f"prior {s:g}", finished)
        found = fit(s, run=part)
        finished = {**finished, **part.named(found.state)}
        weights.append(found.x)
        rows += [{"prior": s, **row} for row in found.rows]
        table.append({"prior": s, "dev quality": quality(found.x) if quality else 0.0})
    record = {"iterations": rows, "prior": table}
    return weights[priors.index(chosen_prior(priors, record))], record


def chosen_prior(priors: Sequence[float], record: Record) -> float:
    """The prior that a fit with these priors chose, by its record.

    Examples
    --------
    >>> tried = [{"prior": 1.0, "dev quality": 7.0}, {"prior": 2.0, "dev quality": 7.5}]
    >>> chosen_prior((1.0, 2.0), {"prior": tried}), chosen_prior((3.0,), {})
    (2.0, 3.0)
    """
    tried = record.get("prior", [])
    return max(tried, key=lambda row: row["dev quality"])["prior"] if tried else priors[0]


def check_priors(priors: tuple[float, ...], *, with_dev: bool) -> None:
    """Raise an error for priors that are not positive, and for several that nothing chooses."""
    if not priors or not all(0 < s < np.inf for s in priors):
        raise UsageError(f"prior must be positive, not {', '.join(map(str, priors)) or 'empty'}")
    if len(priors) > 1 and not with_dev:
        raise UsageError("to choose between several priors, development lists are needed")
