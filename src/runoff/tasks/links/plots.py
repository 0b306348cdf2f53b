"""Figure 3 of the paper: maps of the errors of two target functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.report.error_maps import draw_error_maps
from runoff.report.plot import save_plot
from runoff.search.partial_candidates.calibration import Calibration
from runoff.tasks.links.measures import PAPER, Sentence, fitted
from runoff.tasks.links.search_study import SearchStudy
from runoff.tasks.links.targets import MeanLength, Regressor, reading
from runoff.tasks.ranking.reranker import Reranker


def draw_maps(
    reranker: Reranker, lists: Sequence[NBest], study: SearchStudy, folder: FilePath
) -> list[Path]:
    """Draw `figure-3.svg`: the paper's error model, learned from all lists, and calibration."""
    weights = dict(reranker.named_weights())
    model = fitted([Sentence.of(reading(nbest, weights)) for nbest in lists], PAPER)
    calibration = {
        one.model: [Calibration(epsilon, above) for epsilon, above in one.above.items()]
        for one in study.calibration
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    made = Path(folder) / "figure-3.svg"
    names = [Regressor.name, MeanLength.name]
    save_plot(made, partial(draw_error_maps, model, calibration, names))
    return [made]
