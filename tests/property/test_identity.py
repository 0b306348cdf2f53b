"""Native agglomeration, aggregates and canopies against their slow twins."""

import functools

import numpy as np
import pytest
from twins import identity as twin

from runoff._native import canopies
from runoff.data.demo.records import corrupted_records
from runoff.proposers.identity.canopies import Canopies, all_pairs
from runoff.proposers.identity.compared import Compared, Constraints, MergeRule
from runoff.proposers.identity.distinct import distinct
from runoff.proposers.identity.folds import assignments
from runoff.proposers.identity.learning import BUILT_IN
from runoff.proposers.identity.program import SAYINGS, Program, Table
from runoff.proposers.identity.statements import statement_of

STATEMENTS = [
    statement_of(one)
    for one in (
        {"all": "ratio(a) > 0.3"},
        {"some": "ratio(a) < 0.2"},
        {"count": "ratio(a) > 0.5"},
        {"count": "ratio(a) > 0.5", "above": 2},
        {"min": "ratio(a)"},
        {"max": "ratio(a)"},
        {"mean": "ratio(a)"},
        {"mean": "ratio(b)", "below": 0.4},
        {"min": "ratio(b)", "over": "between"},
        {"mean": "ratio(b)", "over": "between"},
        {"distinct": "c"},
        {"distinct": "c", "above": 1},
        {"count": "records", "above": 2},
        {"mean": "apart"},
        {"mean": "apart", "over": "between"},
        {"max": "number(d)", "over": "records"},
        {"some": "missing(d)", "over": "records"},
        {"mean": "missing(d)", "over": "records"},
    )
]
PROGRAM = Program.of(STATEMENTS)
SETS_ONLY = np.array([*(one.over != "between" for one in STATEMENTS), False, True])


def made(seed, n=8, share=0.8):
    """Random values of random pairs, with gaps; tests are zeros and ones."""
    draw = np.random.default_rng(seed)
    left, right = all_pairs(np.zeros(n, dtype=np.uint32))
    kept = draw.random(len(left)) < share
    left, right = left[kept], right[kept]

    def values(rows, columns):
        found = draw.random((rows, len(columns))).astype(np.float32)
        for expression, place in columns.items():
            if str(expression)[-1] != ")" or str(expression).startswith("missing"):
                found[:, place] = found[:, place] > 0.5
        found[draw.random(found.shape) < 0.15] = np.nan
        return found

    pairs = values(len(left), PROGRAM.pair_columns)
    singles = values(n, PROGRAM.record_columns)
    labels = draw.integers(0, 4, (n, len(PROGRAM.labels))).astype(np.uint32)
    labels[labels == 3] = (1 << 32) - 1
    copies = np.ones(n, dtype=np.uint32)
    own = np.empty((0, pairs.shape[1]), dtype=np.float32)
    weights = draw.normal(size=len(PROGRAM))
    weights[-2] = 0.0
    return Compared.made(PROGRAM, Table(left, right, pairs, copies, own, singles, labels)), weights


def column(statement):
    if statement.quantifier == "distinct":
        return PROGRAM.labels[statement.of]
    columns = PROGRAM.record_columns if statement.over == "records" else PROGRAM.pair_columns
    return columns.get(getattr(statement.of, "operand", statement.of))


def defined(table, members, between=None):
    own = [twin.value_of(one, column(one), members, table, between) for one in STATEMENTS]
    return np.array([*own, 0.0, 1.0])


def ids(members):
    return np.array(members, dtype=np.uint32)


@pytest.mark.parametrize("seed", range(20))
def test_every_quantifier_is_what_its_definition_says(seed):
    compared, _ = made(seed)
    draw = np.random.default_rng(seed)
    for _ in range(10):
        members = sorted(draw.choice(8, size=draw.integers(1, 8), replace=False).tolist())
        found = compared.sets.values(ids(members))
        found[-2] = 0.0
        np.testing.assert_allclose(found, defined(compared.table, members), atol=1e-6)
        cut = draw.integers(0, len(members))
        first, second = members[:cut], members[cut:]
        if first and second:
            found = compared.sets.merge_values(ids(first), ids(second))
            found[-2] = 0.0
            both = defined(compared.table, members, (first, second))
            np.testing.assert_allclose(found, both, atol=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_aggregates_of_merged_sets_are_those_that_are_computed_anew(seed):
    """Also after random merges, and after records have moved out of sets."""
    compared, weights = made(seed, n=14)
    weights = weights * SETS_ONLY
    start = np.random.default_rng(seed).integers(0, 5, 14)
    start = np.array([np.flatnonzero(start == one)[0] for one in start], dtype=np.uint32)
    agglomeration = compared.agglomeration(weights, MergeRule(stop=0.5), Constraints(start))
    agglomeration.run()
    moved, _ = compared.sets.moved(weights, agglomeration.assignment(), 2, 100)
    again = compared.agglomeration(weights, MergeRule(stop=np.inf), Constraints(moved))
    for one in (agglomeration, again):
        sets = one.assignment()
        for first in set(sets.tolist()):
            members = np.flatnonzero(sets == first).astype(np.uint32)
            score = compared.sets.values(members) @ weights if len(members) > 1 else 0.0
            assert one.scores()[first] == pytest.approx(score)


@pytest.mark.parametrize("difference", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_merge_order_is_that_of_a_naive_loop(seed, difference):
    compared, weights = made(seed)
    table = compared.table
    links = set(zip(table.left.tolist(), table.right.tolist(), strict=True))

    def score(members, between):
        return float(defined(table, members, between) @ weights) if len(members) > 1 else 0.0

    def gain(a, b):
        found = score(tuple(sorted(a + b)), (a, b))
        return found - score(a, (a, ())) - score(b, (b, ())) if difference else found

    def linked(a, b):
        return any((min(x, y), max(x, y)) in links for x in a for y in b)

    expected, sets = twin.agglomerate(8, gain, linked)
    rule = MergeRule("difference" if difference else "union")
    agglomeration, merges = compared.resolve(weights, rule)
    found = list(zip(merges.kept.tolist(), merges.lost.tolist(), strict=True))
    assert found == [one[:2] for one in expected]
    np.testing.assert_allclose(merges.gains, [one[2] for one in expected], atol=1e-5)
    labels = agglomeration.assignment()
    assert sorted(tuple(np.flatnonzero(labels == one).tolist()) for one in set(labels)) == sets


@pytest.mark.parametrize("gain", ["union", "difference"])
@pytest.mark.parametrize("seed", range(10))
def test_merging_that_ends_earlier_makes_the_first_of_the_same_merges(seed, gain):
    compared, weights = made(seed, n=14)
    stops = [-2.0, 0.0, 1.0, 3.0]
    for stop, sets in zip(
        stops, assignments(compared, weights, MergeRule(gain), stops), strict=True
    ):
        alone, _ = compared.resolve(weights, MergeRule(gain, stop=stop))
        assert sets.tolist() == alone.assignment().tolist()


def best_partition(compared, weights, n):
    @functools.cache
    def score(members):
        return float(compared.sets.values(ids(members)) @ weights) if len(members) > 1 else 0.0

    return max(sum(map(score, part)) for part in twin.partitions(list(range(n))))


SEARCHES = {
    "greedy": {},
    "look-ahead": {"look_ahead": 50.0},
    "look-ahead and moves": {"look_ahead": 50.0, "moves": 5},
}


def regrets(n, seeds):
    """How much less than the best of all partitions each search finds, by the sum of scores."""
    found = {name: [] for name in SEARCHES}
    for seed in seeds:
        compared, weights = made(seed, n=n, share=1.0)
        weights = weights * SETS_ONLY
        best = best_partition(compared, weights, n)
        for name, options in SEARCHES.items():
            made_sets, _ = compared.resolve(weights, MergeRule("difference", **options))
            sets = made_sets.assignment()
            reached = sum(made_sets.scores()[one] for one in set(sets.tolist()))
            found[name].append(best - reached)
    return {name: np.array(some) for name, some in found.items()}


@pytest.mark.parametrize("n", [4, 6, 8])
def test_greedy_search_against_all_partitions_and_what_look_ahead_and_moves_win_back(n):
    """Of random sets, so far harder ones than records are; the figures are in the paper's page."""
    found = regrets(n, range(30))
    for one in found.values():
        assert (one > -1e-6).all()
    best = [int((one < 1e-6).sum()) for one in found.values()]
    means = [round(float(one.mean()), 2) for one in found.values()]
    assert (best, means) == REGRETS[n]
    assert best == sorted(best)
    assert means == sorted(means, reverse=True)


REGRETS = {
    4: ([28, 28, 29], [0.03, 0.03, 0.02]),
    6: ([19, 22, 23], [0.56, 0.31, 0.29]),
    8: ([15, 16, 16], [0.49, 0.36, 0.3]),
}
"""By number of records: how often of 30 each search is best, and its mean regret."""


def test_the_piecewise_likelihood_of_two_records_is_the_exact_one():
    """Two records have two partitions, and the local normaliser sums over both."""
    compared, weights = made(1, n=2, share=1.0)
    weights = weights * SETS_ONLY
    score = float(compared.sets.values(ids([0, 1])) @ weights)
    logz = twin.exact_logz(2, lambda one: float(compared.sets.values(ids(one)) @ weights))
    assert score - logz == pytest.approx(-np.logaddexp(0.0, -score))


def test_records_that_are_kept_apart_never_meet():
    compared, weights = made(3)
    weights[:] = 0.0
    weights[-1] = 1.0  # everything wants to merge
    known = Constraints(compared.free.start, ids([0]), ids([5]))
    found, _ = compared.resolve(weights, MergeRule(), known)
    sets = found.assignment()
    assert sets[0] != sets[5]
    assert len(set(sets.tolist())) == 2
    with pytest.raises(ValueError, match="kept apart are in one set"):
        start = compared.free.start.copy()
        start[5] = 0
        compared.resolve(weights, MergeRule(), Constraints(start, ids([0]), ids([5])))


def test_copies_count_as_records():
    """A record with copies is the same as that many records, whose pairs have its own values."""
    compared, weights = made(4, n=3, share=1.0)
    weights = weights * SETS_ONLY
    table = compared.table
    row = np.full((1, table.pairs.shape[1]), 0.75, dtype=np.float32)
    copies = ids([2, 1, 1])
    few = Compared.made(PROGRAM, table._replace(copies=copies, own=row))
    place = np.array([0, 0, 1, 2])
    left, right = all_pairs(np.zeros(4, dtype=np.uint32))
    known = {
        pair: i
        for i, pair in enumerate(zip(table.left.tolist(), table.right.tolist(), strict=True))
    }
    rows = [
        row[0] if place[a] == place[b] else table.pairs[known[int(place[a]), int(place[b])]]
        for a, b in zip(left, right, strict=True)
    ]
    many = Table(
        left,
        right,
        np.array(rows),
        ids([1] * 4),
        table.own,
        table.singles[place],
        table.labels[place],
    )
    whole = Compared.made(PROGRAM, many)
    for part in ([0], [0, 1], [0, 1, 2]):
        all_of = [r for r in range(4) if place[r] in part]
        np.testing.assert_allclose(
            few.sets.values(ids(part)), whole.sets.values(ids(all_of)), atol=1e-6
        )


@pytest.mark.parametrize("seed", range(10))
def test_canopies_have_the_pairs_that_are_near_enough(seed):
    draw = np.random.default_rng(seed)
    n, tokens = 30, 40
    vectors = np.where(draw.random((n, tokens)) < 0.1, draw.random((n, tokens)), 0.0)
    vectors[:, 0] += 1e-3  # every record has a token
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    blocks = draw.integers(0, 3, n).astype(np.uint32)
    rows = [np.flatnonzero(row) for row in vectors]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    ids_of = np.concatenate(rows).astype(np.uint32)
    weights = np.concatenate([v[r] for v, r in zip(vectors, rows, strict=True)]).astype(np.float32)
    given = (offsets, ids_of, weights, blocks, tokens)
    near = set(twin.cosine_pairs(vectors, blocks, 0.3))
    left, right = canopies(*given, 0.3, 2.0, 1000, 1000)
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == near
    left, right = canopies(*given, 0.3, 0.6, 1000, 1000)  # tight: fewer centres, larger canopies
    assert all(blocks[a] == blocks[b] for a, b in zip(left, right, strict=True))
    left, right = canopies(*given, 0.3, 2.0, 1, 1000)  # every token is too frequent to find anybody
    assert len(left) <= 4 * n


def test_native_code_checks_what_it_is_given():
    compared, weights = made(5)
    with pytest.raises(ValueError, match="a record that is not there"):
        compared.sets.values(ids([99]))
    with pytest.raises(ValueError, match="do not fit together"):
        compared.agglomeration(weights[:-1], MergeRule())
    with pytest.raises(ValueError, match="do not fit together"):
        Compared.made(PROGRAM, compared.table._replace(left=compared.table.right))
    with pytest.raises(ValueError, match="not sound"):
        canopies(
            np.array([0, 2]), ids([0, 9]), np.ones(2, np.float32), ids([0]), 3, 0.1, 0.9, 10, 10
        )
    assert SAYINGS[-1] == "joined"


@pytest.mark.parametrize("seed", range(5))
def test_canopies_of_few_looks_ask_the_rarest_tokens(seed):
    draw = np.random.default_rng(seed)
    rows = [np.unique(draw.integers(0, 12, 4)) for _ in range(25)]
    tokens = np.concatenate(rows).astype(np.uint32)
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    weights = np.concatenate([np.full(len(row), len(row) ** -0.5) for row in rows])
    given = (offsets, tokens, weights.astype(np.float32), np.zeros(25, np.uint32), 12)

    def pairs(reads):
        left, right = canopies(*given, 0.2, 2.0, 1000, reads)
        return set(zip(left.tolist(), right.tolist(), strict=True))

    seen = np.bincount(tokens, minlength=12)
    rarest = {record: row[np.argmin(seen[row])] for record, row in enumerate(rows)}
    near = pairs(1000)
    sharing = {
        (a, b)
        for a, b in near
        if rarest[a] in rows[b] or rarest[b] in rows[a]  # either of them finds the other
    }
    assert pairs(1) == sharing < near


def test_of_many_pairs_those_that_the_model_of_pairs_rules_out_are_left_out(monkeypatch):
    rows = corrupted_records(300, seed=3)
    fields = [name for name in rows.fields if name != "cluster"]
    statements = [statement_of({"mean": f"ratio({name})"}) for name in fields] + list(BUILT_IN)
    weights = np.array([*[3.0] * len(fields), 0.0, 0.0, 0.0, 0.0, -12.0])
    given, program, how = distinct(rows, fields), Program.of(statements), Canopies(loose=0.1)
    every = Compared.of(given, program, how, weights)
    monkeypatch.setattr("runoff.proposers.identity.compared.PAIRS", 0)
    monkeypatch.setattr("runoff.proposers.identity.program.CHUNK", 1000)
    kept = Compared.of(given, program, how, weights)
    likely = every.table.pairs[:, program.match] > -5
    assert 0 < likely.sum() < len(likely)
    for name in ("left", "right", "pairs"):
        found, expected = (getattr(one.table, name) for one in (kept, every))
        np.testing.assert_array_equal(found, expected[likely])
