import numpy as np
import pytest

from runoff import _native
from runoff.errors import ModelError, UsageError
from runoff.fitting.run import Checkpoint, Run
from runoff.learners.clusters import WordClusters, folded, learn_clusters, tree_paths

TEXT = [line.split() for line in ("the vote was close", "a race is long", "the race was long")] * 9


def numbers(*values):
    return np.array(values, dtype=np.uint32)


def test_likelihood_worked_by_hand():
    # 0 1 2 0 1 3: with 2 and 3 in one class every class is certain, and two words are one of two
    alike = _native.WordClasses(numbers(0, 1, 2, 0, 1, 3), numbers(0, 1, 2, 2), 1, 2)
    assert alike.log_likelihood() == pytest.approx(-2.0)
    # with 1 in it too: after 0 it is certain, it goes on in 2 of 4 places, and its words are 1
    # (2 of 4), 2 and 3 (1 of 4 each): 4 bits of classes, 2 + 2 * 2 of words
    all_in_one = _native.WordClasses(numbers(0, 1, 2, 0, 1, 3), numbers(0, 1, 1, 1), 1, 1)
    assert all_in_one.log_likelihood() == pytest.approx(-10.0)


def test_words_of_like_company_are_together():
    clusters = learn_clusters(TEXT, classes=4)
    found = sorted(map(sorted, clusters.clusters.values()))
    assert found == [["a", "the"], ["close", "long"], ["is", "was"], ["race", "vote"]]
    assert clusters.tokens == 4 * len(TEXT)


def test_words_are_folded_and_looked_up_in_lower_case():
    clusters = learn_clusters([["in", "1987", "("], ["In", "1990", '"']], classes=9, min_count=1)
    assert clusters.path("2001") == clusters.path("1987") != ""
    assert clusters.path("-LRB-") == clusters.path("(") != ""
    assert clusters.path("``") == clusters.path('"') != ""
    assert clusters.path("IN") == clusters.path("in") != clusters.path("In")
    assert clusters.path("out") == ""
    assert folded("½") == "½"


def test_rare_words_are_left_out():
    clusters = learn_clusters([["we", "vote"], ["we", "vote"], ["we", "wait"]], min_count=2)
    assert sorted(clusters.paths) == ["vote", "we"]
    with pytest.raises(UsageError, match="no word of the text is seen at least 3 times"):
        learn_clusters([["we", "vote"]])
    with pytest.raises(UsageError, match="no word of the text"):
        learn_clusters([])


def test_one_class_has_a_path_too():
    assert learn_clusters(TEXT, classes=1).path("vote") == "0"


@pytest.mark.parametrize("option", ["classes", "min_count", "sweeps"])
def test_options_that_make_no_sense(option):
    with pytest.raises(UsageError, match=f"{option} must be at least 1, not 0"):
        learn_clusters(TEXT, **{option: 0})
    with pytest.raises(UsageError, match="classes must be at most 4,096, not 5,000"):
        learn_clusters(TEXT, classes=5000)


def test_paths_follow_the_merges_back():
    assert tree_paths(numbers(5, 3), numbers(7, 5)) == {3: "0", 5: "10", 7: "11"}


def test_progress_is_told():
    steps = []
    learn_clusters(TEXT, classes=3, run=Run(progress=steps.append))
    assert [step.stage for step in steps[:2]] == ["sentences for clusters", "classes of words"]
    assert steps[1].figures["bits"] > steps[2].figures.get("bits", 0.0)
    assert steps[-1].stage == "tree of clusters"


def test_a_run_that_was_stopped_goes_on_to_the_same_clusters(tmp_path):
    path = tmp_path / "checkpoint"

    def stop(step):
        if step.stage == "classes of words" and step.done == 1:
            raise KeyboardInterrupt

    kept = Checkpoint(path, "key", seconds=0.0)
    with pytest.raises(KeyboardInterrupt):
        learn_clusters(TEXT, classes=3, run=Run(progress=stop, checkpoint=kept))
    assert kept.load()["sweeps"].tolist() == [1]
    resumed = learn_clusters(TEXT, classes=3, run=Run(checkpoint=Checkpoint(path, "key")))
    assert resumed == learn_clusters(TEXT, classes=3)


@pytest.mark.parametrize(
    ("name", "array", "problem"),
    [
        ("words", None, "'words' is missing"),
        ("words", np.frombuffer(b"a\nb\xff\nc", dtype=np.uint8), "'words' is not UTF-8"),
        ("words", np.frombuffer(b"a\na\nb\nc\nd\ne\nf\ng", dtype=np.uint8), "of clusters"),
        ("paths", np.frombuffer(b"0\n1x", dtype=np.uint8), "of clusters"),
        ("paths", np.frombuffer(b"0\n0", dtype=np.uint8), "of clusters"),
        ("sizes", np.array([8, 8], dtype=np.uint32), "of clusters"),
        ("sizes", np.array([8.0, 0.0]), "'sizes' must be uint32"),
        ("tokens", np.array([1.0]), "'tokens' must be int64"),
    ],
)
def test_broken_arrays_are_refused(name, array, problem):
    arrays = learn_clusters(TEXT, classes=2).arrays()
    with pytest.raises(ModelError, match=problem):
        WordClusters.from_arrays({**arrays, name: array})
