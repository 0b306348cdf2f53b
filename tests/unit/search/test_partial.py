import math
from functools import cache
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import partial_search as twin

import runoff as ro
from runoff.errors import ModelError, UsageError
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations
from runoff.search.partial_candidates.quantiles import NORMAL
from runoff.search.partial_candidates.search import search_partial
from runoff.search.partial_candidates.sequences import read_sequences
from runoff.search.partial_candidates.smoothing import ROWS


class Sum:
    """The sum of the pieces, with a bonus for the end."""

    name = "sum"

    def __init__(self):
        self.reads = 0

    def start(self):
        return 0.0

    def read(self, state, piece, last):
        self.reads += 1
        return state + piece, state + piece + (0.5 if last else 0.0)


class Mean:
    """The mean of the pieces."""

    name = "mean"

    def start(self):
        return 0, 0.0

    def read(self, state, piece, last):
        count, total = state[0] + 1, state[1] + piece
        return (count, total), total / count


def observed(sequences, targets):
    """What reading sequences to the end shows, as observations."""
    rows = []
    for number, sequence in enumerate(sequences):
        states, own = [target.start() for target in targets], []
        for place, piece in enumerate(sequence, 1):
            last = place == len(sequence)
            both = [t.read(s, piece, last) for t, s in zip(targets, states, strict=True)]
            states = [one[0] for one in both]
            own.append((place / len(sequence), [one[1] for one in both]))
        rows += [(u, scores, own[-1][1], number) for u, scores in own]
    return Observations.of(*(list(part) for part in zip(*rows, strict=True)))


def random_sequences(seed, n=30, longest=8):
    rng = np.random.default_rng(seed)
    return [tuple(rng.integers(-3, 4, rng.integers(2, longest)).tolist()) for _ in range(n)]


@cache
def learned(seed, *, both=True, **how):
    """A model of the errors of made-up sequences."""
    targets = [Sum(), Mean()][: 1 + both]
    names = [target.name for target in targets]
    return ErrorModel.fit(names, observed(random_sequences(seed), targets), **how)


def grid(mean, deviation, correlation=0.0, targets=1):
    """A model whose errors are the same everywhere."""
    shape = targets, 2, 2
    correlations = np.full((2, targets, targets), correlation)
    correlations[:, range(targets), range(targets)] = 1.0
    flat = np.zeros(targets), np.ones(targets), np.full(targets, -9.0), np.full(targets, 9.0)
    names = tuple(f"f{number}" for number in range(targets))
    grids = np.full(shape, mean), np.full(shape, deviation), correlations, np.zeros(ROWS), NORMAL
    return ErrorModel(names, *flat, *grids)


def partial(u, *scores, key="a", successors=()):
    return SimpleNamespace(completion=u, scores=scores, key=key, advance=lambda: list(successors))


def test_eta_by_hand():
    winner = partial(1.0, 1.0, 1.4, key="w")
    one = partial(0.5, 0.0, 0.5, key="o", successors=[partial(1.0, 0.0, 0.6, key="oo")])
    found = search_partial([winner, one], grid(0.5, 0.3, targets=2), epsilon=0.05)
    # means add up to 0.5 + 2 * 0.5 = 1.5, variances to 2 * 0.09; the quantile of 0.95 is 1.6449
    assert found.waiting[0].eta == pytest.approx(1.5 + 1.644854 * math.sqrt(0.18), abs=1e-6)
    assert (found.best, found.score, found.steps) == (winner, 2.4, 0)
    assert found.missed == pytest.approx(0.5 * math.erfc(0.9 / math.sqrt(0.18) / math.sqrt(2)))


def test_correlated_errors_spread_further():
    _, apart = grid(0.0, 0.3, targets=2).expected(0.5, [0.0, 0.0])
    _, together = grid(0.0, 0.3, correlation=1.0, targets=2).expected(0.5, [0.0, 0.0])
    assert (apart, together) == (pytest.approx(0.18), pytest.approx(0.36))


def test_a_lower_score_can_be_more_promising():
    model = grid(0.0, 1.0)
    model.deviations[:, 1] = 0.0  # a candidate that is read to the end does not move
    high, low = partial(0.9, 1.0, key="high"), partial(0.1, 0.5, key="low")
    found = search_partial([high, low], model, epsilon=0.1, steps=0)
    assert [one.candidate.key for one in found.waiting] == ["low", "high"]
    assert (found.best, found.ended_by) == (high, "steps")


def test_a_complete_candidate_has_its_own_score():
    assert grid(5.0, 3.0).expected(1.0, [0.25]) == (0.25, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_grid_is_near_the_sums_of_the_paper(seed):
    seen = observed(random_sequences(seed, 60), [Sum(), Mean()])
    model = ErrorModel.fit(["sum", "mean"], seen, width=0.1, correlated=False)
    for u, scores in zip(seen.completion[::7], seen.scores[::7], strict=True):
        if u == 1:
            continue
        normal = (scores - model.centres) / model.scales
        exact = [twin.smoothed(seen, u, normal[k], k) for k in range(2)]
        mean, variance = model.expected(u, scores.tolist())
        assert mean == pytest.approx(sum(normal) + sum(m for m, _ in exact), abs=0.02)
        assert math.sqrt(variance) == pytest.approx(math.hypot(*(d for _, d in exact)), rel=0.02)


@pytest.mark.parametrize("epsilon", [0.01, 0.2, 0.5])
@pytest.mark.parametrize("correlated", [False, True])
def test_the_search_equals_its_twin(epsilon, correlated):
    targets = [Sum(), Mean()]
    model = learned(7, correlated=correlated, shared=False, normal=True)
    for seed in range(5):
        sequences = list(dict.fromkeys(random_sequences(seed, 12)))
        place, pieces = twin.search(sequences, targets, model, epsilon)
        apart = [((n, p), *s[1:]) for n, (p, s) in enumerate((s[0], s) for s in sequences)]
        found = search_partial(read_sequences(apart, [Head(t) for t in targets]), model,
                               epsilon=epsilon)  # fmt: skip
        assert (found.best.places, found.pieces) == ([place], pieces)


class Head:
    """A target function of sequences whose first piece carries a number, so that none is shared."""

    def __init__(self, target):
        self.target, self.name, self.start = target, target.name, target.start

    def read(self, state, piece, last):
        return self.target.read(state, piece[1] if isinstance(piece, tuple) else piece, last)


lists = st.lists(
    st.lists(st.integers(-3, 3), min_size=1, max_size=5).map(tuple), min_size=1, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(lists)
def test_without_any_risk_the_search_is_exhaustive(sequences):
    targets = [Sum(), Mean()]
    model = learned(1)
    found = search_partial(read_sequences(sequences, targets), model, epsilon=0)
    finals = {s: model.expected(1, observed([s], targets).finals[0].tolist())[0] for s in sequences}
    assert finals[sequences[found.best.places[0]]] == max(finals.values())
    assert found.score == pytest.approx(max(finals.values()))


@settings(max_examples=40, deadline=None)
@given(lists, st.randoms(use_true_random=False), st.sampled_from(["eta", "expected"]))
def test_the_order_of_candidates_does_not_matter(sequences, random, order):
    targets = [Sum(), Mean()]
    model = learned(2)
    mixed = random.sample(sequences, len(sequences))
    both = [
        search_partial(read_sequences(one, targets), model, epsilon=0.2, order=order)
        for one in (sequences, mixed)
    ]
    assert both[0].best.key == both[1].best.key
    assert [(r.steps, r.pieces, r.missed) for r in both[:1]] == [
        (r.steps, r.pieces, pytest.approx(r.missed)) for r in both[1:]
    ]


def test_a_perfect_model_completes_only_the_winner():
    class Known:
        """All is known from the first piece."""

        name = "known"

        def start(self):
            return None

        def read(self, state, piece, last):
            return (piece if state is None else state), float(piece if state is None else state)

    model = grid(0.0, 0.0)
    found = search_partial(read_sequences([(3, 1, 1), (7, 1, 1), (5, 1, 1)], [Known()]), model)
    assert [one.places for one in found.completed] == [found.best.places] == [[1]]
    assert (found.steps, found.pieces, found.missed) == (2, 5, 0.0)


@pytest.mark.parametrize("order", ["eta", "expected"])
def test_a_perfect_model_completes_the_winner_and_no_more_than_its_ties(order):
    sequences = [(3, 1, 1), (7, 1, 1), (5, 1, 1), (7, 1, 2), (7, 2, 2)]
    first = Head(Sum())
    first.read = lambda state, piece, last: (state or piece, float(state or piece))
    found = search_partial(read_sequences(sequences, [first]), grid(0.0, 0.0), order=order)
    completed = {place for one in found.completed for place in one.places}
    assert found.best.places[0] in completed <= {1, 3, 4}
    assert found.missed == 0.0


def test_a_chance_as_small_as_can_be_is_taken():
    found = search_partial(
        read_sequences([(1, 2), (3, 4)], [Sum()]), grid(0.0, 0.1), epsilon=1e-300
    )
    assert found.best.places == [1]


def test_an_error_model_for_other_target_functions_is_refused():
    errors = ro.search.learn_errors([[(1, 2), (2, 3)]], [Sum()])
    assert ro.search.partial([(1, 2), (4, 5)], [Sum()], errors).best.key == (4, 5)
    for targets in ([Mean()], [Sum(), Mean()]):
        with pytest.raises(UsageError, match="is for the target functions sum, not for"):
            ro.search.partial([(1, 2)], targets, errors)


def test_shared_beginnings_are_read_once():
    target = Sum()
    sequences = [(1, 2, 3), (1, 2, 4), (1, 2), (1, 2, 3)]
    found = search_partial(read_sequences(sequences, [target]), grid(0.0, 1.0), to_the_end=True)
    assert target.reads == found.pieces == 1 + 2 + 2  # 2 as the last piece is another one
    assert (found.best.places, found.best.scores) == ([1], [7.5])
    assert [one.places for one in found.completed] == [[2], [0, 3], [1]]


@pytest.mark.parametrize("steps", range(6))
def test_a_budget_of_steps_is_exact(steps):
    sequences = [(1, 2, 3), (3, 2, 1), (2, 2, 2)]
    found = search_partial(read_sequences(sequences, [Sum()]), grid(0.0, 9.0), steps=steps)
    assert (found.steps, found.ended_by) == (steps, "steps")
    assert len(found.completed) + len(found.waiting) == 3


def test_a_budget_of_no_time_gives_what_is_expected_most():
    found = search_partial(read_sequences([(1, 1), (3, 1)], [Sum()]), grid(0.0, 1.0), seconds=0)
    assert (found.best.places, found.completed, found.ended_by) == ([1], [], "time")


def test_one_candidate_and_equal_ones():
    assert search_partial(read_sequences([(1,)], [Sum()]), grid(0.0, 1.0)).steps == 0
    assert search_partial(read_sequences([(1, 1)] * 5, [Sum()]), grid(0.0, 1.0)).pieces == 2


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"epsilon": 1.0}, "epsilon must be at least 0 and below 1, not 1.0"),
        ({"epsilon": math.nan}, "epsilon must be"),
        ({"steps": -1}, "steps must be at least 0, not -1"),
        ({"seconds": math.nan}, "seconds must be at least 0"),
        ({"order": "best"}, "best"),
    ],
)
def test_options_that_make_no_sense_are_refused(how, match):
    with pytest.raises(UsageError, match=match):
        search_partial(read_sequences([(1, 2)], [Sum()]), grid(0.0, 1.0), **how)


def test_bad_candidates_are_refused():
    with pytest.raises(UsageError, match="there are no candidates"):
        search_partial([], grid(0.0, 1.0))
    with pytest.raises(UsageError, match="not a finite number"):
        search_partial([partial(0.5, math.nan)], grid(0.0, 1.0))
    with pytest.raises(ValueError, match="one score per target function"):
        search_partial([partial(0.5, 1.0, 2.0)], grid(0.0, 1.0))
    with pytest.raises(UsageError, match="a candidate is empty"):
        read_sequences([(1,), ()], [Sum()])
    with pytest.raises(UsageError, match="there is no target function"):
        read_sequences([(1,)], [])


@pytest.mark.parametrize(
    ("completion", "scores", "finals", "match"),
    [
        ([], np.zeros((0, 1)), np.zeros((0, 1)), "there are no observations"),
        ([0.5], [[1.0]], [[1.0, 2.0]], "as many finals"),
        ([0.0], [[1.0]], [[1.0]], "does not lie above 0"),
        ([0.5], [[math.inf]], [[1.0]], "not a finite number"),
    ],
)
def test_bad_observations_are_refused(completion, scores, finals, match):
    with pytest.raises(UsageError, match=match):
        Observations.of(completion, scores, finals)


def test_a_model_is_kept_in_arrays():
    model = learned(3)
    again = ErrorModel.restore(model.names, model.arrays())
    assert again.expected(0.4, [1.0, 0.5]) == model.expected(0.4, [1.0, 0.5])
    broken = {**model.arrays(), "deviations": model.deviations[:, :3]}
    with pytest.raises((ModelError, ValueError), match="one entry per point"):
        ErrorModel.restore(model.names, broken)
    falling = {**model.arrays(), "quantiles": model.quantiles[::-1] - NORMAL}
    with pytest.raises(ModelError, match="quantiles of its error model do not rise"):
        ErrorModel.restore(model.names, falling)


def test_widths_are_chosen_by_lists_that_were_left_out():
    rng = np.random.default_rng(0)
    f = np.repeat(rng.uniform(-1, 1, 400), 2)
    u = np.tile([0.3, 0.6], 400)
    errors = np.sin(9 * f) + rng.normal(0, 0.1, 800)  # much narrower than the paper's kernel
    seen = Observations.of(u, f[:, None], (f + errors)[:, None], np.repeat(np.arange(400), 2))
    _, narrow = ErrorModel.fit(["f"], seen).expected(0.3, [0.2])
    _, wide = ErrorModel.fit(["f"], seen, width=0.1).expected(0.3, [0.2])
    assert narrow < 0.3 * wide


def test_all_orders_of_three_candidates_agree():
    model = learned(4, both=False)
    found = {
        search_partial(read_sequences(list(order), [Sum()]), model).best.key
        for order in permutations([(1, 2), (2, 1), (0, 3)])
    }
    assert len(found) == 1
