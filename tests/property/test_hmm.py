"""The hidden Markov name tagger equals its twin, which writes down every tagging there is."""

from math import exp, fsum, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.hmm import END, Hmm

from runoff.data.schemes import convert
from runoff.data.sentence import Sentence
from runoff.proposers.sequence.hmm import HmmTagger

WORDS = st.sampled_from(["a", "b", "C", "李", "北", "京市", "7"])
TAGS = st.sampled_from(["O", "O", "B-P", "I-P", "B-L", "I-L"])


@st.composite
def corpora(draw):
    """Small sentences with tags in IOB2."""
    made = []
    for words in draw(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=5)):
        tags = draw(st.lists(TAGS, min_size=len(words), max_size=len(words)))
        made.append((words, convert(tags, "iob2")))
    return made


def fitted(order, corpus):
    return HmmTagger(order=order).fit([Sentence(tuple(w), gold=tuple(t)) for w, t in corpus])


@given(corpora(), st.integers(1, 3), st.lists(WORDS | st.just("é"), max_size=4))
@settings(max_examples=60, deadline=None)
def test_the_n_best_are_those_of_all_taggings_sorted(corpus, order, words):
    twin, tagger = Hmm(order, corpus), fitted(order, corpus)
    every = twin.taggings(words) if words else {(): 0.0}
    total = log(fsum(map(exp, every.values())))
    found = tagger.propose(words, 10_000)
    assert {tuple(one.output) for one in found} == set(every)
    assert fsum(exp(one.logprob) for one in found) == pytest.approx(1)
    for one in found:
        assert one.logprob == pytest.approx(every[tuple(one.output)] - total, abs=1e-9)
    assert tagger.propose(words, 7) == found[:7]


@given(corpora(), st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_every_distribution_sums_to_one(corpus, order):
    twin = Hmm(order, corpus)
    tokens = [("word", word) for word in twin.words] + [("kind", kind) for kind in twin.kinds]
    classes = [("class", one) for one in [*twin.classes, None]]
    for root, history in list(twin.counts):
        symbols = classes if root == "classes" else [*tokens, END]
        assert fsum(twin.probability(root, history, s) for s in symbols) == pytest.approx(1)
