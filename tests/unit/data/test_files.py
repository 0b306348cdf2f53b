"""Files that appear whole or not at all, what killed processes leave, and how much is read."""

import subprocess
import sys
import threading

import pytest

from runoff.data.files import PART, open_output, read_lines, read_whole
from runoff.errors import TooLongError

WRITER = """
import sys
from runoff.data.files import open_output

with open_output(sys.argv[1]) as stream:
    stream.write(b"half of it")
    stream.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def writer(path):
    """A process that is writing to a file until its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"writing\n"
    return process


def parts(folder):
    return list(folder.glob(f".*{PART}"))


def test_what_a_killed_process_left_is_swept_by_the_next_to_write_there(tmp_path):
    killed = writer(tmp_path / "a")
    killed.kill()
    killed.wait()
    assert len(parts(tmp_path)) == 1
    with open_output(tmp_path / "b") as stream:
        stream.write(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_what_another_process_is_writing_stays(tmp_path):
    other = writer(tmp_path / "a")
    for _ in range(2):
        with open_output(tmp_path / "a") as stream:
            stream.write(b"whole")
    assert len(parts(tmp_path)) == 1
    other.communicate()
    assert other.returncode == 0
    assert (tmp_path / "a").read_bytes() == b"half of it"
    assert not parts(tmp_path)


def test_files_of_others_stay(tmp_path):
    for name in (".film.mkv.part", "a.part", f"a{PART}"):
        (tmp_path / name).write_text("not ours")
    with open_output(tmp_path / "b"):
        pass
    assert len(list(tmp_path.iterdir())) == 4


def test_many_writers_at_once_never_sweep_each_other(tmp_path):
    def write(number):
        for _ in range(20):
            with open_output(tmp_path / f"{number}") as stream:
                stream.write(b"%d" % number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {n: n for n in "0123"}


def test_a_file_in_use_is_replaced_not_written_to(tmp_path):
    """Whoever has mapped the old file keeps it whole."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        with open_output(path) as stream:
            stream.write(b"new")
        assert reader.read() == b"old"
    with pytest.raises(RuntimeError), open_output(path):
        raise RuntimeError
    assert path.read_bytes() == b"new"
    assert not parts(tmp_path)


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
