"""Draws the figures of ginter-2006.md that are examples of our own; needs matplotlib."""

from functools import partial
from pathlib import Path

from runoff.report.error_maps import draw_densities
from runoff.report.plot import save_plot

HERE = Path(__file__).parent
ONE = [("half-read candidate, expected score 0", 0.0, 1.0)]
TWO = [("half-read, expected 0", 0.0, 1.0), ("nearly complete, expected 0.5", 0.5, 0.3)]

for name, candidates in (("ginter-2006-density.svg", ONE), ("ginter-2006-promising.svg", TWO)):
    save_plot(HERE / name, partial(draw_densities, candidates, 0.1))
