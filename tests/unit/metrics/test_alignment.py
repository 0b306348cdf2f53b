import pytest

from runoff.data.bitext import parse_links
from runoff.metrics import metric


def test_the_rate_by_hand():
    """Of 4 links 3 are possible; of 3 sure ones 2 were found: 1 - (2 + 3) / (4 + 3)."""
    measure = metric("aer")
    statistics = measure.statistics(["0-0 1-1 2-3 4-4"], "0-0 1-1 2p3 5-5")
    figures = {name: float(value[0]) for name, value in measure.figures(statistics).items()}
    assert figures == pytest.approx({"AER": 200 / 7, "precision": 75, "recall": 200 / 3})
    assert measure.quality(statistics).tolist() == [-2]
    gold = parse_links("0-0 1-1 2p3 5-5")
    assert (measure.statistics(["0-0 1-1 2-3 4-4"], gold) == statistics).all()
    assert float(measure.figures(measure.statistics([""], "")[0])["AER"]) == 0
