"""What is taken out of a file is what was expected, or a sentence says what else was found."""

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as made

from runoff.errors import ModelError
from runoff.store.arrays import take, take_offsets
from runoff.store.file import DTYPES

TYPES = st.sampled_from([np.dtype(code) for code in DTYPES.values()])
SHAPES = made.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
ARRAYS = TYPES.flatmap(lambda dtype: made.arrays(dtype, SHAPES))
FLOATS = st.sampled_from([np.float64, np.float32])
IDS = st.sampled_from([np.int64, np.int32, np.uint32, np.uint16, np.uint8])


def shown(shape):
    return re.escape(f"({', '.join('any' if n is None else str(n) for n in shape)})")


@given(ARRAYS, st.data())
def test_what_is_expected_is_taken(array, data):
    shape = tuple(data.draw(st.sampled_from([None, size])) for size in array.shape)
    assert take({"a": array}, "a", array.dtype.type, shape, finite=False) is array


@given(st.dictionaries(st.text(), ARRAYS), st.text())
def test_a_missing_array_is_named(arrays, name):
    assume(name not in arrays)
    with pytest.raises(ModelError, match=f"^the array {re.escape(repr(name))} is missing$"):
        take(arrays, name, np.float64)


@given(ARRAYS, TYPES)
def test_another_type_is_refused(array, dtype):
    assume(array.dtype != dtype)
    shape = shown(array.shape)
    problem = f"'a' must be {dtype.name} of shape {shape}, not {array.dtype.name} of shape {shape}"
    with pytest.raises(ModelError, match=problem):
        take({"a": array}, "a", dtype.type, array.shape)


@given(ARRAYS, st.lists(st.none() | st.integers(0, 4), max_size=3).map(tuple))
def test_another_shape_is_refused(array, shape):
    fits = len(shape) == array.ndim and all(
        n in (None, m) for n, m in zip(shape, array.shape, strict=True)
    )
    assume(not fits)
    problem = f"of shape {shown(shape)}, not {array.dtype.name} of shape {shown(array.shape)}$"
    with pytest.raises(ModelError, match=problem):
        take({"a": array}, "a", array.dtype.type, shape)


def test_one_of_several_types_will_do():
    kinds = (np.float64, np.float32)
    for kind in kinds:
        assert take({"w": np.ones(2, dtype=kind)}, "w", kinds).dtype == kind
    with pytest.raises(ModelError, match="must be float64 or float32 of shape"):
        take({"w": np.ones(2, dtype=np.int64)}, "w", kinds)


@given(FLOATS, st.integers(1, 5), st.sampled_from([np.nan, np.inf, -np.inf]), st.data())
def test_numbers_that_are_not_finite_are_refused(kind, size, odd, data):
    array = np.ones(size, dtype=kind)
    array[data.draw(st.integers(0, size - 1))] = odd
    with pytest.raises(ModelError, match=f"'a' must be finite, but holds {odd}"):
        take({"a": array}, "a", kind)
    assert take({"a": array}, "a", kind, finite=False) is array


@given(IDS.flatmap(lambda kind: made.arrays(kind, st.integers(0, 5))), st.integers(0, 300))
def test_numbers_out_of_range_are_refused(array, below):
    if all(0 <= number < below for number in array.tolist()):
        assert take({"a": array}, "a", array.dtype.type, below=below) is array
    else:
        with pytest.raises(ModelError, match=rf"must hold numbers in \[0, {below}\), but holds"):
            take({"a": array}, "a", array.dtype.type, below=below)


@given(st.lists(st.integers(0, 9)).map(lambda sizes: np.cumsum([0, *sizes])))
def test_offsets_are_taken(offsets):
    end = int(offsets[-1])
    assert take_offsets({"o": offsets}, "o", end).tolist() == offsets.tolist()
    assert take_offsets({"o": offsets}, "o", end, len(offsets)).tolist() == offsets.tolist()
    with pytest.raises(ModelError, match="must be int64 of shape"):
        take_offsets({"o": offsets}, "o", end, len(offsets) + 1)
    with pytest.raises(ModelError, match=f"must rise from 0 to {end + 1}, but begins with 0"):
        take_offsets({"o": offsets}, "o", end + 1)


@given(made.arrays(np.int64, st.integers(0, 5)), st.integers(0, 5))
def test_what_does_not_rise_is_refused(offsets, end):
    numbers = offsets.tolist()
    assume(numbers != sorted(numbers) or not numbers or (numbers[0], numbers[-1]) != (0, end))
    with pytest.raises(ModelError, match=f"'o' must rise from 0 to {end}, but"):
        take_offsets({"o": offsets}, "o", end)


def test_extremes_do_not_overflow():
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    with pytest.raises(ModelError, match=f"falls from {high} to {low}"):
        take_offsets({"o": np.array([0, high, low, 7])}, "o", 7)
