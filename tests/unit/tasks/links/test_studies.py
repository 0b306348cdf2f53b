"""The studies of recipes with linkages: what is measured, and what the tables say of it."""

import random
from functools import cache

import pytest

import runoff as ro
from runoff.engine import ALONE, Engine
from runoff.tasks.links.judged import judged
from runoff.tasks.links.measures import Measure
from runoff.tasks.links.plan import Plan
from runoff.tasks.links.search_study import (
    CHOICES,
    GREEDY,
    Calibrated,
    Search,
    SearchStudy,
    choice_study,
    search_study,
)
from runoff.tasks.links.tables import Figures, Score, choice_tables, search_tables

WORDS = "the cat saw a dog in parks".split()
PLAN = Plan(replications=1, epsilons=(0.05, 0.2))
ENGINE = Engine.of(ALONE)


def linkages(seed, lists):
    """Lists of trees of links that begin alike; gold is the first candidate or the second."""
    chance = random.Random(seed)
    made = []
    for number in range(lists):
        own = set()
        for _ in range(9):
            heads = [0, *(chance.choice([0, w]) if w % 3 else w - 1 for w in range(1, 7))]
            own.add(tuple((left, w + 1, "AB"[left % 2]) for w, left in enumerate(heads)))
        outputs = [[list(link) for link in one] for one in sorted(own)]
        candidates = [ro.Candidate(one, -float(place)) for place, one in enumerate(outputs)]
        made.append(ro.NBest(number, WORDS, candidates, outputs[number % 2]))
    return made


@cache
def regressor():
    features = ["links"]
    return ro.fit(linkages(0, 12), metric="link-f1", features=features, learner="least-squares",
                  min_lists=1)  # fmt: skip


def test_the_search_is_measured():
    found = search_study(regressor(), linkages(1, 8), PLAN, ENGINE)
    assert found.sentences == 8
    for one in found.searches:
        assert len(one.measures) == 8
        for measure in one.measures:
            assert 1 <= measure.rank <= measure.candidates
            assert 0 < measure.steps <= 1
            assert 0 < measure.completed <= 1
    (greedy,) = [one for one in found.searches if one.model == GREEDY]
    assert {(one.rank, one.steps, one.completed) for one in greedy.measures} == {(1, 1, 1)}
    assert len(found.calibration) == 5
    assert all(0 <= share <= 1 for one in found.calibration for share in one.above.values())
    paper = Figures(searches={"0.2": Score(rank=6.0, steps=0.73)})
    table, *others = search_tables(found, paper)
    shown = {(row["error model"], row["epsilon"]): row["paper rank"] for row in table.rows}
    assert shown[("paper", "0.2")] == 6.0
    assert shown[("ours", "0.2")] is None
    assert all(len({tuple(row) for row in one.rows}) == 1 for one in others)
    (printed,) = others[2].rows
    assert (printed["paper rank"], printed["paper steps"]) == (6.0, 0.73)
    assert sum(row["sentences"] for row in others[3].rows if row["error model"] == GREEDY) == 8


def measures(*pairs):
    return [Measure(100, rank, None, 0.5, steps) for rank, steps in pairs]


def test_steps_at_the_same_rank_are_interpolated():
    searches = [
        Search("paper", 0.05, False, measures((1, 0.9), (3, 0.7))),
        Search("paper", 0.2, False, measures((9, 0.5))),
        Search("ours", 0.05, False, measures((1, 0.7))),
        Search("ours", 0.2, False, measures((5, 0.3))),
    ]
    table, calibration = choice_tables(SearchStudy(2, searches, [Calibrated("m", {0.05: 0.04})]))
    assert "2 development sentences" in table.title
    first, second = table.rows
    assert first["rank"] == 2
    assert first["steps, paper's error model"] == pytest.approx(0.8)
    assert first["steps, ours"] == pytest.approx(0.6)  # a quarter of the way from rank 1 to 5
    assert second["steps, ours"] is None  # no epsilon comes to rank 9
    assert calibration.rows == [{"error model": "m", "0.05": 0.04}]


def test_error_models_are_compared_on_development_sentences():
    found = choice_study(regressor(), linkages(2, 6), PLAN, ENGINE)
    assert {one.model for one in found.searches} == set(CHOICES)
    assert not any(one.apart for one in found.searches)
    table, _ = choice_tables(found)
    assert [row["epsilon"] for row in table.rows] == ["0.05", "0.2"]


def test_links_are_judged():
    dev, test = linkages(3, 10), linkages(4, 10)
    tables = judged(regressor(), {"again": regressor()}, dev, test, PLAN, ENGINE)
    learners, *searched, calibration = tables
    f1 = {row["choice"]: row["F1"] for row in learners.rows}
    assert f1["first"] <= f1["oracle"]
    assert f1["least-squares"] == f1["again"] <= f1["oracle"]
    for table in searched:
        for row in table.rows:
            assert row["F1 lost"] == pytest.approx(f1["least-squares"] - row["F1"])
            assert 0 <= row["steps saved"] < 1
    assert [row["sentences"] for row in calibration.rows] == ["development", "test"]
