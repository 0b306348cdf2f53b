"""The native CRF equals its twin, which writes down every label sequence there is."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins.crf import Crf

from runoff import _native

EIGHTHS = st.integers(-16, 16).map(lambda n: n / 8)
N_ATTRIBUTES = 3


def offsets_of(lists):
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


@st.composite
def chains(draw):
    """Order, number of labels and neighbours that allow sequences of any length."""
    n_labels = draw(st.integers(1, 3))
    every = [(a, b) for b in range(n_labels) for a in range(n_labels + 1)]
    pairs = [*draw(st.lists(st.sampled_from(every), unique=True)), (n_labels, 0), (0, 0)]
    return draw(st.integers(1, 2)), n_labels, sorted(set(pairs), key=lambda pair: pair[::-1])


def native_chain(order, n_labels, pairs):
    return _native.CrfChain(order, n_labels, np.array(pairs, dtype=np.uint16).reshape(-1))


def states_and_edges(order, n_labels, pairs):
    """States, and edges in the order of native code."""
    if order == 1:
        return list(range(n_labels)), [pair for pair in pairs if pair[0] != n_labels]
    return pairs, [(before, pair) for pair in pairs for before in pairs if before[1] == pair[0]]


@st.composite
def weighted(draw):
    """A twin and the native CRF of the same weights."""
    order, n_labels, pairs = draw(chains())
    states, edges = states_and_edges(order, n_labels, pairs)
    targets = [("label", label) for label in range(n_labels)]
    targets += [("pair", pair) for pair in states] if order == 2 else []
    size = N_ATTRIBUTES * len(targets)
    values = draw(st.lists(EIGHTHS, min_size=size, max_size=size))
    names = [(a, target) for a in range(N_ATTRIBUTES) for target in targets]
    edge_values = draw(st.lists(EIGHTHS, min_size=len(edges), max_size=len(edges)))
    twin = Crf(
        order,
        n_labels,
        pairs,
        dict(zip(names, values, strict=True)),
        dict(zip(edges, edge_values, strict=True)),
    )
    crf = _native.Crf(
        native_chain(order, n_labels, pairs),
        np.arange(N_ATTRIBUTES + 1) * len(targets),
        np.tile(np.arange(len(targets), dtype=np.uint32), N_ATTRIBUTES),
        np.array(values),
        np.array(edge_values),
    )
    return twin, crf


ATTRIBUTES = st.lists(
    st.tuples(st.integers(0, N_ATTRIBUTES - 1), st.sampled_from([1.0, 0.5, -2.0])), max_size=3
)
SENTENCES = st.lists(st.lists(ATTRIBUTES, max_size=4), max_size=4)


def items(sentences):
    words = [word for sentence in sentences for word in sentence]
    return {
        "offsets": offsets_of(sentences),
        "attribute_offsets": offsets_of(words),
        "attributes": np.array([a for word in words for a, _ in word], dtype=np.uint32),
        "values": np.array([value for word in words for _, value in word], dtype=np.float64),
    }


@given(weighted(), SENTENCES, st.integers(1, 100))
def test_the_n_best_are_the_n_best_of_all(given_, sentences, n):
    twin, crf = given_
    counts, logprobs, labels = crf.n_best(**items(sentences), n=n, threads=2)
    logprobs, labels = iter(logprobs.tolist()), iter(labels.tolist())
    for sentence, count in zip(sentences, counts.tolist(), strict=True):
        every = twin.sequences(sentence)
        best = sorted(every.values(), reverse=True)[:n]
        found = {}
        for _ in range(count):
            own = tuple(next(labels) for _ in sentence)
            found[own] = next(logprobs)
            assert found[own] == pytest.approx(every[own], abs=1e-9)
        assert len(found) == count
        assert list(found.values()) == pytest.approx(best, abs=1e-9)
        assert list(found.values()) == sorted(found.values(), reverse=True)
    assert next(logprobs, None) is None
    assert next(labels, None) is None


@given(weighted(), SENTENCES, st.integers(1, 9), st.integers(1, 9))
def test_fewer_are_the_first_of_more_on_any_threads(given_, sentences, n, more):
    _, crf = given_
    one = crf.n_best(**items(sentences), n=n)
    three = crf.n_best(**items(sentences), n=n, threads=3)
    assert [a.tobytes() for a in one] == [a.tobytes() for a in three]
    longer = crf.n_best(**items(sentences), n=n + more)
    first = second = 0
    for few, many in zip(one[0].tolist(), longer[0].tolist(), strict=True):
        assert few == min(n, many)
        assert one[1][first : first + few].tolist() == longer[1][second : second + few].tolist()
        first, second = first + few, second + many


@pytest.mark.parametrize("order", [1, 2])
def test_weights_thousands_apart_leave_probabilities(order):
    """The only ways are improbable ones, next to weights that are huge."""
    pairs = [(0, 0), (2, 0), (1, 1), (2, 1)]  # a sequence never changes its label
    chain = native_chain(order, 2, pairs)
    edges = np.full(chain.n_edges, -3000.0)
    targets = np.array([0, 1], dtype=np.uint32)
    crf = _native.Crf(chain, np.array([0, 2]), targets, np.array([2000.0, -2000.0]), edges)
    sentences = [[[(0, 1.0)]], [[(0, 1.0)], [(0, -1.0)], []]]
    counts, logprobs, labels = crf.n_best(**items(sentences), n=9)
    assert counts.tolist() == [2, 2]
    assert logprobs.tolist() == pytest.approx([0.0, -4000.0, -log(2), -log(2)])
    assert labels.tolist() == [0, 1, 0, 0, 0, 1, 1, 1]


TEMPLATES = [[(0, 0)], [(-1, 0), (0, 0)], [(1, 0)]]
PAIR_TEMPLATES = [[(-1, -1), (0, 0)]]


@st.composite
def problems(draw):
    """A problem, and what its weights are called in a twin."""
    order, n_labels, _ = draw(chains())
    words = draw(
        st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=3), min_size=1, max_size=3)
    )
    gold = [[draw(st.integers(0, n_labels - 1)) for _ in sentence] for sentence in words]
    pairs = [(a, b) for b in range(n_labels) for a in range(n_labels + 1)]
    templates = TEMPLATES + (PAIR_TEMPLATES if order == 2 else [])
    padded = [[*t, (0, -2), (0, -2)][:3] for t in templates]
    chain = native_chain(order, n_labels, pairs)
    problem = _native.CrfProblem(
        chain,
        np.array(padded, dtype=np.int32).reshape(-1),
        1,
        forms=np.array([9, 1, 2, 0], dtype=np.uint32),
        sets=np.zeros(4, dtype=np.uint32),
        words=np.array([word for sentence in words for word in sentence], dtype=np.uint32),
        offsets=offsets_of(words),
        gold=np.array([label for labels in gold for label in labels], dtype=np.uint16),
        min_count=1,
    )
    states, edges = states_and_edges(order, n_labels, pairs)
    targets = [("label", label) for label in range(n_labels)]
    targets += [("pair", pair) for pair in states] if order == 2 else []
    keys = list(map(tuple, problem.keys().reshape(-1, 4).tolist()))
    offsets = problem.pair_offsets().tolist()
    owners = np.repeat(np.arange(len(keys)), np.diff(offsets)).tolist()
    names = [
        (keys[a], targets[t]) for a, t in zip(owners, problem.pair_targets().tolist(), strict=True)
    ]
    sentences = [[attributes(s, at, templates) for at in range(len(s))] for s in words]
    return problem, sentences, gold, names, edges, (order, n_labels, pairs)


def attributes(sentence, at, templates):
    """Keys of what templates find at a word; word 3 has no form, 9 lies outside."""
    found = []
    for number, atoms in enumerate(templates):
        values = []
        for place, form in atoms:
            where = at + place
            inside = 0 <= where < len(sentence)
            values.append(1 if form == -1 else (9, 1, 2, 0)[sentence[where] if inside else 0])
        if 0 not in values:
            found.append(((number, *values, 0, 0)[:4], 1.0))
    return found


@given(problems(), st.data())
def test_losses_and_gradients_are_those_of_all_sequences(given_, data):
    problem, sentences, gold, names, edges, chain = given_
    size = len(names) + len(edges)
    x = np.array(data.draw(st.lists(EIGHTHS, min_size=size, max_size=size)))

    def loss(values):
        weights = dict(zip(names, values[: len(names)].tolist(), strict=True))
        weighted_edges = dict(zip(edges, values[len(names) :].tolist(), strict=True))
        return Crf(*chain, weights, weighted_edges).loss(sentences, gold)

    gradient, again = np.empty(size), np.empty(size)
    value = problem.loss(x, gradient)
    assert value == pytest.approx(loss(x), abs=1e-9)
    assert problem.loss(x, again, 3) == value
    assert again.tobytes() == gradient.tobytes()
    for i in data.draw(st.lists(st.integers(0, size - 1), max_size=5)):
        step = np.eye(size)[i] * 1e-5
        slope = (loss(x + step) - loss(x - step)) / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-6)


@given(problems())
def test_every_attribute_of_gold_has_a_weight(given_):
    _, sentences, gold, names, _, (order, n_labels, _) = given_
    seen = set()
    for sentence, labels in zip(sentences, gold, strict=True):
        pairs = zip([n_labels, *labels], labels, strict=False)
        for word, pair in zip(sentence, pairs, strict=True):
            for key, _ in word:
                is_pair = order == 2 and key[0] == len(TEMPLATES)
                seen.add((key, ("pair", pair) if is_pair else ("label", pair[1])))
    assert set(names) == seen
    assert len(set(names)) == len(names)


def test_rare_attributes_are_left_out_and_the_rest_is_found_again():
    atoms = np.array([0, 0, 0, -2, 0, -2], dtype=np.int32)
    corpus = {
        "forms": np.array([9, 1, 2, 3], dtype=np.uint32),
        "sets": np.zeros(4, dtype=np.uint32),
        "words": np.array([1, 2, 2, 3, 2, 1], dtype=np.uint32),
        "offsets": np.array([0, 4, 4, 6]),
    }
    chain = native_chain(1, 1, [(0, 0), (1, 0)])
    gold = np.zeros(6, dtype=np.uint16)
    problem = _native.CrfProblem(chain, atoms, 1, **corpus, gold=gold, min_count=2)
    assert problem.keys().tolist() == [0, 1, 0, 0, 0, 2, 0, 0]
    templates = _native.CrfTemplates(atoms, 1, problem.keys())
    offsets, found = templates.find(**corpus, threads=2)
    assert offsets.tolist() == [0, 1, 2, 3, 3, 4, 5]
    assert found.tolist() == [0, 1, 1, 1, 0]


CHAIN = (1, 2, [(0, 0), (2, 0), (0, 1)])
MODEL = {
    "offsets": np.array([0, 1]),
    "targets": np.array([1], dtype=np.uint32),
    "weights": np.array([0.5]),
    "edges": np.array([0.0, 1.0]),
}
ITEMS = items([[[(0, 1.0)], []]])


def broken(arrays, key, value):
    return {**arrays, key: np.array(value, dtype=arrays[key].dtype)}


@pytest.mark.parametrize(
    ("order", "n_labels", "pairs"),
    [
        (0, 1, [(0, 0), (1, 0)]),
        (3, 1, [(0, 0), (1, 0)]),
        (1, 0, []),
        (1, 1, [(1, 0)]),  # one word is the longest sentence
        (1, 2, [(2, 0), (0, 1)]),
        (2, 2, [(0, 1), (1, 0), (2, 0)]),  # out of order
        (2, 1, [(0, 0), (0, 0), (1, 0)]),
        (2, 1, [(0, 0), (2, 0)]),
        (2, 1, [(0, 0), (1, 1)]),
        (1, 1 << 16, [(0, 0), (1, 0)]),
    ],
)
def test_a_broken_chain_is_refused(order, n_labels, pairs):
    with pytest.raises(ValueError):
        native_chain(order, n_labels, pairs)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("offsets", [0, 2]),
        ("offsets", []),
        ("targets", [2]),
        ("weights", [np.nan]),
        ("weights", []),
        ("edges", [0.0]),
        ("edges", [0.0, np.inf]),
    ],
)
def test_a_broken_model_is_refused(key, value):
    with pytest.raises(ValueError):
        _native.Crf(native_chain(*CHAIN), **broken(MODEL, key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("offsets", [0, 3]),
        ("offsets", []),
        ("attribute_offsets", [0, 2, 1]),
        ("attribute_offsets", []),
        ("attributes", [1]),
        ("values", [np.inf]),
        ("values", [1.0, 1.0]),
    ],
)
def test_broken_items_are_refused(key, value):
    crf = _native.Crf(native_chain(*CHAIN), **MODEL)
    with pytest.raises(ValueError):
        crf.n_best(**broken(ITEMS, key, value), n=1)


def test_broken_numbers_are_refused():
    crf = _native.Crf(native_chain(*CHAIN), **MODEL)
    with pytest.raises(ValueError):
        crf.n_best(**ITEMS, n=0)
    with pytest.raises(ValueError):
        _native.CrfTemplates(
            np.array([0, 0, 0, -2, 0, -2], dtype=np.int32), 1, np.zeros(3, np.uint32)
        )
    with pytest.raises(ValueError, match="twice"):
        _native.CrfTemplates(
            np.array([0, 0, 0, -2, 0, -2], dtype=np.int32), 1, np.zeros(8, np.uint32)
        )


@pytest.mark.parametrize("gold", [[0], [0, 2], [1, 0], [0, 1, 0]])
def test_gold_that_does_not_fit_is_refused(gold):
    corpus = {
        "forms": np.array([9, 1], dtype=np.uint32),
        "sets": np.zeros(2, dtype=np.uint32),
        "words": np.array([1, 1], dtype=np.uint32),
        "offsets": np.array([0, 2]),
    }
    atoms = np.array([0, 0, 0, -2, 0, -2], dtype=np.int32)
    labels = np.array(gold, dtype=np.uint16)
    for order in (1, 2):
        chain = native_chain(order, *CHAIN[1:])
        with pytest.raises(ValueError):
            _native.CrfProblem(chain, atoms, 1, **corpus, gold=labels, min_count=1)
