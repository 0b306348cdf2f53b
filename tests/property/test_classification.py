"""Native states and atoms of parsing by classification equal their slow twins."""

import random

import numpy as np
import pytest
from helpers.made.classification import STRATEGIES, native_states, treebank
from twins import classification as twin

from runoff import _native
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.proposers.parsing.classification.atom_sets import atom_names, atoms_of
from runoff.proposers.parsing.classification.atoms import GROUPS, SHAPED
from runoff.proposers.parsing.classification.ensembles import no_trees
from runoff.proposers.parsing.classification.items import ItemNames


def spans_of(native, names, state):
    frontier, last = native.frontier(state)
    return [(names.labels[label], start, end) for start, end, label in frontier], last


def candidate_of(pointer):
    return pointer >> 32, (pointer >> 8) & 0xFFFFFF, pointer & 0xFF


@pytest.mark.parametrize("strategy", ["r2l", "l2r"])
def test_a_tree_is_built_in_exactly_one_order(strategy):
    for seed in range(20):
        for tree in treebank(seed, trees=3, words=6):
            assert len(list(twin.orders(tree, strategy))) == 1


def states_of(tree, strategy, native, names, number):
    """The states of the native path, followed by the twin; which is one of the tree's."""
    tags = [node.label for node in tree.preterminals()]
    state = twin.start(tree.words, tags, strategy)
    while not twin.is_complete(state):
        spans, last = spans_of(native, names, number)
        assert spans == [(item.label, item.start, item.end) for item in state.frontier]
        assert last == state.last
        yield number, state
        steps = [twin.after(state, *step) for step in twin.gold_inferences(state, tree)]
        if strategy == "bottom-up":
            number += 1
            if number < len(native):
                following = spans_of(native, names, number)[0]
            steps = [
                one
                for one in steps
                if twin.is_complete(one)
                or following == [(item.label, item.start, item.end) for item in one.frontier]
            ]
            state = steps[0]
        else:
            key = {"r2l": lambda one: -one.frontier[one.last].start,
                   "l2r": lambda one: one.frontier[one.last].end}[strategy]  # fmt: skip
            state = min(steps, key=key)
            number += 1


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("max_children", [2, 5])
def test_examples_are_all_inferences_of_correct_states(strategy, max_children):
    trees = treebank()
    names = ItemNames.of(trees)
    native = native_states(names, trees, strategy, max_children=max_children)
    found = {}
    for label in names.phrases:
        for pointer, y, bias in zip(*native.examples(names.labels.index(label)), strict=True):
            found[(*candidate_of(int(pointer)), label)] = (int(y), float(bias))
    expected, number, spans = {}, 0, 0
    for tree in trees:
        for state_number, state in states_of(tree, strategy, native, names, number):
            spans += len(list(twin.candidates(state, strategy, max_children)))
            inferences = set(twin.inferences(state, strategy, max_children, names.phrases))
            gold = set(twin.gold_inferences(state, tree)) & inferences
            if strategy != "bottom-up":
                key = (lambda g: -g[0]) if strategy == "r2l" else (lambda g: g[0] + g[1])
                every = sorted(twin.gold_inferences(state, tree), key=key)
                gold &= {every[0]}
            for one in inferences:
                others = len(gold) if one in gold else len(inferences) - len(gold)
                expected[(state_number, *one)] = (1 if one in gold else -1, 0.5 / others)
            number = state_number + 1
    assert found.keys() == expected.keys()
    for key, (y, bias) in expected.items():
        assert found[key][0] == y
        assert found[key][1] == pytest.approx(bias, rel=1e-6)
    assert native.inferences == len(expected)
    assert native.candidates == spans
    assert native.positives == sum(y > 0 for y, _ in expected.values())


def test_a_bottom_up_path_is_random_but_seeded():
    trees = treebank()
    names = ItemNames.of(trees)
    paths = [
        [spans_of(made, names, n) for n in range(len(made))]
        for made in (native_states(names, trees, "bottom-up", seed) for seed in (1, 1, 2))
    ]
    assert paths[0] == paths[1] != paths[2]


def test_a_state_is_worth_one_half_of_each_kind():
    trees = treebank()
    names = ItemNames.of(trees)
    for strategy in STRATEGIES:
        native = native_states(names, trees, strategy, max_children=64)
        sums = np.zeros((len(native), 2))
        for label in names.phrases:
            pointers, y, bias = native.examples(names.labels.index(label))
            np.add.at(sums, ((pointers >> 32).astype(int), (y > 0).astype(int)), bias)
        assert np.allclose(sums[:, 1], 0.5)
        assert np.all(np.isclose(sums[:, 0], 0.5) | (sums[:, 0] == 0))


def test_negatives_share_as_much_as_the_balance_says():
    trees = treebank()
    names = ItemNames.of(trees)
    chosen, columns = np.arange(len(trees), dtype=np.int64), names.encode(trees)
    found = {}
    for balance in (1.0, 0.5, 0.0):
        made = _native.TrainingStates(names.native, 0, 5, *columns, chosen, 0, balance)
        _, y, bias = made.examples(names.labels.index("NP"))
        assert np.all(bias[y > 0] == 0.5)
        found[balance] = bias[y < 0]
    assert np.all(found[0.0] == 0.5)
    assert np.allclose(found[0.5], 0.5 * np.sqrt(2 * found[1.0]))
    with pytest.raises(ValueError, match="between 0 and 1"):
        _native.TrainingStates(names.native, 0, 5, *columns, chosen, 0, 1.5)


def drawn_pools(size, number=0, threads=1, weighs=False, share=1.0):
    """Pools of all labels; with `weighs`, a classifier has a say for the label NP."""
    trees = treebank(trees=40)
    names = ItemNames.of(trees)
    native = native_states(names, trees, "r2l")
    space = atoms_of(names, "base")
    none = no_trees(len(space))
    stump = Ensemble(
        np.array([0, 3]), np.array([0, 0, 0], dtype=np.uint32),
        np.array([2, 0, 0], dtype=np.uint32), np.array([0.0, -1.5, 2.5]), len(space),
    )  # fmt: skip
    ensembles = [stump if weighs and label == "NP" else none for label in names.phrases]
    columns = [(one.offsets, one.atoms, one.yes, one.values) for one in ensembles]
    return native, names, native.pools(space, columns, size, 7, number, threads, share)


def test_a_pool_of_all_examples_is_all_examples():
    native, names, pools = drawn_pools(10**6)
    for label, (pointers, y, bias, h, *counts, lost) in zip(names.phrases, pools, strict=True):
        expected = native.examples(names.labels.index(label))
        order = np.argsort(expected[0])
        for found, column in zip((pointers, y, bias), expected, strict=True):
            assert found.tolist() == column[order].tolist()
        assert not h.any()
        assert counts == [len(y), (y > 0).sum()]
        assert lost == pytest.approx(0, abs=1e-6)


def test_pools_have_the_scores_of_the_classifiers():
    native, names, pools = drawn_pools(10**6, weighs=True)
    number = names.labels.index("NP")
    space = atoms_of(names, "base")
    source = _native.CandidateAtoms(native, space, number)
    pointers, _, _, h, *_ = pools[names.phrases.index("NP")]
    assert h.tolist() == [2.5 if source.test(int(one), 0) else -1.5 for one in pointers]
    assert not any(pool[3].any() for pool in pools if pool is not pools[names.phrases.index("NP")])


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_sums_of_weights_over_pools_are_unbiased(share):
    place = drawn_pools(1)[1].phrases.index("NP")

    def weight(pool, sign):
        _, y, bias, h, *_ = pool
        weights = bias / (1 + np.exp(y * h))
        return weights[y == sign].sum()

    every = drawn_pools(10**6, weighs=True)[2][place]
    drawn = [drawn_pools(200, number, 1, True, share)[2][place] for number in range(200)]
    assert all(len(pool[0]) == 200 for pool in drawn)
    assert 0.1 < np.mean([pool[6] for pool in drawn]) < 0.9
    for sign in (1, -1):
        sums = [weight(pool, sign) for pool in drawn]
        error = np.std(sums) / np.sqrt(len(sums))
        assert np.mean(sums) == pytest.approx(weight(every, sign), abs=4 * error + 1e-6)


def test_all_correct_candidates_are_looked_at_but_only_some_wrong_ones():
    every, some = (drawn_pools(10**6, weighs=True, share=share)[2] for share in (1.0, 0.3))
    for (all_, y, bias, _, n, positives, _), (found, y2, bias2, _, n2, positives2, _) in zip(
        every, some, strict=True
    ):
        assert set(found) <= set(all_)
        assert found[y2 > 0].tolist() == all_[y > 0].tolist()
        assert bias2[y2 > 0].tolist() == bias[y > 0].tolist()
        assert positives2 == positives
        raised = bias[np.isin(all_, found)] / np.float32(0.3)
        assert np.allclose(bias2[y2 < 0], raised[y2 < 0])
        assert n2 < n
    with pytest.raises(ValueError, match="share must lie above 0"):
        drawn_pools(10, share=0.0)


def test_pools_are_the_same_on_any_number_of_threads():
    one, two = (drawn_pools(100, 3, threads, weighs=True)[2] for threads in (1, 3))
    for a, b in zip(one, two, strict=True):
        assert [x.tolist() for x in a[:4]] == [x.tolist() for x in b[:4]]
        assert a[4:] == b[4:]


@pytest.mark.parametrize("kind", GROUPS)
def test_atoms_equal_the_twins(kind):
    trees = treebank()
    names, groups = ItemNames.of(trees), GROUPS[kind]
    native = native_states(names, trees, "r2l")
    space, texts = atoms_of(names, kind), atom_names(names, kind)
    assert len(space) == len(texts)
    known = set(names.words), set(names.labels)
    states, number = {}, 0
    for tree in trees:
        for state_number, state in states_of(tree, "r2l", native, names, number):
            states[state_number], number = state, state_number + 1
    rng = random.Random(1)
    for label in ("NP", "VP"):
        source = _native.CandidateAtoms(native, space, names.labels.index(label))
        pointers = native.examples(names.labels.index(label))[0][::17].copy()
        offsets, atoms = source.extract(pointers)
        for row, pointer in enumerate(pointers.tolist()):
            own = atoms[offsets[row] : offsets[row + 1]].tolist()
            assert own == sorted(set(own))
            state, first, size = candidate_of(pointer)
            shaped = kind in SHAPED
            expected = twin.atoms(groups, known, states[state], first, size, label, shaped)
            assert {texts[atom] for atom in own} == expected
            for atom in [*rng.sample(own, 5), *(rng.randrange(len(space)) for _ in range(20))]:
                assert source.test(pointer, atom) == (atom in own)


def test_atoms_are_counted_by_group():
    trees = treebank()[:4]
    names, groups = ItemNames.of(trees), GROUPS["kitchen-sink"]
    native = native_states(names, trees, "r2l")
    space = atoms_of(names, "kitchen-sink")
    seen = set()
    for label in names.phrases:
        number = names.labels.index(label)
        pointers = native.examples(number)[0]
        seen.update(_native.CandidateAtoms(native, space, number).extract(pointers)[1].tolist())
    stride = atom_names(names, "kitchen-sink").stride
    expected = [0] * (len(groups) + 1)
    for atom in seen:
        expected[min(atom // stride, len(groups))] += 1
    assert native.seen_atoms(space) == expected


def test_names_of_atoms_differ():
    for groups in GROUPS.values():
        assert len(set(map(str, groups))) == len(groups)
