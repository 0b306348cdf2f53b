import pytest

from runoff.data.files import read_lines, read_whole
from runoff.errors import TooLongError


def test_a_line_that_is_too_long_is_an_error_or_read_as_an_empty_one(tmp_path):
    path, errors = tmp_path / "lists", []
    path.write_bytes(b"one\n" + b"x" * 1_000_000 + b"\nthree\n" + b"y" * 1_000_000)
    with pytest.raises(TooLongError, match="lists:2: a line of more than 100 bytes"):
        list(read_lines(path, 100))
    assert list(read_lines(path, 100, errors.append)) == [
        (1, b"one"),
        (2, b""),
        (3, b"three"),
        (4, b""),
    ]
    assert [error.line for error in errors] == [2, 4]


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path):
    path = tmp_path / "list"
    path.write_bytes(b"12345")
    assert read_whole(path, 5) == b"12345"
    with pytest.raises(TooLongError, match="list: a file of more than 4 bytes"):
        read_whole(path, 4)
