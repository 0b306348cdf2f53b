"""MaxEnt-Rank: pairs, single samples, decoding, and what the guards are for."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.made.lists import made, random_lists
from helpers.strategies.problems import problems
from hypothesis import given
from hypothesis import strategies as st
from twins import losses as twin

import runoff as ro
from runoff.errors import UsageError
from runoff.learners.pairs.maxent_rank import MaxEntRank
from runoff.learners.pairs.p_norm_push import PNormPush
from runoff.learners.pairs.svm_rank import SVMRank

LENGTH = 0


def clean_lists(n, seed):
    """Lists in which a longer candidate is a bit better."""
    random = np.random.default_rng(seed)
    lists = []
    for _ in range(n):
        lengths = random.permutation(np.arange(8.0, 14.0))
        lists.append([(0.02 * length, 0.0, {LENGTH: length}) for length in lengths])
    return lists


def lists_with_monsters(seed):
    """The same; in one list of ten there is a candidate that never ends, and is worth nothing."""
    lists = clean_lists(100, seed)
    for number in range(0, 100, 10):
        lists[number].append((-10.0, 0.0, {LENGTH: 300.0}))
    return made(*lists, n_features=1)


@pytest.mark.parametrize(
    ("guarded", "unguarded"),
    [
        (MaxEntRank(), MaxEntRank(monsters=0.0)),
        (SVMRank(), SVMRank(monsters=0.0)),
        (PNormPush(), PNormPush(monsters=0.0)),
    ],
    ids=lambda ranker: ranker.name,
)
def test_monsters_teach_that_short_is_good(guarded, unguarded):
    """A few monsters turn the order round, unless the guard leaves their pairs out."""
    train, clean = lists_with_monsters(seed=1), made(*clean_lists(20, seed=2), n_features=1)
    worst = clean.picked_quality(-clean.qualities)
    best = clean.picked_quality(clean.qualities)
    assert clean.picked_quality(unguarded.fit(train).scores(clean)) == pytest.approx(worst)
    assert clean.picked_quality(guarded.fit(train).scores(clean)) == pytest.approx(best)


def test_long_lists_do_not_outvote_short_ones():
    """One list of 40 says that the feature is bad, three lists of 2 that it is good."""
    short = [(1.0, 0.0, {0: 1.0}), (0.0, 0.0, {})]
    long = [(1.0, 0.0, {})] * 20 + [(0.0, 0.0, {0: 1.0})] * 20
    assert MaxEntRank().fit(made(short, short, short, long, n_features=1)).weights()[0] > 0


def test_pairs_order_whole_lists():
    """Pairwise, the order among the worse ones is learned too; from the best alone it is not."""
    own = [(2.0, 0.0, {0: 1.0}), (1.0, 0.0, {1: 1.0}), (0.0, 0.0, {2: 1.0})]
    weights = MaxEntRank().fit(made(own, n_features=3)).weights()
    assert weights[0] > weights[1] > weights[2]


def test_single_samples_see_maxima():
    """A count says little, the largest count of the list all: 3 wins here, and loses there."""
    lists = [
        [(1.0, 0.0, {0: 3.0}), (0.0, 0.0, {0: 1.0})],
        [(0.0, 0.0, {0: 3.0}), (1.0, 0.0, {0: 9.0})],
    ]
    problem = made(*lists, n_features=1)
    ranker = MaxEntRank(sampling="single").fit(problem)
    seen = ranker.seen(problem)
    assert seen.feature_offsets.tolist() == [0, 1, 1, 1, 2]
    assert seen.logprobs.tolist() == [1, 1, 1, 1]
    scores = ranker.scores(problem)
    assert scores[0] == scores[3] > scores[1] == scores[2]


@pytest.mark.parametrize("sampling", ["pairwise", "single"])
def test_it_beats_the_base_order_on_other_lists(sampling):
    train, other = random_lists(200, 8, 20, seed=1), random_lists(100, 8, 20, seed=2)
    ranker = MaxEntRank(sampling=sampling).fit(train)
    gained = other.picked_quality(ranker.scores(other))
    assert gained > other.picked_quality(other.logprobs) + 50


def test_reasons_of_single_samples_add_up():
    heard = [ro.Candidate("a b", -1.0), ro.Candidate("a c c", -1.5), ro.Candidate("d", -0.5)]
    lists = [ro.NBest(i, None, heard, gold="a c c") for i in range(3)]
    options = {"sampling": "single"}
    reranker = ro.fit(lists, metric="wer", learner="maxent-rank", options=options)
    reasons = ro.why(reranker, lists[0])
    total = sum(term.contribution for term in reasons.terms)
    assert total == pytest.approx(reasons.difference)
    assert reasons.difference > 0


@given(problems(), st.integers(0, 3))
def test_the_final_decode_is_the_highest_score(problem, beta):
    ranker = MaxEntRank(beta=beta).fit(problem)
    scores, kept = ranker.scores(problem), ranker.decide(problem)
    picks = problem.picks(scores)
    for number, (first, last) in enumerate(pairwise(problem.list_offsets.tolist())):
        own = scores[first:last].tolist()
        assert (
            np.flatnonzero(kept[first:last]).tolist() == twin.prune_and_select(own, 0.5, 0.5, beta)
            or min(np.abs(np.diff(sorted(own)))) < 1e-12
        )  # closer than a probability can tell
        if len(set(own)) == len(own) > 0:
            assert np.flatnonzero(kept[first:last]).tolist() == [picks[number]]


def test_unsure_lists_stay_undecided():
    train = random_lists(50, 6, 10, seed=1, noise=3.0)
    sure = MaxEntRank().fit(train).decide(train)
    unsure = MaxEntRank(d1=0.8, d2=0.2).fit(train).decide(train)
    assert sure.sum() == train.n_lists
    assert unsure.sum() > train.n_lists
    assert not (sure & ~unsure).any()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"d1": 0.3}, "d1 and d2 must be probabilities, d1 not below d2; not 0.3 and 0.5"),
        ({"d1": 1.0}, "d1 and d2 must be probabilities, d1 not below d2; not 1.0 and 0.5"),
        ({"beta": -1}, "beta must be at least 0, not -1"),
        ({"sampling": "triple"}, "unknown sampling 'triple'; choose from: pairwise, single"),
        ({"prior": (-1.0,)}, "prior must be positive, not -1.0"),
        ({"prior": (1.0, 2.0)}, "to choose between several priors, development lists are needed"),
        ({"iterations": 0}, "iterations must be at least 1, not 0"),
        ({"beam": 1.0}, "beam must be at least 0 and below 1, not 1.0"),
        ({"lowest": -0.5}, "lowest must be at least 0 and below 1, not -0.5"),
        ({"closest": -1.0}, "closest must be at least 0, not -1.0"),
        ({"monsters": float("nan")}, "monsters must be at least 0, not nan"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(UsageError) as caught:
        MaxEntRank(**parameters).fit(random_lists(2, 3, 4, seed=0))
    assert caught.value.message == sentence
