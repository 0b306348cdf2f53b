"""The fewest terms that a choice hangs on, against every subset of the terms."""

from itertools import combinations

import numpy as np
import pytest
from helpers.strategies.problems import QUARTERS
from hypothesis import given
from hypothesis import strategies as st

import runoff as ro
from runoff.cli.lists.why import print_flip
from runoff.errors import UsageError
from runoff.features.extract import find_extractors
from runoff.learners.base_order import BaseOrder
from runoff.learners.terms import LOGPROB
from runoff.problem.space import FeatureSpace
from runoff.tasks.ranking.demo import demo_lists
from runoff.tasks.ranking.flip import Flip

NAMES = ["a", "b", "c", "d"]


def linear(weights, logprob_weight):
    """A reranker with these weights."""
    ranker = BaseOrder()
    ranker.weights_, ranker.logprob_weight_ = np.array(weights), logprob_weight
    extractors = find_extractors(["given"])
    return ro.Reranker(ranker, FeatureSpace(NAMES), extractors, {"logprobs": True})


CANDIDATES = st.builds(
    lambda features, logprob: ro.Candidate(None, logprob, features=features),
    st.dictionaries(st.sampled_from(NAMES), QUARTERS),
    QUARTERS,
)
RERANKERS = st.builds(linear, st.lists(QUARTERS, min_size=4, max_size=4), QUARTERS)


def scores_without(reranker, candidates, removed):
    """Scores from nothing but the list and the weights, terms left out."""
    weights = dict(zip(NAMES, reranker.ranker.weights_.tolist(), strict=True))
    return [
        sum(weights[k] * v for k, v in c.features.items() if k not in removed)
        + (reranker.ranker.logprob_weight_ * c.logprob if LOGPROB not in removed else 0.0)
        for c in candidates
    ]


def brute_force(reranker, nbest):
    """Size of the smallest set, and the largest lead that a set of this size leaves a rival."""
    order = [nbest.candidates[place] for place in nbest.base_order()]
    first = scores_without(reranker, order, ())
    winner = first.index(max(first))
    for size in range(1, len(NAMES) + 2):
        leads = []
        for removed in combinations([*NAMES, LOGPROB], size):
            scores = scores_without(reranker, order, removed)
            if scores.index(max(scores)) != winner:
                leads.append(max(scores) - scores[winner])
        if leads:
            return size, max(leads)
    return None


@given(RERANKERS, st.lists(CANDIDATES, min_size=2, max_size=5))
def test_no_smaller_set_changes_the_winner(reranker, candidates):
    nbest = ro.NBest(1, None, candidates)
    found = ro.flip(reranker, nbest)
    ranked = reranker.rerank([nbest])[0]
    assert found.winner == ranked.candidates[0]
    expected = brute_force(reranker, nbest)
    if expected is None:
        assert (found.new_winner, found.terms) == (None, ())
        return
    removed = [term.feature for term in found.terms]
    assert (len(set(removed)), -found.left) == expected
    by_rank = sorted(ranked.candidates, key=lambda c: c.rank)
    scores = scores_without(reranker, by_rank, removed)
    assert by_rank[scores.index(max(scores))] == found.new_winner
    assert found.left == pytest.approx(
        found.difference - sum(term.contribution for term in found.terms)
    )


def test_a_winner_that_nothing_changes(capsys):
    alike = [ro.Candidate("x", -1.0, features={"a": 1.0}), ro.Candidate("y", -1.0, features={})]
    found = ro.flip(linear([0.0] * 4, 1.0), ro.NBest(1, None, alike))
    assert found == Flip(found.winner)
    print_flip(found, 20)
    assert capsys.readouterr().out == "winner      x\nwins whatever terms are removed\n"


def test_removal_changes_the_pick_of_a_real_model():
    reranker = ro.fit(demo_lists("train"), metric="wer")
    weights, logprob_weight = reranker.ranker.weights_, reranker.ranker.logprob_weight_
    for nbest in demo_lists("test"):
        reranker.ranker.weights_, reranker.ranker.logprob_weight_ = weights.copy(), logprob_weight
        found = ro.flip(reranker, nbest)
        assert found.terms
        for term in found.terms:
            if term.feature == LOGPROB:
                reranker.ranker.logprob_weight_ = 0.0
            else:
                reranker.ranker.weights_[reranker.space.names.index(term.feature)] = 0.0
        assert reranker.rerank([nbest])[0].candidates[0].output == found.new_winner.output


def test_flip_needs_a_rival():
    with pytest.raises(UsageError, match="nothing was decided"):
        ro.flip(linear([0.0] * 4, 1.0), ro.NBest(1, None, [ro.Candidate("a", -1.0)]))
