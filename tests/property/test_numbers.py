"""What is packed comes back; what was not packed by us is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError
from runoff.store.numbers import (
    LARGEST,
    pack_numbers,
    pack_signed,
    pack_strings,
    unpack_numbers,
    unpack_signed,
    unpack_strings,
)

HALF = LARGEST // 2


@given(st.lists(st.integers(0, LARGEST)))
def test_numbers(numbers):
    assert unpack_numbers(pack_numbers(numbers), "numbers").tolist() == numbers


@given(st.lists(st.integers(-HALF, HALF)))
def test_signed_numbers(numbers):
    assert unpack_signed(pack_signed(numbers), "numbers").tolist() == numbers


@given(st.lists(st.text()))
def test_strings(strings):
    assert unpack_strings(pack_strings("words", strings), "words") == strings


@given(st.binary(max_size=30))
def test_any_bytes_are_numbers_or_refused(blob):
    try:
        numbers = unpack_numbers(np.frombuffer(blob, dtype=np.uint8), "numbers")
    except ModelError:
        return
    assert all(0 <= number <= LARGEST for number in numbers.tolist())


@pytest.mark.parametrize(
    "packed",
    [
        None,
        np.zeros(1),
        np.zeros((1, 1), dtype=np.uint8),
        np.array([128], dtype=np.uint8),
        np.array([128, 128, 128, 128, 128, 1], dtype=np.uint8),
        np.array([255, 255, 255, 255, 127], dtype=np.uint8),
    ],
)
def test_what_is_not_packed_is_refused(packed):
    with pytest.raises(ModelError, match="the numbers"):
        unpack_numbers(packed, "numbers")
