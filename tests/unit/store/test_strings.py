"""One table of strings, in every layout that model files have for it."""

import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError
from runoff.store.arrays import pack_numbers
from runoff.store.strings import (
    UNKNOWN,
    StringTable,
    pack_lines,
    pack_names,
    pack_strings,
    pack_words,
    take_lines,
    take_names,
    take_strings,
    take_words,
)


def unpacked(array):
    return take_names({"names": array}, "names")


def as_bytes(text):
    return np.frombuffer(text, dtype=np.uint8)


ODD_NAMES = st.lists(
    st.text(st.characters(codec=None, exclude_categories=()))
    | st.sampled_from(["", "\0", "\n", "\ud800", "\udfff\ud800", "\u00ff", "x" * 100_000])
)


@given(ODD_NAMES)
def test_names_round_trip(names):
    table = unpacked(pack_names(StringTable.of(names)))
    assert table.strings() == names
    assert [table[number] for number in range(len(table))] == names


@pytest.mark.parametrize(
    "names", [["x" * 10**6], [""] * 10**5, ["y" * 3000 + str(n) for n in range(99)]]
)
def test_names_that_repeat_themselves_are_packed_within_the_limits(names):
    packed = pack_names(StringTable.of(names))
    assert unpacked(packed).strings() == names


def test_names_take_little_room():
    names = [f"rule: NP -> {a} {b}" for a in range(100) for b in range(100)]
    assert len(pack_names(StringTable.of(names))) < 4 * len(names)


def compressed(text, level=9):
    return np.frombuffer(zlib.compress(text, level), dtype=np.uint8)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (np.zeros(0, dtype=np.uint8), "not hold packed strings"),
        (np.zeros(9, dtype=np.uint8), "not hold packed strings"),
        (np.zeros((2, 2), dtype=np.uint8), r"must be uint8 of shape \(any\), not"),
        (np.zeros(3), "must be uint8"),
        (compressed(b"a\xff")[:-1], "not hold packed strings"),
        (np.append(compressed(b"a\xff"), np.uint8(0)), "not hold packed strings"),
        (compressed(b"a\xffb"), "not hold packed strings"),
        (compressed(b"\x80\xff"), "not UTF-8"),
        (
            compressed("\u20ac".encode()[:2] + b"\xff" + "\u20ac".encode()[2:] + b"\xff"),
            "not UTF-8",
        ),
        (
            compressed(b"a" * 10**6 + b"\xff"),
            "not hold packed strings",
        ),  # the limit comes before its end
        (compressed(b"a" * 1500 + b"\xff"), "not hold packed strings"),
        (compressed(b"a\xff" * 400), "larger than its packing allows"),
    ],
)
def test_broken_tables_of_names(table, problem):
    with pytest.raises(ModelError, match=problem):
        unpacked(table)


def test_a_bomb_of_names_takes_little_memory():
    bomb = compressed(bytes(1 << 28))
    tracemalloc.start()
    with pytest.raises(ModelError, match="packed strings"):
        unpacked(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 * len(bomb)


@given(st.binary(max_size=60), st.integers(0, 60), ODD_NAMES)
def test_damaged_tables_of_names_are_refused(data, cut, names):
    sound = pack_names(StringTable.of(names)).tobytes()
    damaged = sound[:cut] + data + sound[cut + len(data) :]
    table = np.frombuffer(damaged, dtype=np.uint8)
    if damaged == sound:
        assert unpacked(table).strings() == names
    else:
        with pytest.raises(ModelError, match="name"):
            unpacked(table)


@given(ODD_NAMES)
def test_sized_strings_round_trip(strings):
    assert take_strings(pack_strings("tags", strings), "tags") == strings
    assert take_strings(pack_strings("tags", iter(strings)), "tags") == strings


@given(ODD_NAMES)
def test_words_round_trip_and_lead_to_names(strings):
    words = ["", *strings]
    table = take_words(pack_words(StringTable.of(words)))
    assert table.strings() == list(table) == words
    assert unpacked(pack_names(table)).strings() == words
    again = take_words(pack_words(table))
    assert (again.text.tolist(), again.ends.tolist()) == (table.text.tolist(), table.ends.tolist())


@given(st.lists(st.text(st.characters(exclude_characters="\n")), min_size=1))
def test_lines_round_trip(strings):
    assert take_lines({"paths": pack_lines(strings)}, "paths") == strings


@given(st.lists(st.text(min_size=1, max_size=3), max_size=20, unique=True))
def test_numbers_lead_back_to_strings(strings):
    table = StringTable.of(strings)
    numbers = table.numbers(strings).tolist()
    assert numbers == list(range(len(strings)))
    assert [table[number] for number in numbers] == strings
    assert table.numbers(["more than three"]).tolist() == [UNKNOWN]
    for number in (-1, len(strings)):
        with pytest.raises(
            ModelError, match=f"refers to string {number}, but has only {len(strings)}"
        ):
            _ = table[number]


EURO = "\u20ac".encode()


@pytest.mark.parametrize(
    ("text", "sizes", "problem"),
    [
        (b"ab", [1], "must end one after the other"),
        (b"ab", [1, 2], "must end one after the other"),
        (b"a\xff", [1, 1], "not UTF-8"),
        (b"a" + EURO[:2], [1, 2], "not UTF-8"),
        (EURO, [1, 2], "not UTF-8"),
        (EURO, [0, 2, 1], "not UTF-8"),
    ],
)
def test_broken_sizes_and_ends_are_refused(text, sizes, problem):
    sized = {"words": as_bytes(text), "words sizes": pack_numbers(sizes)}
    with pytest.raises(ModelError, match=problem):
        take_strings(sized, "words")
    ends = np.cumsum(sizes).astype(np.uint32)
    with pytest.raises(ModelError, match=problem):
        take_words({"words": as_bytes(text), "word ends": ends})


def test_broken_words_and_lines_are_refused():
    with pytest.raises(ModelError, match="must end one after the other"):
        take_words({"words": as_bytes(b"ab"), "word ends": np.array([2, 1, 2], dtype=np.uint32)})
    with pytest.raises(ModelError, match="at least one string"):
        take_words({"words": as_bytes(b""), "word ends": np.zeros(0, dtype=np.uint32)})
    with pytest.raises(ModelError, match="'word ends' is missing"):
        take_words({"words": as_bytes(b"")})
    for text in (b"a\xffb", b"a\n\x80", EURO[:2] + b"\n" + EURO[2:]):
        with pytest.raises(ModelError, match="not UTF-8"):
            take_lines({"paths": as_bytes(text)}, "paths")


@given(st.binary(max_size=20), st.lists(st.integers(0, 20), max_size=5))
def test_any_bytes_are_words_or_refused(text, ends):
    arrays = {"words": as_bytes(text), "word ends": np.array(ends, dtype=np.uint32)}
    try:
        table = take_words(arrays)
    except ModelError:
        return
    assert table.strings() == [table[number] for number in range(len(ends))]
