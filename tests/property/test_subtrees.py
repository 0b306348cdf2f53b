"""Boosting over subtrees: the search is exact, and a trie finds what there is."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.strategies.problems import forest_problem, random_trees
from hypothesis import given
from hypothesis import strategies as st
from twins import subtrees as twin

from runoff import _native
from runoff.fitting.run import Run
from runoff.learners.boosting.subtrees import SubtreeBoost
from runoff.problem.trees import Trees


class Trajectory:
    """The rounds of a fit: what each chose, by how much, the loss, and whether it searched."""

    def __init__(self, ranker, problem, monkeypatch, threads=1):
        trainers = []
        choose = SubtreeBoost._choose
        with monkeypatch.context() as patch:
            patch.setattr(
                SubtreeBoost,
                "_choose",
                lambda self, trainer, *rest: (
                    trainers.append(trainer),
                    choose(self, trainer, *rest),
                ),
            )
            ranker.fit(problem, run=Run(threads=threads))
        (trainer,) = trainers
        chosen = [tuple(t) for t in twin.trees_of(Trees(*trainer.booster.subtrees()))]
        rounds, done = trainer.rounds, trainer.rounds.done
        self.subtrees = [chosen[k] for k in rounds.features[:done]]
        self.deltas = rounds.deltas[:done].tolist()
        self.losses = rounds.losses[:done].tolist()
        self.searched = (rounds.updates[:done] > 0).tolist()
        self.found = [tuple(t) for t in twin.trees_of(trainer.found.trees())]


def exhaustive(ranker, problem):
    _, exponents = ranker._start(problem)
    return twin.Exhaustive(
        problem,
        exponents,
        size=ranker.size,
        frequency=ranker.frequency,
        smoothing=ranker.smoothing,
        loss=ranker.loss,
    )


@pytest.mark.parametrize("block", range(10))
def test_branch_and_bound_is_exhaustive_search_round_by_round(block, monkeypatch):
    """On two thousand forests: subtree, weight and loss of every round, to the last bit."""
    for seed in range(200 * block, 200 * (block + 1)):
        problem = forest_problem(seed, n_labels=2 + seed % 3)
        ranker = SubtreeBoost(
            rounds=8,
            size=1 + seed % 5,
            frequency=1 + seed // 5 % 3,
            cache_rounds=0,
            loss=("exp", "log")[seed % 2],
        )
        rounds, slow = Trajectory(ranker, problem, monkeypatch), exhaustive(ranker, problem)
        for n in range(8):
            subtree, gain = slow.best_subtree()
            delta = slow.delta(subtree) if gain > 0 else 0.0
            assert (n < len(rounds.subtrees)) == (delta != 0), seed
            if delta == 0:
                break
            assert rounds.subtrees[n] == subtree, seed
            assert rounds.deltas[n] == delta, seed
            assert rounds.losses[n] == slow.add(subtree, delta), seed


@pytest.mark.parametrize("loss", ["exp", "log"])
@pytest.mark.parametrize("seed", range(20))
def test_rounds_between_searches_change_weights_by_the_same_rule(seed, loss, monkeypatch):
    problem = forest_problem(seed, lists=12, most_nodes=10)
    ranker = SubtreeBoost(
        rounds=40, size=4, frequency=1, search_rounds=2, cache_rounds=7, loss=loss
    )
    rounds, slow = Trajectory(ranker, problem, monkeypatch), exhaustive(ranker, problem)
    assert rounds.searched[:3] == [True, True, False][: len(rounds.searched)]
    for subtree, delta, loss, searched in zip(
        rounds.subtrees, rounds.deltas, rounds.losses, rounds.searched, strict=True
    ):
        if searched:
            assert subtree == slow.best_subtree()[0]
        assert delta == slow.delta(subtree)
        assert loss == slow.add(subtree, delta)


@pytest.mark.parametrize("loss", ["exp", "log"])
def test_lists_of_more_than_64_candidates(loss, monkeypatch):
    problem = forest_problem(7, lists=4, candidates=200, most_nodes=6)
    assert np.diff(problem.list_offsets).max() > 128
    ranker = SubtreeBoost(
        rounds=10, size=3, frequency=2, search_rounds=2, cache_rounds=3, loss=loss
    )
    rounds, slow = Trajectory(ranker, problem, monkeypatch), exhaustive(ranker, problem)
    assert len(rounds.subtrees) == 10
    for subtree, delta, loss in zip(rounds.subtrees, rounds.deltas, rounds.losses, strict=True):
        assert delta == slow.delta(subtree)
        assert loss == slow.add(subtree, delta)


@pytest.mark.parametrize("loss", ["exp", "log"])
def test_a_cache_that_forgets_changes_nothing(loss, monkeypatch):
    problem = forest_problem(3, lists=30, candidates=8, most_nodes=12)
    options = {"frequency": 2, "rounds": 60, "search_rounds": 2, "cache_rounds": 3, "loss": loss}
    kept = Trajectory(SubtreeBoost(**options), problem, monkeypatch)
    monkeypatch.setattr("runoff.learners.boosting.subtrees.CACHE_BYTES", 0)
    forgotten = Trajectory(SubtreeBoost(**options), problem, monkeypatch, threads=3)
    assert len(kept.subtrees) == 60
    assert (kept.subtrees, kept.deltas, kept.losses) == (
        forgotten.subtrees,
        forgotten.deltas,
        forgotten.losses,
    )


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("seed", range(20))
def test_searches_give_wide_fits_their_highest_gains(seed, size, monkeypatch):
    problem = forest_problem(seed, lists=12, most_nodes=10)
    options = {"size": size, "frequency": 1, "search_rounds": 1, "refit": (1.0,)}
    ranker = SubtreeBoost(rounds=1, wide=100, **options)
    slow, found = exhaustive(ranker, problem), Trajectory(ranker, problem, monkeypatch).found
    weights = slow.weights()
    gains = [slow.gain(subtree, weights) for subtree in found]
    assert gains == sorted(set(gains), reverse=True)
    assert found[0] == slow.best_subtree()[0]
    if size == 1:  # nothing is pruned
        every = {slow.gain(subtree, weights) for subtree in slow.frequent} - {0.0}
        assert set(gains) == every
    few = Trajectory(SubtreeBoost(rounds=1, wide=2, **options), problem, monkeypatch).found
    assert few == [t for t in found[:2] if t in few]
    assert len(few) in (1, 2)


@given(st.integers(0, 1 << 32), st.integers(1, 4))
def test_a_trie_finds_what_the_definition_says(seed, size):
    random = np.random.default_rng(seed)
    trees = random_trees(random, 6, most_nodes=12)
    nodes = [[node for node in tree if node[0] < 3] for tree in twin.trees_of(trees)]
    wanted = sorted(set().union(*(twin.subtrees(twin.nested(tree), size) for tree in whole(nodes))))
    model = trees_from(wanted)
    trie = _native.SubtreeTrie(*model, 3)
    offsets, found = trie.find(*trees, 3)
    for number, tree in enumerate(twin.trees_of(trees)):
        has = [k for k, t in enumerate(wanted) if twin.occurs(twin.nested(t), twin.nested(tree))]
        assert found[offsets[number] : offsets[number + 1]].tolist() == has


def whole(trees):
    """Those that are still trees after some of their nodes were left out."""
    for tree in trees:
        depths = [depth for _, depth in tree]
        steps = pairwise(depths)
        if depths and depths[0] == 0 and all(b <= a + 1 for a, b in steps):
            yield tree


def trees_from(subtrees):
    """Subtrees of the twin as arrays."""
    named = [[(str(label), depth) for label, depth in t] for t in subtrees]
    return Trees.of(named, [str(label) for label in range(3)])
