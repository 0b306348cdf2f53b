"""Figures that say how they were made: name, settings, version, value."""

from __future__ import annotations

from importlib.metadata import version

from runoff.metrics.base import Metric


def signed(
    figure: str,
    value: float,
    metric: Metric,
    *,
    interval: float | None = None,
    **settings: object,
) -> str:
    """One line with a figure and its signature.

    Parameters
    ----------
    figure : the figure's name, such as `F1`.
    value : the figure.
    metric : what computed it; its signature goes into the line.
    interval : half the width of a confidence interval.
    settings : what else it depends on: `set`, `k`, `learner`, `seed`.

    Examples
    --------
    >>> from runoff.metrics import metric
    >>> line = signed("F1", 90.12, metric("parseval"), set="dev", k=50)
    >>> line.replace(version("runoff"), "0.1.0")
    'F1|set:dev|k:50|metric:parseval|prm:collins|len:all|v:0.1.0 = 90.12'
    """
    parts = [f"{name}:{setting}" for name, setting in settings.items()]
    signature = "|".join([figure, *parts, f"metric:{metric.signature()}", f"v:{version('runoff')}"])
    error = "" if interval is None else f" ± {interval:.2f}"
    return f"{signature} = {value:.2f}{error}"
