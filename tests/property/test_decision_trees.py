"""Boosted decision trees equal their slow twin, and threads leave no trace."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import decision_trees as twin

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.learners.decision_trees.ensemble import Ensemble

N_ATOMS = 5 * 37
"""Enough for sums of few rows to be kept as a list, of many rows in blocks."""


@st.composite
def examples(draw, most=14):
    """Atoms, y and bias of a few examples; biases are quarters, so many sums are equal."""
    n, apart = draw(st.integers(1, most)), draw(st.sampled_from([1, 37]))
    often = draw(st.lists(st.integers(5 * apart, N_ATOMS), max_size=30))  # that all examples have
    atoms = st.lists(st.integers(0, 4).map(apart.__mul__), unique=True).map(
        lambda own: sorted({*own, *often} - {N_ATOMS})
    )
    rows = draw(st.lists(atoms, min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    bias = draw(st.lists(st.integers(0, 4).map(lambda b: b / 4), min_size=n, max_size=n))
    return rows, y, bias


def booster(rows, y, bias, *, sample=1000, n_atoms=N_ATOMS, seed=0, split_gain=0.0, per=1, cache=0):
    """A native booster over the rows of a matrix."""
    flat = np.array([atom for row in rows for atom in row], dtype=np.uint32)
    source = _native.SparseRows(offsets_of([len(row) for row in rows]), flat, n_atoms)
    return _native.TreeBooster(
        source,
        np.arange(len(rows), dtype=np.uint64),
        np.array(y, dtype=np.int8),
        np.array(bias, dtype=np.float32),
        np.zeros(0),
        n_atoms,
        sample,
        seed,
        split_gain,
        per,
        cache,
    )


def trees_of(native, n_atoms=N_ATOMS):
    return Ensemble(*native.trees(), n_atoms)


def h_of(native, n):
    h = np.empty(n)
    native.h(h)
    return h


@given(examples(), st.sampled_from([0.9, 0.6]), st.sampled_from([0.0, 0.0, 0.25]))
@settings(max_examples=60)
def test_trees_and_values_are_those_of_the_twin(given_examples, decay, split_gain):
    rows, y, bias = given_examples
    native = booster(rows, y, bias, split_gain=split_gain)
    slow = twin.Twin(rows, y, bias, N_ATOMS, split_gain)
    first = native.first_lambda(1)
    assert first == twin.Twin(rows, y, bias, N_ATOMS).first_lambda()
    if first == 0:
        assert not native.grow(1e-6, 1)
        return
    for step in range(1, 6):
        lam, grown = first * decay**step, 0
        while grown < 4 and native.grow(lam, 1):
            grown += 1
            tree = trees_of(native).part(native.n_trees - 1, native.n_trees)
            expected = slow.grow(lam)
            atoms = [a if split else None for a, split in zip(tree.atoms, tree.yes, strict=True)]
            assert atoms == twin.in_preorder(expected)
            values = tree.values[tree.yes == 0]
            found = twin.leaves(expected)
            assert values.tolist() == pytest.approx([v for _, v in found], rel=1e-9, abs=1e-9)
            for value, (members, exact) in zip(values.tolist(), found, strict=True):
                assert (value == 0) == (exact == 0)
                for i in members:
                    slow.h[i] += value
            assert h_of(native, len(y)).tolist() == slow.h


@given(examples(most=40), st.sampled_from([5, 12]), st.sampled_from([1, 3]))
@settings(max_examples=60)
def test_trees_of_one_sample_get_their_values_from_all_examples(given_examples, sample, per):
    """Whatever they were grown on, each value is the best one for all, after the trees before."""
    rows, y, bias = given_examples
    native = booster(rows, y, bias, sample=sample, per=per)
    slow = twin.Twin(rows, y, bias, N_ATOMS)
    lam, done = 0.5 * native.first_lambda(1), 0
    while lam > 0.01 and native.n_trees < 12:
        if not native.grow(lam, 1):
            lam *= 0.6
            continue
        assert 1 <= native.n_trees - done <= per
        for number in range(done, native.n_trees):
            tree = trees_of(native).part(number, number + 1)
            reached = [leaf_of(tree, row) for row in rows]
            for leaf in np.flatnonzero(tree.yes == 0).tolist():
                members = [i for i, own in enumerate(reached) if own == leaf]
                exact = slow.value(members, max(1, int(lam * slow.scale + 0.5)))
                assert tree.values[leaf] == pytest.approx(exact, rel=1e-9, abs=1e-9)
                for i in members:
                    slow.h[i] += tree.values[leaf]
        done = native.n_trees
        assert h_of(native, len(y)).tolist() == slow.h


def leaf_of(tree, row):
    node = 0
    while tree.yes[node]:
        node = int(tree.yes[node]) if tree.atoms[node] in row else node + 1
    return node


@given(examples(most=40), st.sampled_from([3, 10, 1000]), st.integers(0, 3), st.integers(1, 3))
@settings(max_examples=40)
def test_threads_leave_no_trace(given_examples, sample, seed, per):
    rows, y, bias = given_examples
    made = []
    for threads in (1, 2, 3):
        native = booster(rows, y, bias, sample=sample, seed=seed, per=per)
        lam = native.first_lambda(threads)
        for _ in range(6):
            lam *= 0.8
            while lam > 0 and native.grow(lam, threads):
                pass
        made.append((*(a.tobytes() for a in native.trees()), h_of(native, len(y)).tobytes()))
    assert len(set(made)) == 1


@given(examples(most=40), st.sampled_from([4, 12]), st.sampled_from([1, 3]))
@settings(max_examples=40)
def test_trees_are_the_same_where_all_atoms_are_held(given_examples, sample, per):
    rows, y, bias = given_examples
    made = []
    for cache in (0, 10**6):
        native = booster(rows, y, bias, sample=sample, per=per, cache=cache)
        lam = native.first_lambda(1)
        for _ in range(6):
            lam *= 0.8
            while lam > 0 and native.grow(lam, 1):
                pass
        made.append((*(a.tobytes() for a in native.trees()), h_of(native, len(y)).tobytes()))
    assert made[0] == made[1]


@given(examples(most=30), st.sampled_from([4, 1000]), st.booleans())
@settings(max_examples=30)
def test_a_restored_booster_grows_the_same_trees(given_examples, sample, with_h):
    rows, y, bias = given_examples
    whole = booster(rows, y, bias, sample=sample)
    lam = 0.5 * whole.first_lambda(1)
    if lam == 0 or not whole.grow(lam, 1):
        return
    resumed = booster(rows, y, bias, sample=sample)
    resumed.restore(*whole.trees(), h_of(whole, len(y)) if with_h else None, 1)
    for native in (whole, resumed):
        native.grow(lam, 1)
        native.grow(0.5 * lam, 1)
    assert [a.tobytes() for a in whole.trees()] == [a.tobytes() for a in resumed.trees()]
    assert h_of(whole, len(y)).tobytes() == h_of(resumed, len(y)).tobytes()


@given(examples(most=30))
@settings(max_examples=30)
def test_scores_by_present_atoms_are_those_of_a_walk(given_examples):
    rows, y, bias = given_examples
    native = booster(rows, y, bias)
    lam = native.first_lambda(1)
    for _ in range(5):
        lam *= 0.6
        while lam > 0 and native.grow(lam, 1):
            pass
    trees = trees_of(native)
    for row in rows:
        walked = 0.0
        for number in range(trees.n_trees):
            tree = trees.part(number, number + 1)
            walked += tree.values[leaf_of(tree, row)]
        one = _native.SparseRows(offsets_of([len(row)]), np.array(row, dtype=np.uint32), N_ATOMS)
        assert trees.scores(one, np.zeros(1, dtype=np.uint64)).tolist() == [walked]
        holding = sum(
            c.weight for c in trees.conjunctions if all((a in row) == p for a, p in c.literals)
        )
        assert holding == pytest.approx(walked, abs=1e-9)
