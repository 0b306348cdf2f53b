"""The table of metrics, and metrics by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

import runoff
from runoff.errors import UsageError
from runoff.metrics import METRICS, metric
from runoff.metrics.base import signature


@pytest.mark.parametrize("name", sorted(METRICS))
def test_names_are_those_of_the_table(name):
    assert metric(name).name == name


def test_unknown_name_has_a_hint():
    with pytest.raises(UsageError, match="unknown metric 'parsval'") as caught:
        metric("parsval")
    assert caught.value.hint == "did you mean 'parseval'?"


@pytest.mark.parametrize(
    ("name", "parameters", "problem"),
    [
        ("parseval", {"max_lenght": 3}, "unknown parameter of 'parseval' 'max_lenght'"),
        ("wer", {"unit": "character"}, "metric 'wer' takes no parameters, so not 'unit'"),
        ("exact", {"x": 1}, "metric 'exact' takes no parameters, so not 'x'"),
    ],
)
def test_unknown_parameters_are_named(name, parameters, problem):
    with pytest.raises(UsageError) as caught:
        metric(name, **parameters)
    assert caught.value.message.startswith(problem)


def test_code_runs_only_where_it_is_allowed():
    with pytest.raises(UsageError, match="names Python code, which is not run from here"):
        metric("operator:eq")
    assert metric("operator:eq", allow_code=True).name == "operator:eq"


def test_a_function_is_a_metric():
    assert metric(lambda output, gold: 1.0, name="one").signature() == "function|name:one"


def test_nothing_is_imported_before_it_is_used():
    code = "import sys, runoff.metrics; print([m for m in sys.modules if 'sacrebleu' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_signatures_say_how_a_figure_was_made():
    line = signature(metric("wer").signature(), set="test", seed=7)
    assert line == f"{metric('wer').signature()}|set:test|seed:7|v:{runoff.__version__}"
