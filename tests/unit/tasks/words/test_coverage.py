"""Coverage of n-grams beside its slow twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.tasks.words.coverage import coverage

WORDS = st.lists(st.integers(1, 4), max_size=12)


def shares(train, test, n):
    """The shares of n-grams that are found, by looking at each."""
    grams = [tuple(test[i : i + n]) for i in range(len(test) - n + 1)]
    known = {tuple(train[i : i + n]) for i in range(len(train) - n + 1)}
    return (
        sum(gram in known for gram in grams) / len(grams),
        len(set(grams) & known) / len(set(grams)),
    )


@given(WORDS, WORDS)
def test_coverage_is_that_of_looking_at_each(train, test):
    arrays = (np.array(words, dtype=np.uint32) for words in (train, test))
    found = coverage(*arrays, 5)
    assert len(found) == min(5, len(test))
    for n, covered in enumerate(found, 1):
        assert covered == pytest.approx(shares(train, test, n))
