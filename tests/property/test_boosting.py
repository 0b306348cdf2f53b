"""Boosting equals the naive algorithm, and its sums never drift."""

import math
from dataclasses import replace

import numpy as np
import pytest
from helpers.strategies.problems import problems, random_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import boosting as twin

from runoff.fitting.record import FOR_PLOTS
from runoff.learners.boosting.boosting import ExpLoss, LogLoss
from runoff.learners.boosting.logprob_weight import exp_loss_weight, log_loss_weight

SMOOTHINGS = st.sampled_from([0.0001, 0.0025, 0.0075, 0.1])


def steps(ranker, problem, dev=None):
    """The rounds of a fit with one smoothing."""
    (rounds,) = ranker.fit(problem, dev).rounds_.values()
    return rounds


@given(problems(binary=True), SMOOTHINGS, st.booleans())
def test_the_trajectory_is_the_naive_one_bit_for_bit(problem, smoothing, weighted):
    ranker = ExpLoss(rounds=40, smoothing=(smoothing,), weighted=weighted)
    rounds = steps(ranker, problem)
    naive = twin.InWholeUnits(problem, ranker.logprob_weight_, smoothing, weighted)
    for n in range(40):
        expected = naive.round()
        assert (n < rounds.done) == (expected is not None)
        if expected is None:
            break
        assert (int(rounds.features[n]), float(rounds.deltas[n])) == expected


@pytest.mark.parametrize(("ranker", "naive"), [(ExpLoss, twin.Naive), (LogLoss, twin.NaiveLog)])
def test_thousands_of_rounds_are_those_of_figure_3_in_floating_point(ranker, naive):
    problem = random_problem(lists=40, candidates=6, n_features=60, seed=1)
    ranker = ranker(rounds=2000, smoothing=(0.001,))
    rounds = steps(ranker, problem)
    slow = naive(problem, ranker.logprob_weight_, 0.001)
    for n in range(2000):
        k, delta = slow.round()
        assert int(rounds.features[n]) == k
        assert float(rounds.deltas[n]) == pytest.approx(delta, rel=1e-6)
    z, _, _ = slow.sums(slow.weights())
    expected = z if naive is twin.Naive else slow.loss()
    assert rounds.losses[1999] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("ranker", [ExpLoss, LogLoss])
def test_a_hundred_thousand_rounds_leave_no_drift(ranker, monkeypatch):
    """W, Z and margins, against sums made afresh from the weights."""
    problem = random_problem(lists=60, candidates=8, n_features=120, seed=2)
    boosters = []
    native = ranker.fit.__globals__["_native"].Booster
    ranker = ranker(rounds=100_000, smoothing=(0.0001,))
    monkeypatch.setattr(
        "runoff.learners.boosting.boosting._native.Booster",
        lambda *arguments: boosters.append(native(*arguments)) or boosters[-1],
    )
    rounds = steps(ranker, problem)
    assert rounds.done == 100_000
    (booster,) = boosters
    fresh = (twin.Naive if ranker.loss == "exp" else twin.NaiveLog)(
        problem, ranker.logprob_weight_, 0.0001
    )
    weights = rounds.weights(rounds.done, problem.n_features)
    fresh.margins = [
        margin + sum(weights[k] for k in ours) - sum(weights[k] for k in theirs)
        for margin, (_, _, _, ours, theirs) in zip(fresh.margins, fresh.pairs, strict=True)
    ]
    exponents = np.empty(len(fresh.margins))
    booster.exponents(exponents)
    if ranker.loss == "exp":
        exponents -= [math.log(s) for _, _, s, _, _ in fresh.pairs]
    assert (-exponents).tolist() == pytest.approx(fresh.margins, rel=1e-9, abs=1e-9)
    plus, minus = np.empty(problem.n_features), np.empty(problem.n_features)
    booster.sums(plus, minus)
    z, fresh_plus, fresh_minus = fresh.sums(fresh.weights())
    assert booster.total == pytest.approx(z, rel=1e-9)
    assert plus.tolist() == pytest.approx(fresh_plus, rel=1e-9)
    assert minus.tolist() == pytest.approx(fresh_minus, rel=1e-9)


@given(problems(binary=True), SMOOTHINGS)
def test_log_loss_never_rises_and_falls_by_what_was_promised(problem, smoothing):
    rounds = steps(LogLoss(rounds=60, smoothing=(smoothing,)), problem)
    losses = rounds.losses[: rounds.done]
    assert (np.diff(losses) <= 1e-12 * np.abs(losses[:-1])).all()


def test_without_much_smoothing_a_round_lowers_log_loss_by_its_gain_at_least():
    """Appendix B: the loss falls by (sqrt W+ - sqrt W-)^2 or more."""
    problem = random_problem(lists=30, candidates=5, n_features=20, seed=3)
    ranker = LogLoss(rounds=50, smoothing=(1e-12,))
    rounds = steps(ranker, problem)
    slow = twin.NaiveLog(problem, ranker.logprob_weight_, 1e-12)
    for n in range(rounds.done):
        _, plus, minus = slow.sums(slow.weights())
        gain = max((math.sqrt(p) - math.sqrt(m)) ** 2 for p, m in zip(plus, minus, strict=True))
        before = slow.loss()
        slow.move(int(rounds.features[n]), float(rounds.deltas[n]))
        assert slow.loss() <= before - gain + 1e-9


def test_log_loss_boosting_ends_where_exact_selection_ends():
    """Section 4.6 chooses by the true best loss; both come to the same minimum, with a0 = 1."""
    problem = random_problem(lists=25, candidates=4, n_features=5, seed=4)
    exact = list(twin.exact_selection(problem, 40))
    boosting = twin.NaiveLog(problem, 1.0, 1e-9)
    after = []
    for _ in range(400):
        boosting.round()
        after.append(boosting.loss())
    assert exact[0] <= after[0]
    assert exact == pytest.approx(sorted(exact, reverse=True), rel=1e-12)
    assert after[-1] == pytest.approx(exact[-1], rel=1e-6)


@given(problems(binary=True), problems(binary=True), SMOOTHINGS)
@settings(max_examples=50)
def test_the_development_quality_of_every_round(problem, dev, smoothing):
    ranker = ExpLoss(rounds=30, smoothing=(smoothing,))
    rounds = steps(ranker, problem, dev)
    scores = ranker.logprob_weight_ * dev.logprobs
    assert rounds.start == pytest.approx(dev.picked_quality(scores))
    owners = np.repeat(np.arange(dev.n_candidates), np.diff(dev.feature_offsets))
    for n in range(rounds.done):
        scores[owners[dev.feature_ids == rounds.features[n]]] += rounds.deltas[n]
        assert rounds.qualities[n] == pytest.approx(dev.picked_quality(scores))
    drawn = [(row["round"], row["dev quality"]) for row in ranker.record_[FOR_PLOTS]]
    if drawn:
        line = np.interp(np.arange(1, rounds.done + 1), *zip(*drawn, strict=True))
        assert line.tolist() == rounds.qualities[: rounds.done].tolist()


class Share:
    """A metric whose figure is not the sum of qualities."""

    higher_is_better = True

    def figures(self, totals):
        return {"share": totals[..., 0] / (1 + totals[..., 1])}


@given(problems(binary=True), problems(binary=True), st.data())
@settings(max_examples=30)
def test_the_development_figure_of_every_round(problem, dev, data):
    numbers = st.lists(st.integers(0, 9), min_size=2 * dev.n_candidates)
    statistics = np.resize(np.array([*data.draw(numbers), 0.0]), (dev.n_candidates, 2))
    dev = replace(dev, statistics=statistics, metric=Share())
    ranker = ExpLoss(rounds=20)
    rounds = steps(ranker, problem, dev)
    scores = ranker.logprob_weight_ * dev.logprobs
    assert rounds.start == dev.picked_quality(scores)
    owners = np.repeat(np.arange(dev.n_candidates), np.diff(dev.feature_offsets))
    for n in range(rounds.done):
        scores[owners[dev.feature_ids == rounds.features[n]]] += rounds.deltas[n]
        assert rounds.qualities[n] == dev.picked_quality(scores)


@given(problems(binary=True))
@settings(max_examples=50)
def test_a0_is_at_least_as_good_as_the_papers_grid(problem):
    pairs = twin.pairs_of(problem)
    if pairs:
        gaps, s = (np.array([pair[place] for pair in pairs]) for place in (1, 2))
        a0 = exp_loss_weight(gaps, np.log(s))
        loss, of_grid = ((s * np.exp(-a * gaps)).sum() for a in (a0, twin.grid_a0(pairs)))
        assert loss <= of_grid * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a0_is_the_one_of_the_papers_grid(seed):
    pairs = twin.pairs_of(random_problem(lists=30, candidates=6, n_features=3, seed=seed))
    gaps, s = (np.array([pair[place] for pair in pairs]) for place in (1, 2))
    assert exp_loss_weight(gaps, np.log(s)) == pytest.approx(twin.grid_a0(pairs), abs=0.00051)


@given(problems(binary=True))
def test_a0_of_log_loss_is_a_minimum(problem):
    pairs = twin.pairs_of(problem)
    if not pairs:
        return
    gaps = np.array([gap for _, gap, _, _, _ in pairs])
    numbers = [number for number, *_ in pairs]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    a0 = log_loss_weight(gaps, starts)
    here = twin.NaiveLog(problem, a0, 0.1).loss()
    for other in (max(0.001, a0 - 0.01), min(10.0, a0 + 0.01)):
        assert here <= twin.NaiveLog(problem, other, 0.1).loss() + 1e-12
