"""Native classes of words are those of their twin, and clusters are what they say they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import word_clusters as twin

from runoff import _native
from runoff.errors import ModelError
from runoff.learners.clusters import WordClusters, folded, learn_clusters


@st.composite
def texts(draw):
    n_fixed, n_words = draw(st.integers(0, 2)), draw(st.integers(1, 6))
    n_classes = draw(st.integers(1, 5))
    words = st.integers(0, n_fixed + n_words - 1)
    text = draw(st.lists(words, min_size=1, max_size=40))
    moving = st.integers(n_fixed, n_fixed + n_classes - 1)
    classes = draw(st.lists(moving, min_size=n_words, max_size=n_words))
    return text, [*range(n_fixed), *classes], n_fixed, n_classes


def native_of(text, classes, n_fixed, n_classes):
    numbers = (np.array(one, dtype=np.uint32) for one in (text, classes))
    return _native.WordClasses(*numbers, n_fixed, n_classes)


@given(texts())
def test_sweeps_and_merges_are_those_of_the_twin(example):
    text, classes, n_fixed, n_classes = example
    native = native_of(*example)
    for _ in range(3):
        assert native.log_likelihood() * twin.STEPS == twin.likelihood(text, classes)
        assert native.sweep() == twin.sweep(text, classes, n_fixed, n_classes)
        assert native.classes().tolist() == classes
    merges = list(zip(*(one.tolist() for one in native.merge()), strict=True))
    assert merges == twin.merge(text, classes, n_fixed)


@given(texts())
def test_sweeps_never_lose_likelihood(example):
    native = native_of(*example)
    before = native.log_likelihood()
    for _ in range(3):
        native.sweep()
        assert native.log_likelihood() >= before
        before = native.log_likelihood()


WORDS = st.text(min_size=1, max_size=3).filter(lambda word: word.split() == [word])
SENTENCES = st.lists(st.lists(WORDS, max_size=5), max_size=8)


@given(SENTENCES, st.integers(1, 5))
def test_every_word_has_a_path_of_its_own_class(sentences, classes):
    clusters = learn_clusters([["a"], *sentences], classes=classes, min_count=1)
    words = {folded(word) for sentence in sentences for word in sentence} | {"a"}
    assert set(clusters.paths) == words
    assert all(map(clusters.path, words))
    paths = list(clusters.clusters)
    assert len(paths) <= classes
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)
    assert WordClusters.from_arrays(clusters.arrays()) == clusters


@given(st.data())
def test_broken_arrays_are_refused_or_are_clusters(data):
    arrays = learn_clusters([["a", "b", "c", "b"]], classes=2, min_count=1).arrays()
    name = data.draw(st.sampled_from(sorted(arrays)))
    blob = bytearray(arrays[name].tobytes())
    blob[data.draw(st.integers(0, len(blob) - 1))] = data.draw(st.integers(0, 255))
    broken = {**arrays, name: np.frombuffer(bytes(blob), dtype=arrays[name].dtype)}
    try:
        clusters = WordClusters.from_arrays(broken)
    except ModelError:
        return
    assert len(clusters.paths) == 3
    with pytest.raises(ModelError):
        WordClusters.from_arrays({key: broken[key] for key in broken if key != name})
