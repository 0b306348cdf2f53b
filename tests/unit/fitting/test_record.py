"""Records of fits: which steps of a curve are kept for plots."""

import numpy as np
import pytest

from runoff.fitting.record import drawn_steps


@pytest.mark.parametrize("size", [1, 2, 40, 5000])
def test_a_thinned_curve_touches_the_same_pixels(size):
    values = np.random.default_rng(size).normal(size=size).cumsum()
    steps = drawn_steps(values, pixels=50)
    columns = (50 * np.log(np.arange(1, size + 1)) / np.log(size + 1)).astype(int)
    assert len(steps) <= 4 * 50
    for column in np.unique(columns):
        whole = values[columns == column]
        kept = values[steps - 1][columns[steps - 1] == column]
        ends = [(of[0], of[-1], of.min(), of.max()) for of in (whole, kept)]
        assert ends[0] == ends[1]


def test_a_short_curve_is_kept_whole_but_for_level_stretches():
    assert drawn_steps(np.arange(40.0)).tolist() == list(range(1, 41))
    assert drawn_steps(np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])).tolist() == [1, 3, 4, 6]
    assert drawn_steps(np.ones(5000)).tolist() == [1, 5000]
    assert drawn_steps(np.zeros(0)).tolist() == []
