"""The native tagger equals its twin, which writes down every tag sequence there is."""

from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins.tagging import Tagger

from runoff import _native

N_FORMS = 2
WIDE = 10_000
WORD_ATOMS = st.tuples(st.integers(-2, 2), st.integers(0, N_FORMS - 1))
TAG_ATOMS = st.tuples(st.integers(-2, -1), st.just(-1))
EIGHTHS = st.integers(-16, 16).map(lambda n: n / 8)


@st.composite
def taggers(draw):
    """A twin and the native scheme of the same templates and sets, for a few words."""
    n_tags, n_words = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    atoms = st.lists(WORD_ATOMS | TAG_ATOMS, min_size=1, max_size=3)
    templates = draw(st.lists(atoms, min_size=1, max_size=5))
    one_set = st.sets(st.integers(0, n_tags - 1), min_size=1).map(sorted)
    sets = draw(st.lists(one_set, min_size=1, max_size=3))
    row = st.tuples(*[st.integers(0, 3)] * N_FORMS)
    forms = draw(st.lists(row, min_size=n_words + 1, max_size=n_words + 1))
    numbers = st.integers(0, len(sets) - 1)
    word_sets = draw(st.lists(numbers, min_size=n_words + 1, max_size=n_words + 1))
    twin = Tagger(templates, sets, n_tags, forms, word_sets)
    padded = [[*t, (0, -2), (0, -2)][:3] for t in templates]
    scheme = _native.TagScheme(
        np.array(padded, dtype=np.int32).reshape(-1),
        N_FORMS,
        offsets_of(sets),
        np.array([tag for one in sets for tag in one], dtype=np.uint16),
        n_tags,
    )
    return twin, scheme


def offsets_of(lists):
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


def sentences_for(twin, longest=4):
    words = st.integers(1, len(twin.forms) - 1)
    return st.lists(st.lists(words, max_size=longest).map(tuple), max_size=4)


def native(twin, sentences):
    return {
        "forms": np.array(twin.forms, dtype=np.uint32).reshape(-1),
        "sets": np.array(twin.word_sets, dtype=np.uint32),
        "words": np.array([word for s in sentences for word in s], dtype=np.uint32),
        "offsets": offsets_of(sentences),
    }


@st.composite
def corpora(draw):
    """A tagger with tagged sentences."""
    twin, scheme = draw(taggers())
    sentences = draw(sentences_for(twin))
    tags = st.integers(0, twin.n_tags - 1)
    gold = [draw(st.lists(tags, min_size=len(s), max_size=len(s)).map(tuple)) for s in sentences]
    return twin, scheme, sentences, gold


@st.composite
def weighted(draw):
    """A tagger with sentences and weights for what it may see in them."""
    twin, scheme, sentences, gold = draw(corpora())
    pairs = twin.pairs(sentences, gold, 1)
    weights = {(f, tag): draw(EIGHTHS) for f, tags in pairs for tag in tags}
    tagger = _native.Tagger(
        scheme,
        np.array([f for f, _ in pairs], dtype=np.uint32).reshape(-1),
        offsets_of([tags for _, tags in pairs]),
        np.array([tag for _, tags in pairs for tag in tags], dtype=np.uint16),
        np.array(list(weights.values()), dtype=np.float32),
    )
    return twin, tagger, sentences, weights


def problem_of(twin, scheme, sentences, gold, min_count):
    flat = np.array([tag for tags in gold for tag in tags], dtype=np.uint16)
    return _native.TagProblem(scheme, **native(twin, sentences), gold=flat, min_count=min_count)


def pairs_of(problem):
    """Features and their tags, in the problem's order."""
    keys = map(tuple, problem.keys().reshape(-1, 4).tolist())
    tags, offsets = problem.pair_targets().tolist(), problem.pair_offsets().tolist()
    return [(key, tags[a:b]) for key, (a, b) in zip(keys, pairwise(offsets), strict=True)]


@given(corpora(), st.integers(1, 3))
def test_features_are_those_seen_often_enough(corpus, min_count):
    twin, _, sentences, gold = corpus
    problem = problem_of(*corpus, min_count)
    expected = [(tuple(f), list(tags)) for f, tags in twin.pairs(sentences, gold, min_count)]
    assert sorted(pairs_of(problem)) == sorted(expected)
    assert problem.decisions == len(list(twin.decisions(sentences, gold)))


@given(corpora(), st.data())
def test_the_loss_and_its_gradient(corpus, data):
    twin, _, sentences, gold = corpus
    problem = problem_of(*corpus, 1)
    pairs = [(f, tag) for f, tags in pairs_of(problem) for tag in tags]
    values = np.array([data.draw(EIGHTHS) for _ in pairs])

    def loss(numbers):
        return twin.loss(dict(zip(pairs, numbers.tolist(), strict=True)), sentences, gold)

    gradient, other = np.empty(len(pairs)), np.empty(len(pairs))
    found = problem.loss(values, gradient)
    assert found == pytest.approx(loss(values), abs=1e-9)
    for i in range(len(pairs)):
        step = np.zeros(len(pairs))
        step[i] = 1e-5
        slope = (loss(values + step) - loss(values - step)) / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-5)
    assert problem.loss(values, other, 3) == found
    assert other.tobytes() == gradient.tobytes()


@given(weighted(), st.integers(1, 100))
def test_the_n_best_are_the_n_best_of_all(given_, n):
    twin, tagger, sentences, weights = given_
    counts, logprobs, tags = tagger.n_best(**native(twin, sentences), n=n, beam=WIDE, threads=2)
    logprobs, tags = iter(logprobs.tolist()), iter(tags.tolist())
    for sentence, count in zip(sentences, counts.tolist(), strict=True):
        every = twin.sequences(weights, sentence)
        assert sum(every.values()) == pytest.approx(1.0)
        best = sorted(every.values(), reverse=True)[:n]
        found = {}
        for _ in range(count):
            own = tuple(next(tags) for _ in sentence)
            found[own] = next(logprobs)
            assert found[own] == pytest.approx(log(every[own]))
        assert list(found.values()) == pytest.approx([log(p) for p in best])
        assert list(found.values()) == sorted(found.values(), reverse=True)
        assert len(found) == count
    assert next(logprobs, None) is None
    assert next(tags, None) is None


@given(weighted(), st.sampled_from([1e-9, 0.1, 0.5, 1.0]))
def test_choices_are_marginals(given_, ratio):
    twin, tagger, sentences, weights = given_
    counts, tags, found = tagger.choices(**native(twin, sentences), ratio=ratio, beam=WIDE)
    places = pairwise([0, *np.cumsum(counts).tolist()])
    for sentence in sentences:
        for expected in twin.marginals(weights, sentence):
            first, last = next(places)
            own = dict(zip(tags[first:last].tolist(), found[first:last].tolist(), strict=True))
            assert list(own.values()) == sorted(own.values(), reverse=True)
            best = max(expected.values())
            for tag, probability in expected.items():
                if tag in own:
                    assert own[tag] == pytest.approx(probability)
                    assert probability >= ratio * best - 1e-9
                else:
                    assert probability <= ratio * best + 1e-9


@given(weighted(), st.integers(1, 4), st.integers(1, 3))
def test_what_a_beam_leaves_is_still_probable_and_distinct(given_, n, beam):
    twin, tagger, sentences, weights = given_
    one = tagger.n_best(**native(twin, sentences), n=n, beam=beam)
    three = tagger.n_best(**native(twin, sentences), n=n, beam=beam, threads=3)
    assert [a.tobytes() for a in one] == [a.tobytes() for a in three]
    counts, logprobs, tags = (a.tolist() for a in one)
    for sentence, count in zip(sentences, counts, strict=True):
        assert 1 <= count <= n
        every = twin.sequences(weights, sentence)
        own = [tuple(tags[i * len(sentence) :][: len(sentence)]) for i in range(count)]
        assert len(set(own)) == count
        assert [every[o] for o in own] == pytest.approx([exp(p) for p in logprobs[:count]])
        del tags[: count * len(sentence)], logprobs[:count]


SCHEME = {
    "atoms": np.array([0, 0, 0, -2, 0, -2], dtype=np.int32),
    "n_forms": 1,
    "set_offsets": np.array([0, 2], dtype=np.int64),
    "set_tags": np.array([0, 1], dtype=np.uint16),
    "n_tags": 2,
}
MODEL = {
    "keys": np.array([0, 1, 0, 0], dtype=np.uint32),
    "pair_offsets": np.array([0, 1], dtype=np.int64),
    "pair_tags": np.array([1], dtype=np.uint16),
    "weights": np.array([0.5], dtype=np.float32),
}
CORPUS = {
    "forms": np.array([1, 2], dtype=np.uint32),
    "sets": np.array([0, 0], dtype=np.uint32),
    "words": np.array([1, 1], dtype=np.uint32),
    "offsets": np.array([0, 2], dtype=np.int64),
}


def broken(arrays, key, value):
    changed = value if isinstance(value, int) else np.array(value, dtype=arrays[key].dtype)
    return {**arrays, key: changed}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("atoms", [0, 0, 0]),
        ("atoms", [0, 1, 0, -2, 0, -2]),
        ("atoms", [0, -3, 0, -2, 0, -2]),
        ("atoms", [1, -1, 0, -2, 0, -2]),
        ("atoms", [100, 0, 0, -2, 0, -2]),
        ("set_offsets", [0, 3]),
        ("set_offsets", []),
        ("set_tags", [1, 0]),
        ("set_tags", [0, 2]),
        ("n_tags", 0),
        ("n_tags", 1 << 16),
    ],
)
def test_a_broken_scheme_is_refused(key, value):
    with pytest.raises(ValueError):
        _native.TagScheme(**broken(SCHEME, key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("keys", [0, 1, 0]),
        ("pair_offsets", [0, 2]),
        ("pair_tags", [2]),
        ("weights", [np.nan]),
        ("weights", []),
    ],
)
def test_a_broken_model_is_refused(key, value):
    with pytest.raises(ValueError):
        _native.Tagger(_native.TagScheme(**SCHEME), **broken(MODEL, key, value))


def test_a_feature_that_comes_twice_is_refused():
    twice = {
        "keys": np.tile(MODEL["keys"], 2),
        "pair_offsets": np.array([0, 1, 2], dtype=np.int64),
        "pair_tags": np.tile(MODEL["pair_tags"], 2),
        "weights": np.tile(MODEL["weights"], 2),
    }
    with pytest.raises(ValueError, match="twice"):
        _native.Tagger(_native.TagScheme(**SCHEME), **twice)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("forms", [1]),
        ("sets", []),
        ("sets", [0, 1]),
        ("words", [1, 2]),
        ("offsets", [0, 3]),
        ("offsets", [1, 2]),
    ],
)
def test_a_broken_corpus_is_refused(key, value):
    scheme = _native.TagScheme(**SCHEME)
    tagger, corpus = _native.Tagger(scheme, **MODEL), broken(CORPUS, key, value)
    with pytest.raises(ValueError):
        tagger.n_best(**corpus, n=1, beam=1)
    with pytest.raises(ValueError):
        tagger.choices(**corpus, ratio=0.1, beam=1)
    with pytest.raises(ValueError):
        _native.TagProblem(scheme, **corpus, gold=np.zeros(2, np.uint16), min_count=1)


def test_broken_numbers_are_refused():
    scheme = _native.TagScheme(**SCHEME)
    tagger = _native.Tagger(scheme, **MODEL)
    for n, beam in ((0, 1), (1, 0)):
        with pytest.raises(ValueError):
            tagger.n_best(**CORPUS, n=n, beam=beam)
    for gold in ([0], [0, 2]):
        with pytest.raises(ValueError):
            _native.TagProblem(scheme, **CORPUS, gold=np.array(gold, dtype=np.uint16), min_count=1)
