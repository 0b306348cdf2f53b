import math

import numpy as np
import pytest

from runoff import _native
from runoff.errors import FormatError, UsageError
from runoff.ngrams.estimate import estimate


def test_two_sentences_by_hand():
    """Of unigrams, a, b and c follow one word, the end two: discounts are 0.5 and 1.

    They lose 2.5 of 5 counts, which 5 words share. After <s>, a has lost 1 of 2; after a, b and c
    half of 1 each; after b, the end half of 1.
    """
    made = estimate([["a", "b"], ["a", "c"]], order=2)
    assert made.fallback == [1, 2]
    model = made.model
    unigrams = dict(zip(model.vocabulary, 10.0 ** model.orders[0].probabilities, strict=True))
    expected = {"<unk>": 0.1, "<s>": 1, "</s>": 0.3, "a": 0.2, "b": 0.2, "c": 0.2}
    assert unigrams == pytest.approx(expected, abs=1e-6)
    a, b, end = 1 / 2 + 1 / 2 * 0.2, 0.5 / 2 + 1 / 2 * 0.2, 0.5 + 0.5 * 0.3
    assert np.exp(model.word_scores(["a", "b"])) == pytest.approx([a, b, end], abs=1e-6)
    backed_off = [a, 1 / 2 * 0.1, 0.3]  # nothing follows an unknown word
    assert np.exp(model.word_scores(["a", "new"])) == pytest.approx(backed_off, abs=1e-6)
    found = model.perplexity([["a", "new"]])
    assert (found.words, found.unknown) == (3, 1)
    assert found.perplexity == pytest.approx(math.prod(backed_off) ** (-1 / 3), rel=1e-5)
    assert found.of_known == pytest.approx((a * 0.3) ** (-1 / 2), rel=1e-5)


def test_discounts_come_from_counts_of_counts():
    """Of 10 unigrams that occur once, 6 twice, 4 three times and 3 four times."""
    counts = [1] * 10 + [2] * 6 + [3] * 4 + [4] * 3
    sentence = [f"w{i}" for i, count in enumerate(counts) for _ in range(count)]
    made = estimate([sentence] * 1, order=1)
    with_end = 11  # the end of the sentence occurs once, too
    y = with_end / (with_end + 2 * 6)
    expected = (1 - 2 * y * 6 / with_end, 2 - 3 * y * 4 / 6, 3 - 4 * y * 3 / 4)
    assert made.discounts[0] == pytest.approx(expected)
    assert made.fallback == []


def test_states_hold_what_matters_only():
    model = estimate([["a", "b", "c"], ["d", "b", "c"]], order=3).model
    names = model.vocabulary

    def after(*words):
        state = model.start
        for word in words:
            _, state = model.step(state, word)
        return state

    assert [names[i] for i in after("a", "b").words] == ["b", "a"]
    assert after("a", "new").words == []  # no n-gram begins with an unknown word
    assert after("a", "new") == after("new")
    assert after("c", "b") == after("b", "b", "b")
    assert len({after("a", "b"), after("d", "b"), after("b")}) == 3


def test_what_no_model_can_be_made_of():
    with pytest.raises(FormatError, match="there are no sentences"):
        estimate([])
    with pytest.raises(FormatError, match="the text has the word </s>"):
        estimate([["a", "</s>"]])
    with pytest.raises(UsageError, match="1 to 6, not 7"):
        estimate([["a"]], order=7)
    assert estimate([[]], order=2).model.score([]) < 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ([], "one begin and one end"),
        ([3, 2], "one begin and one end"),
        ([1, 3], "one begin and one end"),
        ([1, 1, 2], "one begin and one end"),
        ([1, 4, 2], "not in the vocabulary"),
        ([1, 0, 2], "not in the vocabulary"),
    ],
)
def test_native_code_checks_the_text(text, problem):
    with pytest.raises(ValueError, match=problem):
        _native.estimate_ngrams(np.array(text, np.uint32), 4, 2)
