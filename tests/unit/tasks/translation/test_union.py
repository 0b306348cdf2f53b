"""The lists of two systems become one, in which each text is once."""

import numpy as np
import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.tasks.translation.union import SHARPNESS, united


def listed(*given):
    candidates = [Candidate(text, score, features={"words": n}) for text, score, n in given]
    return NBest(7, "source", candidates, gold="a b")


ONE = listed(("a b", -1.0, 2.0), ("a c", -1.1, 2.0))
OTHER = listed(("a c", -3.0, 2.0), ("d", -3.2, 1.0))


def test_each_text_is_once_with_the_scores_of_both():
    (made,) = united({"one": [ONE], "other": [OTHER]})
    assert (made.id, made.gold) == (7, "a b")
    features = {one.output: one.features for one in made.candidates}
    assert list(features) == ["a b", "a c", "d"]
    assert features["a c"]["one"] == pytest.approx(-0.1)
    assert features["a c"]["other"] == 0.0
    assert features["a b"]["other"] == pytest.approx(-0.2)  # as the worst of that list
    assert [features[text]["not of one"] for text in features] == [0.0, 0.0, 1.0]
    assert [features[text]["not of other"] for text in features] == [1.0, 0.0, 0.0]
    assert features["d"]["words"] == 1.0


def test_ngrams_count_by_how_sure_systems_are():
    (made,) = united({"one": [ONE], "other": [OTHER]})
    first, second = (np.exp(SHARPNESS * np.array(own)) for own in ([0.0, -0.1], [0.0, -0.2]))
    first, second = first / first.sum(), second / second.sum()
    sure = np.array([first[0], first[1] + second[0], second[1]]) / 2
    assert [one.logprob for one in made.candidates] == pytest.approx(np.log(sure).tolist())
    words = [one.features["agreement of 1-grams"] for one in made.candidates]
    a, b, c, d = sure[0] + sure[1], sure[0], sure[1], sure[2]
    assert words == pytest.approx([a + b, a + c, d])
    pairs = [one.features["agreement of 2-grams"] for one in made.candidates]
    assert pairs == pytest.approx([b, c, 0.0])


def test_a_system_without_translations_says_nothing():
    (made,) = united({"one": [ONE], "other": [listed()]})
    assert [one.features["other"] for one in made.candidates] == [0.0, 0.0]
    assert np.exp([one.logprob for one in made.candidates]).sum() == pytest.approx(0.5)
