"""The tagger: what it learns, what it says about words, what it refuses."""

from math import exp
from threading import Thread

import numpy as np
import pytest
from helpers.made.sentences import SENTENCES, TAGGED, tagged
from helpers.resuming import whole_and_resumed
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.data.sentence import Sentence
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.learners.clusters import WordClusters
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.proposers.sequence.templates import parse_template
from runoff.proposers.sequence.word_forms import FORMS, word_forms

SMALL = {"prior": (10.0,), "min_count": 1}  # for a corpus as small as ours
WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8)


@pytest.fixture(scope="module")
def tagger():
    return MaxentTagger(**SMALL, frequent=4, beam=500).fit(TAGGED)


def test_it_learns_what_it_is_shown(tagger):
    assert tagger.accuracy(TAGGED) == 1.0
    assert tagger.tags("they count the council".split())[:2] == ["PRP", "VBP"]


def test_frequent_words_have_only_their_own_tags(tagger):
    assert tagger.choices(["the"], 1e-12) == [[("DT", 1.0)]]
    assert len(tagger.choices(["vote"], 1e-12)[0]) > 2  # rare: any tag of rare words


def test_tags_are_the_first_candidate_and_batches_change_nothing(tagger):
    for n in (1, 3):
        lists = tagger.propose_all(SENTENCES, n, threads=2)
        assert lists == [tagger.propose(words, n) for words in SENTENCES]
    tags = tagger.tag_all(SENTENCES, threads=2)
    assert tags == [tagger.tags(words) for words in SENTENCES]
    assert tags == [found[0].output for found in lists]
    assert tagger.choices_all(SENTENCES, 0.1) == [tagger.choices(w, 0.1) for w in SENTENCES]


def test_clusters_tell_about_words_never_seen(tmp_path):
    """A word that is in none of the sentences is tagged as those of its cluster are."""
    clusters = WordClusters({"00": ["vote", "race", "poll"], "01": ["they", "we"]}, 100)
    templates = ("word[0]", "cluster[0]")
    corpus = [tagged("they/PRP vote/VB"), tagged("we/PRP race/VB"), tagged("they/PRP go/XX")]
    tagger = MaxentTagger(**SMALL, templates=templates).fit(corpus, clusters=clusters)
    assert tagger.tags(["we", "Poll"]) == ["PRP", "VB"]
    again = MaxentTagger(**SMALL, templates=templates).restore(tagger.arrays())
    assert again.model.clusters == clusters
    assert again.propose(["poll", "we"], 3) == tagger.propose(["poll", "we"], 3)


def test_probabilities_of_all_candidates_sum_to_one(tagger):
    found = tagger.propose(["the", "vote", "on"], 10_000)
    assert sum(exp(candidate.logprob) for candidate in found) == pytest.approx(1.0)


@given(st.lists(WORDS, max_size=5), st.sampled_from([1e-6, 0.01, 0.5, 1.0]))
@settings(max_examples=50)
def test_choices_of_any_words(tagger, words, ratio):
    found = tagger.choices(Sentence(tuple(words)), ratio)
    assert len(found) == len(words)
    for options in found:
        probabilities = [p for _, p in options]
        assert probabilities == sorted(probabilities, reverse=True)
        assert probabilities[-1] >= ratio * probabilities[0]
        assert 0 < sum(probabilities) <= 1 + 1e-9


def test_the_best_choice_is_near_the_best_tags(tagger):
    best = [[options[0][0] for options in tagger.choices(s.words, 0.1)] for s in TAGGED]
    assert best == [list(s.gold) for s in TAGGED]


def test_a_wider_beam_finds_no_worse_tags():
    logprobs = []
    for beam in (1, 2, 100):
        tagger = MaxentTagger(**SMALL, beam=beam).fit(TAGGED)
        logprobs.append(sum(tagger.propose_all(SENTENCES, 1)[i][0].logprob for i in range(9)))
    assert logprobs == sorted(logprobs)


def test_development_sentences_choose_the_prior():
    tagger = MaxentTagger(prior=(0.01, 10.0), min_count=1).fit(TAGGED, TAGGED)
    table = tagger.record_["prior"]
    assert table[0]["dev quality"] < table[1]["dev quality"] == 1.0
    assert tagger.accuracy(TAGGED) == 1.0
    with pytest.raises(UsageError, match="development"):
        MaxentTagger(prior=(0.01, 1.0)).fit(TAGGED)


@given(data=st.data())
@settings(max_examples=10)
def test_a_fit_that_was_broken_off_goes_on_to_the_same_bytes(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("fit") / "checkpoint"

    class Two:
        def fit(self, corpus, dev, run):
            return MaxentTagger(prior=(0.5, 1.0), min_count=1).fit(corpus, dev, run=run)

    whole, resumed = whole_and_resumed(Two, TAGGED, data, path)
    assert {k: a.tobytes() for k, a in whole.arrays().items()} == {
        k: a.tobytes() for k, a in resumed.arrays().items()
    }
    assert whole.record_ == resumed.record_


def test_features_have_names_and_few_are_left(tagger):
    features = list(tagger.model.features())
    assert len(features) == len(tagger.model.known.weights)
    assert all(feature.weight != 0 for feature in features)
    weights = {(feature.name, feature.tag): feature.weight for feature in features}
    assert weights["suffix2[0]=ly", "RB"] > 0
    assert weights["tag[-1]=outside tag[-2]=outside", "PRP"] > 0
    small = MaxentTagger(min_count=1, prior=(0.2,)).fit(TAGGED)
    assert 0 < len(small.model.known.weights) < len(features)


def test_any_tag_set_will_do():
    names = [tagged("Ada/B Lovelace/I met/O Babbage/B ./O"), tagged("she/O met/O Ada/B ./O")]
    tagger = MaxentTagger(**SMALL).fit(names)
    assert tagger.tags(["Ada", "met", "Babbage"]) == ["B", "O", "B"]
    alone = MaxentTagger().fit([tagged("a/X b/X")])
    assert alone.propose(["c", "d"], 5)[0].output == ["X", "X"]


@pytest.mark.parametrize("word", ["-" * 70, "x" * 100_000, "", " ", "\ud800", "\x00", "外"])
def test_odd_words_may_be_learned_from(word):
    corpus = [*TAGGED, Sentence((word, "vote"), gold=("SYM", "NN"))]
    for frequent in (1, 2):
        tagger = MaxentTagger(**SMALL, frequent=frequent).fit(corpus)
        other = MaxentTagger().restore(tagger.arrays())
        assert other.tags(corpus[-1]) == tagger.tags(corpus[-1])
        assert list(other.model.features()) == list(tagger.model.features())


def test_it_travels_to_other_processes():
    tagger = MaxentTagger(**SMALL).fit(TAGGED)
    assert list(Engine.of(2).map(tagger.tags, SENTENCES)) == tagger.tag_all(SENTENCES)


def test_several_threads_of_python_may_share_it():
    tagger = MaxentTagger(**SMALL).fit(TAGGED)
    found = {}

    def work(number):
        words = [[f"{word}{number}{i}" for i in range(50)] for word in ("vote", "close")]
        found[number] = (words, tagger.tag_all(words))

    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(tagger.tag_all(words) == tags for words, tags in found.values())


@pytest.mark.parametrize(
    "options",
    [
        {"prior": ()},
        {"prior": (0.0,)},
        {"frequent": 0},
        {"min_count": 0},
        {"beam": 0},
        {"iterations": 0},
        {"templates": ("word",)},
        {"templates": ("nothing[0]",)},
        {"templates": ("tag[0]",)},
        {"templates": ("word[0]+word[1]+word[2]+tag[-1]",)},
    ],
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(UsageError):
        MaxentTagger(**options).fit(TAGGED)


def test_nothing_to_learn_from_is_refused():
    with pytest.raises(UsageError, match="tags"):
        MaxentTagger().fit([])


@pytest.mark.parametrize("ratio", [0.0, -1.0, 1.5, np.nan])
def test_ratios_that_make_no_sense_are_refused(tagger, ratio):
    with pytest.raises(UsageError, match="ratio"):
        tagger.choices(["vote"], ratio)


def test_forms_of_words():
    forms = dict(zip(FORMS, word_forms("Straße"), strict=True))
    assert (forms["lower"], forms["prefix2"], forms["suffix4"]) == ("straße", "st", "raße")
    assert (forms["shape"], forms["pattern"], forms["marks"]) == ("Xxxxxx", "Xx", "capital")
    assert dict(zip(FORMS, word_forms("a"), strict=True))["suffix1"] == ""
    assert len(word_forms("x" * 1000)[0]) == 64


@given(st.text(max_size=100))
def test_every_word_has_its_forms(word):
    assert len(word_forms(word)) == len(FORMS)


def test_templates_are_read_as_written():
    assert parse_template("suffix3[-1]+class[2]") == [
        (-1, FORMS.index("suffix3")),
        (2, FORMS.index("class")),
    ]
