"""The native aligner and symmetrisation equal their slow twins."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import alignment as twin

from runoff import _native
from runoff.data.bitext import SentencePair
from runoff.proposers.translation.alignment import SYMMETRISATIONS, Aligner, Side, symmetrised

SENTENCE = st.lists(st.sampled_from("a b c d e".split()), max_size=5)
PAIRS = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=8)


@settings(deadline=None)
@given(PAIRS, st.integers(0, 2), st.integers(0, 3))
def test_links_and_likelihoods_equal_those_of_the_twin(pairs, ibm1, diagonal):
    source, target = (Side.of(side) for side in zip(*pairs, strict=True))
    links, likelihoods, tension = _native.align_words(
        *source[:2], *target[:2], source[2], target[2], ibm1, diagonal, 0, 0.08, 4.0, 0.01
    )
    weights, expected, pulled = twin.align(pairs, ibm1, diagonal)
    assert likelihoods.tolist() == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert tension == pytest.approx(pulled, rel=1e-3)
    for link, own in zip(links.tolist(), weights, strict=True):
        assert own[link + 1] == pytest.approx(max(own), rel=1e-3)  # ties may be decided either way


SHORT = st.lists(st.sampled_from("a b c".split()), max_size=3)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(SHORT, SHORT), min_size=1, max_size=4), st.integers(1, 3))
def test_the_hidden_markov_model_adds_up_all_ways_through_a_sentence(pairs, hmm):
    source, target = (Side.of(side) for side in zip(*pairs, strict=True))
    links, likelihoods, _ = _native.align_words(
        *source[:2], *target[:2], source[2], target[2], 0, 1, hmm, 0.08, 4.0, 0.01
    )
    weights, expected, _ = twin.align(pairs, 0, 1, hmm)
    assert likelihoods.tolist() == pytest.approx(expected, rel=1e-4, abs=1e-4)
    for link, own in zip(links.tolist(), weights, strict=True):
        assert own[link + 1] == pytest.approx(max(own), rel=1e-3)


@given(st.floats(0.1, 14), st.integers(1, 30), st.integers(1, 30), st.data())
def test_the_closed_form_is_the_sum(tension, m, n, data):
    j = data.draw(st.integers(0, n - 1))
    expected = sum(twin.prior(i, j, m, n, tension) for i in range(m))
    assert _native.diagonal_sum(tension, m, n, j) == pytest.approx(expected, rel=1e-9)


@given(PAIRS)
def test_threads_change_nothing(pairs):
    given_pairs = [SentencePair(*pair) for pair in pairs * 20]
    assert Aligner().align(given_pairs, engine=3) == Aligner().align(given_pairs)


@st.composite
def directions(draw):
    m, n = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    forward = draw(st.lists(st.integers(-1, m - 1), min_size=n, max_size=n))
    backward = draw(st.lists(st.integers(-1, n - 1), min_size=m, max_size=m))
    return forward, backward


@given(st.lists(directions(), max_size=4), st.sampled_from(SYMMETRISATIONS))
def test_symmetrisation_equals_that_of_the_twin(sentences, how):
    flat = [np.array([p for own in sentences for p in own[side]], np.int32) for side in (0, 1)]
    bounds = [np.cumsum([0, *(len(own[side]) for own in sentences)]) for side in (0, 1)]
    found = symmetrised(flat[0], bounds[0], flat[1], bounds[1], how)
    for (forward, backward), links in zip(sentences, found, strict=True):
        one = {(i, j) for j, i in enumerate(forward) if i >= 0}
        other = {(i, j) for i, j in enumerate(backward) if j >= 0}
        assert set(links) == twin.symmetrise(one, other, how)
        assert links == sorted(links)


def test_likelihood_rises_with_little_smoothing():
    pairs = [(["a", "b"], ["x", "y"]), (["a"], ["x"]), (["b", "c"], ["y", "z"])] * 3
    source, target = (Side.of(side) for side in zip(*pairs, strict=True))
    _, likelihoods, _ = _native.align_words(
        *source[:2], *target[:2], source[2], target[2], 6, 0, 0, 0.08, 4.0, 1.0
    )
    assert (np.diff(likelihoods[1:]) > -1e-6).all()
    assert math.isfinite(likelihoods[-1])


def both(source, target, *rounds):
    return [
        links.tolist()
        for links in _native.align_both_ways(
            *source[:2], *target[:2], source[2], target[2], *rounds, 0.08, 4.0, 0.01
        )
    ]


@given(PAIRS, st.integers(0, 3))
def test_before_the_hidden_markov_model_directions_know_nothing_of_each_other(pairs, diagonal):
    source, target = (Side.of(side) for side in zip(*pairs, strict=True))
    alone = [
        _native.align_words(
            *one[:2], *other[:2], one[2], other[2], 1, diagonal, 0, 0.08, 4.0, 0.01
        )[0].tolist()
        for one, other in ((source, target), (target, source))
    ]
    assert both(source, target, 1, diagonal, 0) == alone


@given(PAIRS, st.integers(1, 4))
def test_directions_that_agree_can_be_swapped(pairs, hmm):
    source, target = (Side.of(side) for side in zip(*pairs, strict=True))
    assert both(source, target, 0, 2, hmm) == both(target, source, 0, 2, hmm)[::-1]


def test_what_both_directions_say_counts_more_than_what_one_says():
    """Alone, the frequent word draws a link of the rare one; its own direction is against it."""
    pairs = [("x a", "u v")] * 3 + [("x", "u")] * 2 + [("x b", "u w w")]
    source, target = (Side.of([side.split() for side in one]) for one in zip(*pairs, strict=True))
    forward, backward = both(source, target, 0, 2, 4)
    assert forward[-3:] == [0, 1, 1]
    assert backward[-2] == 0
