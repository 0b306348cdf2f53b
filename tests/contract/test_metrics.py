"""Every registered metric keeps the contract of `runoff.metrics.base.Metric`."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.metrics import METRICS, MeasureError, Metric, figure, metric

TREE = "(TOP (S (NP (DT the) (NN vote)) (VP (VBD ran) (ADVP (RB on))) (. .)))"
OTHER = "(TOP (S (NP (DT the)) (VP (NN vote) (NP (VBD ran) (RB on))) (. .)))"
WORST = "(TOP (X (DT the) (X (NN vote) (VBD ran)) (RB on) (. .)))"

EXAMPLES = {  # gold, outputs from best to worst
    "accuracy": ("DT NN VB", ["DT NN VB", "DT NN NN", "X X X"]),
    "aer": ("0-0 1p1 2-2", ["0-0 1-1 2-2", "0-0 1-1 2-1", "0-1"]),
    "b-cubed": (
        [["a", "b"], ["c"]],
        [[["c"], ["b", "a"]], [["a"], ["b"], ["c"]], [["b", "c"], ["a"]]],
    ),
    "bleu": ("we saw the best list", ["we saw the best list", "we saw the list", "no"]),
    "cer": ("a vote", ["a vote", "a note", "x"]),
    "chunk-f1": ("B-NP I-NP O B-VP", ["B-NP I-NP O B-VP", "B-NP I-NP O O", "O O O B-NP"]),
    "exact": ("a b", ["a b", "a c", "d"]),
    "link-f1": (
        [[0, 2, "root"], [1, 2, "det"], [2, 3, "obj"], [2, 4, "punct"]],
        [[[1, 2, "D"], [2, 3, "O"], [0, 4, "Xp"]], [[1, 2, "D"], [1, 3, "O"]], [[1, 3, "O"]]],
    ),
    "pair-f1": ([["a", "b"], ["c"]], [[["c"], ["b", "a"]], [["a", "b", "c"]], [["b", "c"], ["a"]]]),
    "parseval": (TREE, [TREE, OTHER, WORST]),
    "parseval-plain": (TREE, [TREE, OTHER, WORST]),
    "quality": (None, [1.0, 0.5, -3.0]),
    "wer": ("we saw it", ["we saw it", "we saw", "no no no no"]),
}


@pytest.fixture(params=sorted(METRICS))
def case(request):
    gold, outputs = EXAMPLES[request.param]
    return metric(request.param), gold, outputs


def test_every_metric_has_an_example():
    assert set(EXAMPLES) == set(METRICS)


def test_is_a_metric_with_its_name(case):
    measure, _, _ = case
    assert isinstance(measure, Metric)
    assert METRICS[measure.name]
    assert measure.signature().partition("|")[0] == measure.name.removesuffix("-plain")
    assert " " not in measure.signature()


def test_one_finite_row_per_output(case):
    measure, gold, outputs = case
    statistics = measure.statistics(outputs, gold)
    assert statistics.dtype == np.float64
    assert statistics.shape == (len(outputs), len(measure.columns))
    assert np.isfinite(statistics).all()
    assert measure.statistics([], gold).shape == (0, len(measure.columns))


def test_rows_do_not_depend_on_neighbours(case):
    measure, gold, outputs = case
    together = measure.statistics(outputs, gold)
    alone = [measure.statistics([output], gold)[0] for output in outputs]
    assert np.array_equal(together, alone)


def test_figures_and_quality_keep_leading_axes(case):
    measure, gold, outputs = case
    statistics = measure.statistics(outputs, gold)
    stacked = np.stack([statistics, statistics[::-1]])
    assert measure.quality(stacked).shape == stacked.shape[:-1]
    for name, values in measure.figures(stacked).items():
        assert values.shape == stacked.shape[:-1], name
        one = measure.figures(statistics[0])[name]
        assert np.shape(one) == ()
        assert values[0, 0] == one


def test_better_outputs_have_better_quality_and_figure(case):
    measure, gold, outputs = case
    statistics = measure.statistics(outputs, gold)
    quality, figures = measure.quality(statistics), figure(measure, statistics)
    assert quality[0] == max(quality) > quality[-1]
    assert all(np.diff(quality) <= 0)
    assert (figures[0] > figures[-1]) == measure.higher_is_better


def test_figures_of_nothing_are_finite(case):
    measure, _, _ = case
    for value in measure.figures(np.zeros(len(measure.columns))).values():
        assert np.isfinite(value)


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"exact"}))
def test_bad_output_is_named(name):
    gold, outputs = EXAMPLES[name]
    with pytest.raises(MeasureError, match=r"^outputs\[1\]: ") as caught:
        metric(name).statistics([outputs[0], {"a": 1}], gold)
    assert caught.value.output == 1


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"exact", "quality"}))
def test_bad_gold_is_named(name):
    with pytest.raises(MeasureError, match=r"^gold: ") as caught:
        metric(name).statistics([], {"a": 1})
    assert caught.value.output is None
