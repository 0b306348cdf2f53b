"""What every base system must do, over every one there is."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from helpers.made.sentences import SENTENCES, TAGGED, TREES
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.data.sentence import Sentence
from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.fitting.run import Run
from runoff.learners.clusters import learn_clusters
from runoff.proposers.parsing.classification.parser import ClassificationParser
from runoff.proposers.parsing.head_parser import CollinsParser, PcfgParser
from runoff.proposers.sequence.crf import CLUSTER_TEMPLATES, TEMPLATES, Crf
from runoff.proposers.sequence.hmm import HmmTagger
from runoff.proposers.sequence.maxent_tagger import MaxentTagger


@dataclass
class Case:
    """A proposer, examples that it learns from, inputs that it takes; what `fit` is told."""

    make: Any
    corpus: Any
    inputs: Any
    odd: Any
    options: Any = ({},)


CLUSTERS = learn_clusters(SENTENCES, classes=3, min_count=1)


class ClusteredCrf(Crf):
    """One that looks at clusters of words."""

    def fit(self, corpus, dev=None, **options):
        return super().fit(corpus, dev, clusters=CLUSTERS, **options)


ODD = [
    [],
    ["."] * 1000,
    ["\x00", "\x1f\x7f", "a\u0300", "\u200b"],
    ["投票", "голос", "ψῆφος", "صوت", "😀"],
    ["!", "?!", "--", "...", "''"],
    ["A" * 100_000],
    ["THEY", "VOTE"],
    Sentence(("", " ")),
    Sentence(("\ud800",)),
]
NAMED = [
    Sentence(one.words, gold=tuple("B-DAY" if tag == "NNP" else "O" for tag in one.labels))
    for one in TAGGED
]
CASES = {
    "hmm": Case(HmmTagger, NAMED, SENTENCES, ODD, ({}, {"run": Run(threads=3)})),
    "maxent-tagger": Case(
        lambda: MaxentTagger(min_count=1),
        TAGGED,
        SENTENCES,
        ODD,
        ({}, {"run": Run(threads=3)}),
    ),
    "crf": Case(Crf, TAGGED, SENTENCES, ODD, ({}, {"run": Run(threads=3)})),
    "crf-2": Case(
        lambda: Crf(order=2, templates=(*TEMPLATES, "tag[-1]+suffix2[0]")),
        TAGGED,
        SENTENCES,
        ODD,
        ({}, {"run": Run(threads=3)}),
    ),
    "crf-clusters": Case(
        lambda: ClusteredCrf(templates=(*TEMPLATES, *CLUSTER_TEMPLATES)),
        TAGGED,
        SENTENCES,
        ODD,
        ({}, {"run": Run(threads=3)}),
    ),
    "pcfg-parser": Case(lambda: PcfgParser(min_count=1), TREES, SENTENCES, ODD),
    "classification-parser": Case(
        lambda: ClassificationParser(decay=0.5, explore=4000, max_words=40), TREES, SENTENCES, ODD
    ),
    "collins-parser": Case(lambda: CollinsParser(min_count=1), TREES, SENTENCES, ODD),
}

pytestmark = pytest.mark.parametrize("name", sorted(CASES))


@pytest.fixture(scope="module")
def fitted():
    return {name: case.make().fit(case.corpus) for name, case in CASES.items()}


def bytes_of(proposer):
    return {key: array.tobytes() for key, array in proposer.arrays().items()}


def test_fitting_twice_on_any_threads_gives_the_same_bytes(name, fitted):
    case = CASES[name]
    for options in case.options:
        assert bytes_of(case.make().fit(case.corpus, **options)) == bytes_of(fitted[name])


@pytest.mark.parametrize("n", [1, 2, 7])
def test_candidates_are_distinct_and_best_first(name, n, fitted):
    for one in CASES[name].inputs:
        found = fitted[name].propose(one, n)
        assert 1 <= len(found) <= n
        logprobs = [candidate.logprob for candidate in found]
        assert logprobs == sorted(logprobs, reverse=True)
        assert max(logprobs) <= 1e-9
        assert len({repr(candidate.output) for candidate in found}) == len(found)
        assert found[0] == fitted[name].propose(one, 1)[0]


def test_odd_inputs_get_an_answer(name, fitted):
    for one in CASES[name].odd:
        assert fitted[name].propose(one, 3)


def test_n_below_one_is_refused(name, fitted):
    with pytest.raises(UsageError):
        fitted[name].propose(CASES[name].inputs[0], 0)


def test_proposing_before_fitting_is_an_error(name):
    with pytest.raises(NotFittedError):
        CASES[name].make().propose(CASES[name].inputs[0], 1)
    with pytest.raises(NotFittedError):
        CASES[name].make().arrays()


def test_learning_from_nothing_is_refused(name):
    with pytest.raises(UsageError):
        CASES[name].make().fit([])


def test_what_was_restored_proposes_the_same(name, fitted):
    other = CASES[name].make().restore(fitted[name].arrays())
    assert bytes_of(other) == bytes_of(fitted[name])
    for one in CASES[name].inputs:
        assert other.propose(one, 3) == fitted[name].propose(one, 3)


def test_missing_arrays_are_refused(name, fitted):
    arrays = fitted[name].arrays()
    for key, array in arrays.items():
        with pytest.raises(ModelError):
            CASES[name].make().restore({k: v for k, v in arrays.items() if k != key})
        with pytest.raises(ModelError):
            CASES[name].make().restore({**arrays, key: array.astype(np.float32)})
        with pytest.raises(ModelError):
            CASES[name].make().restore({**arrays, key: array.reshape(-1, 1)})


@given(data=st.data())
@settings(max_examples=300)
def test_broken_arrays_are_refused_or_harmless(name, fitted, data):
    """Any change of bytes is noticed, or leaves a model that still works."""
    arrays = fitted[name].arrays()
    key = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[key].copy()
    if len(array) and data.draw(st.booleans()):
        flat = array.view(np.uint8)
        for _ in range(data.draw(st.integers(1, 3))):
            flat[data.draw(st.integers(0, len(flat) - 1))] = data.draw(st.integers(0, 255))
    else:
        size = data.draw(st.integers(0, len(array) + 2))
        array = np.resize(array, size)
    try:
        proposer = CASES[name].make().restore({**arrays, key: array})
    except ModelError:
        return
    for one in CASES[name].inputs[:2]:
        assert proposer.propose(one, 2)


NONSENSE = {  # options that no sentences can make sense of
    "crf": [{"order": 3}, {"iterations": 0}, {"prior": ()}, {"templates": ("tag[-1]",)}],
    "maxent-tagger": [{"beam": 0}, {"frequent": 0}, {"prior": (0.0,)}],
}


def test_options_are_checked_before_anything_is_read(name):
    for options in NONSENSE.get(name, []):
        proposer = replace(CASES[name].make(), **options)
        with pytest.raises(UsageError) as checked:
            proposer.check()
        with pytest.raises(UsageError) as fitted:
            proposer.fit(None)
        assert str(fitted.value) == str(checked.value)


def test_without_development_sentences_there_is_no_choice_of_priors(name):
    if name in NONSENSE:
        proposer = replace(CASES[name].make(), prior=(1.0, 2.0))
        proposer.check()
        with pytest.raises(UsageError, match="development lists are needed"):
            proposer.check(with_dev=False)
