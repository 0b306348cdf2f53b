"""Plots of error models, and the paper's Figures 1 and 2 as examples of our own."""

from functools import partial

import numpy as np

from runoff.report.error_maps import draw_densities, draw_error_maps
from runoff.report.plot import save_plot
from runoff.search.partial_candidates.calibration import Calibration
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations


def test_maps_and_calibration_are_drawn(tmp_path):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(60, 2))
    finals = scores + np.array([1.0, 0.0]) * rng.normal(size=(60, 2))
    seen = Observations.of(np.tile([0.25, 0.5, 0.75], 20), scores, finals)
    model = ErrorModel.fit(["moving", "known"], seen, width=0.1)
    curves = {"ours": [Calibration(0.01, 0.02), Calibration(0.2, 0.19)]}
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        save_plot(file, partial(draw_error_maps, model, curves))
    text = files[0].read_text()
    assert text == files[1].read_text()
    assert "moving: variance" in text
    assert "known: variance" not in text  # it has no errors
    assert "Calibration" in text


def test_a_lower_score_is_more_promising_and_is_drawn_so(tmp_path):
    pair = [("half-read", 0.0, 1.0), ("nearly complete", 0.5, 0.3)]
    save_plot(tmp_path / "c.svg", partial(draw_densities, pair, 0.1))
    text = (tmp_path / "c.svg").read_text()
    assert "half-read: eta 1.28" in text
    assert "nearly complete: eta 0.88" in text
