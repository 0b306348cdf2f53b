"""Inputs are not overwritten; files of our own, and files that are gone, are no inputs."""

import os

import pytest

from runoff.data.files import open_output, read_whole
from runoff.data.inputs import keeping_inputs, reading_own_state
from runoff.errors import UsageError


def rewrite(path):
    with open_output(path) as stream:
        stream.write(b"new")


def test_what_was_read_is_not_written(tmp_path):
    path = tmp_path / "votes"
    path.write_bytes(b"old")
    with keeping_inputs():
        assert read_whole(path) == b"old"
        with pytest.raises(UsageError, match="votes would be read and overwritten"):
            rewrite(path)
    assert path.read_bytes() == b"old"


def test_own_state_is_read_and_written_again(tmp_path):
    path = tmp_path / "votes"
    path.write_bytes(b"old")
    with keeping_inputs():
        with reading_own_state():
            assert read_whole(path) == b"old"
        rewrite(path)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("gone", ["read", "target"])
def test_the_identity_of_a_file_that_is_gone_may_be_anothers(tmp_path, gone):
    """A link stands for an inode that the file system gives to the next file."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"old")
    os.link(first, second)
    with keeping_inputs(*([first] if gone == "target" else [])):
        if gone == "read":
            read_whole(first)
        first.unlink()
        if gone == "target":
            assert read_whole(second) == b"old"
        else:
            rewrite(second)
            assert second.read_bytes() == b"new"
