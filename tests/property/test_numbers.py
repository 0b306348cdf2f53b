"""What is packed comes back; what was not packed by us is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError
from runoff.store.arrays import LARGEST, pack_numbers, pack_signed, take_numbers, take_signed

HALF = LARGEST // 2


@given(st.lists(st.integers(0, LARGEST)))
def test_numbers(numbers):
    assert (
        take_numbers({"numbers": pack_numbers(numbers)}, "numbers", len(numbers)).tolist()
        == numbers
    )


@given(st.lists(st.integers(-HALF, HALF)))
def test_signed_numbers(numbers):
    assert (
        take_signed({"numbers": pack_signed(numbers)}, "numbers", len(numbers)).tolist() == numbers
    )


@given(st.binary(max_size=30))
def test_any_bytes_are_numbers_or_refused(blob):
    try:
        numbers = take_numbers({"numbers": np.frombuffer(blob, dtype=np.uint8)}, "numbers")
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
    with pytest.raises(ModelError, match="the array 'numbers'"):
        take_numbers({"numbers": packed}, "numbers")


def test_how_many_and_how_large_numbers_are_is_checked():
    arrays = {"sizes": pack_numbers([3, 200])}
    assert take_numbers(arrays, "sizes", 2, below=201).tolist() == [3, 200]
    with pytest.raises(ModelError, match="'sizes' must hold 3 numbers, not 2"):
        take_numbers(arrays, "sizes", 3)
    with pytest.raises(ModelError, match=r"must hold numbers in \[0, 200\), but holds 200"):
        take_numbers(arrays, "sizes", below=200)
    with pytest.raises(ModelError, match="'sizes' must hold 1 numbers, not 2"):
        take_signed(arrays, "sizes", 1)
