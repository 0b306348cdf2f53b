import pickle

import numpy as np
import pytest
from helpers.made.sentences import TAGGED, tagged
from helpers.resuming import whole_and_resumed
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.data.sentence import Sentence
from runoff.errors import UsageError
from runoff.fitting.run import Run
from runoff.learners.clusters import learn_clusters
from runoff.proposers.base import named_lists
from runoff.proposers.sequence.crf import TEMPLATES, Crf
from runoff.proposers.sequence.crf_model import Chain

CHUNKED = [
    Sentence(("they", "vote"), ("PRP", "VBP"), ("B-NP", "B-VP")),
    Sentence(("the", "vote", "was"), ("DT", "NN", "VBD"), ("B-NP", "I-NP", "B-VP")),
    Sentence(("the", "old", "vote"), ("DT", "JJ", "NN"), ("B-NP", "I-NP", "I-NP")),
]


@pytest.mark.parametrize("order", [1, 2])
def test_what_was_seen_is_labelled_as_it_was(order):
    crf = Crf(order=order, prior=(10.0,)).fit(CHUNKED)
    for sentence in CHUNKED:
        assert crf.labels(sentence) == list(sentence.gold)
    assert crf.accuracy(CHUNKED, threads=2) == 1.0
    assert crf.accuracy([]) == 0.0


def test_classes_tell_unknown_words_apart():
    crf = Crf(prior=(10.0,)).fit(CHUNKED)
    assert crf.labels([("a", "DT"), ("poll", "NN"), ("went", "VBD")]) == ["B-NP", "I-NP", "B-VP"]
    assert crf.labels([("she", "PRP"), ("polls", "VBP")]) == ["B-NP", "B-VP"]


def test_labels_are_neighbours_only_if_they_were():
    crf = Crf().fit(CHUNKED)
    for candidate in crf.propose(CHUNKED[1], 100):
        assert candidate.output[0] == "B-NP"
        assert ("B-VP", "I-NP") not in zip(candidate.output, candidate.output[1:], strict=False)


def test_neighbours_that_lead_nowhere_make_way_for_all():
    chain = Chain.of(1, [["A"], ["A", "B"]])
    assert set(chain.pairs) == {(a, b) for a in range(3) for b in range(2)}
    crf = Crf(order=2).fit([tagged("yes/A"), tagged("no/B")])
    assert len(crf.propose(["yes", "no", "yes"], 100)) == 8


def test_features_have_names():
    crf = Crf(order=2, prior=(10.0,), templates=(*TEMPLATES, "tag[-1]+class[0]")).fit(CHUNKED)
    weights = {(f.name, f.tag): f.weight for f in crf.model.features()}
    assert len(weights) == len(crf.model.known.weights)
    assert weights["class[0]=NN", "I-NP"] > 0
    assert any(name.startswith("tag[-1]=* ") and tag == "I-NP B-VP" for name, tag in weights)
    assert "start B-NP" in crf.model.chain.targets()


def test_development_sentences_choose_the_prior():
    crf = Crf(prior=(0.01, 10.0)).fit(CHUNKED, CHUNKED)
    assert [row["prior"] for row in crf.record_["prior"]] == [0.01, 10.0]
    assert crf.accuracy(CHUNKED) == 1.0


def test_a_wide_prior_makes_gold_more_probable():
    words = CHUNKED[1]
    probable = [Crf(prior=(s,)).fit(CHUNKED).propose(words, 1)[0].logprob for s in (0.1, 10.0)]
    assert probable[0] < probable[1] <= 0.0


@given(data=st.data())
@settings(max_examples=10)
def test_a_fit_that_was_broken_off_goes_on_to_the_same_bytes(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("fit") / "checkpoint"
    whole, resumed = whole_and_resumed(lambda: Crf(prior=(1.0, 10.0)), CHUNKED, data, path)
    assert {k: a.tobytes() for k, a in whole.arrays().items()} == {
        k: a.tobytes() for k, a in resumed.arrays().items()
    }


def test_it_travels_to_other_processes():
    crf = Crf(order=2).fit(TAGGED)
    other = pickle.loads(pickle.dumps(crf))
    assert other.propose(["they", "vote"], 3) == crf.propose(["they", "vote"], 3)


def test_threads_change_nothing():
    crf, sentences = Crf(order=2).fit(TAGGED), [s.words for s in TAGGED] * 20
    assert crf.propose_all(sentences, 5) == crf.propose_all(sentences, 5, threads=3)
    one, three = (Crf().fit(TAGGED, run=Run(threads=n)).arrays() for n in (1, 3))
    assert {k: a.tobytes() for k, a in one.items()} == {k: a.tobytes() for k, a in three.items()}


@pytest.mark.parametrize(
    "options",
    [
        {"order": 0},
        {"order": 3},
        {"prior": ()},
        {"prior": (-1.0,)},
        {"min_count": 0},
        {"iterations": 0},
        {"templates": ("word",)},
        {"templates": ("tag[-1]+word[0]",)},
        {"order": 2, "templates": ("tag[-2]+word[0]",)},
        {"order": 2, "templates": ("tag[-1]+tag[-2]",)},
    ],
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(UsageError):
        Crf(**options).fit(TAGGED)


def test_lists_of_no_words_and_of_some():
    counts, logprobs = np.array([1, 2]), np.array([0.0, -0.5, -1.5])
    lists = named_lists(np.array([0, 0, 2]), counts, logprobs, np.array([0, 1, 1, 0]), "AB")
    assert [[(c.output, c.logprob) for c in one] for one in lists] == [
        [([], 0.0)],
        [(["A", "B"], -0.5), (["B", "A"], -1.5)],
    ]


def test_clusters_tell_what_an_unknown_word_is_like():
    text = ["they vote twice", "we vote twice", "they wait long", "we wait long"]
    clusters = learn_clusters(map(str.split, text), classes=3, min_count=1)
    corpus = [
        Sentence(("they", "vote"), gold=("B-NP", "B-VP")),
        Sentence(("vote", "they"), gold=("B-VP", "B-NP")),
    ]
    templates = ("word[0]", "cluster[0]")
    crf = Crf(templates=templates, prior=(10.0,)).fit(corpus, clusters=clusters)
    assert crf.labels(["We", "wait"]) == ["B-NP", "B-VP"]
    assert crf.labels(["wait", "We"]) == ["B-VP", "B-NP"]
    named = {feature.name for feature in crf.model.features()}
    assert f"cluster[0]={clusters.path('they')}" in named
    other = pickle.loads(pickle.dumps(crf.model))
    assert other.clusters == clusters
    alone = Crf(templates=templates, prior=(10.0,)).fit(corpus)
    assert not any("cluster" in feature.name for feature in alone.model.features())
    assert not any("clusters" in name for name in alone.arrays())
