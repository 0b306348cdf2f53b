"""Metrics: what gives a candidate its quality, and a ranking its figures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias, cast

from runoff.errors import UsageError, unknown_choice
from runoff.metrics.base import MeasureError, Metric, figure
from runoff.metrics.orders import OrderMetric
from runoff.user_code import load_function, plugin, plugins

METRICS: dict[str, tuple[str, dict[str, Any]]] = {
    "accuracy": ("accuracy:Accuracy", {}),
    "aer": ("alignment:AlignmentErrorRate", {}),
    "b-cubed": ("clusters:BCubedF1", {}),
    "bleu": ("bleu:Bleu", {}),
    "cer": ("error_rate:ErrorRate", {"unit": "character"}),
    "chunk-f1": ("chunks:ChunkF1", {}),
    "exact": ("accuracy:ExactMatch", {}),
    "link-f1": ("links:LinkF1", {}),
    "pair-f1": ("clusters:PairF1", {}),
    "parseval": ("parseval:Parseval", {"parameters": "collins"}),
    "parseval-plain": ("parseval:Parseval", {"parameters": "plain"}),
    "quality": ("user_metric:GivenQuality", {}),
    "wer": ("error_rate:ErrorRate", {"unit": "word"}),
}
"""Name on the command line -> where the class is, and the parameters that the name stands for."""

ORDERS = ("ndcg@K", "map", "mrr", "hit@K")
"""Metrics of the whole order of lists with grades; K is a number."""

AnyMetric: TypeAlias = "str | Callable[[Any, Any], float] | Metric"
"""What functions that measure are given: a name, a function of the user's, or a metric."""

__all__ = ["METRICS", "AnyMetric", "MeasureError", "Metric", "figure", "metric"]


def metric(name: AnyMetric, /, *, allow_code: bool = False, **parameters: Any) -> Metric:
    """The metric with this name, or a metric made of a function.

    Parameters
    ----------
    name : a name in `METRICS`, one of `ORDERS` such as `ndcg@10`, or a Python function
        `f(output, gold)` that gives a number; a metric stays what it is.
    allow_code : also take `module:function`, and import it. Only for names that the user typed;
        names out of recipes and model files never run code.
    parameters : parameters of the metric's class.

    Examples
    --------
    >>> metric("parseval", max_length=40).signature()
    'parseval|prm:collins|len:<=40'
    """
    if isinstance(name, Metric):
        return name
    if not isinstance(name, str):
        from runoff.metrics.user_metric import FunctionMetric

        return FunctionMetric(name, **parameters)
    if ":" in name:
        return _from_code(name, allow_code)
    order = OrderMetric.named(name)
    if order is not None:
        return order
    if name not in METRICS:
        made = plugin("metrics", name)
        if made is None:
            raise unknown_choice("metric", name, [*METRICS, *plugins("metrics"), *ORDERS])
        return cast(Metric, made(**parameters))
    place, preset = METRICS[name]
    module, _, attribute = place.partition(":")
    made = getattr(import_module(f"runoff.metrics.{module}"), attribute)
    allowed = set(inspect.signature(made).parameters) - set(preset)
    for parameter in parameters:
        if parameter not in allowed:
            raise _unknown_parameter(name, parameter, allowed)
    return cast(Metric, made(**preset, **parameters))


def _from_code(name: str, allow_code: bool) -> Metric:
    if not allow_code:
        hint = "pass the function itself, or give the name on the command line"
        raise UsageError(
            f"metric {name!r} names Python code, which is not run from here", hint=hint
        )
    from runoff.metrics.user_metric import FunctionMetric

    return FunctionMetric(load_function(name, "metric"), name=name)


def _unknown_parameter(name: str, parameter: str, allowed: set[str]) -> UsageError:
    if not allowed:
        return UsageError(f"metric {name!r} takes no parameters, so not {parameter!r}")
    return unknown_choice(f"parameter of {name!r}", parameter, allowed)
