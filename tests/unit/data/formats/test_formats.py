"""The table of formats, and bad files against every reader and writer in it."""

import gzip
import io
import subprocess
import sys
import types
from pathlib import Path

import pytest

from runoff.data.files import open_output
from runoff.data.formats import READ, WRITTEN, format_of, losses, read_nbest, write_nbest
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError, UsageError

TREE = "(S (NP (NN word)))"


def sample(format, size=3, output="word"):
    """Lists that the format carries whole."""
    if format == "conll":
        return [NBest(None, [output], [Candidate([output])], ["B"])] * size
    if format == "tsv":
        return [NBest(candidates=[Candidate(output, -1.5)])] * size
    if format == "svmlight":
        feature = Candidate(quality=0.5, features={output: 2.5})
        return [NBest(i, None, [feature]) for i in range(size)]
    output = f"(S (NN {output}))" if format == "bllip" else output
    ids = map("u{}".format, range(size))
    return [NBest(name, None, [Candidate(output, -1.5)]) for name in ids]


def failure(path, format):
    """The one sentence that reading the file fails with."""
    with pytest.raises(FormatError) as caught:
        list(read_nbest(path, format))
    assert "\n" not in caught.value.message
    assert caught.value.message.startswith(str(path))
    return caught.value.message.removeprefix(str(path))


KEPT = [name for name in WRITTEN if name in READ]
every_format = pytest.mark.parametrize("format", KEPT)


@every_format
def test_samples_come_back_plain_and_zipped(format, tmp_path):
    suffix = WRITTEN[format].suffixes[0]
    for name in (f"a{suffix}", f"a{suffix}.gz"):
        write_nbest(sample(format), tmp_path / name)
        assert format_of(tmp_path / name) == format
        assert list(read_nbest(tmp_path / name)) == sample(format)
    assert (tmp_path / f"a{suffix}.gz").read_bytes()[:2] == b"\x1f\x8b"


@every_format
def test_a_missing_file_and_a_directory(format, tmp_path):
    assert failure(tmp_path / "none", format) == ": no such file"
    assert failure(tmp_path, format) == ": is a directory, not a file"


@every_format
def test_a_truncated_gzip_file(format, tmp_path):
    path = tmp_path / "a.gz"
    write_nbest(sample(format, 500), path, format)
    path.write_bytes(path.read_bytes()[:-20])
    assert "the gzip stream ends too early; the file is truncated" in failure(path, format)


@every_format
def test_a_gzip_file_with_a_broken_middle(format, tmp_path):
    path = tmp_path / "a.gz"
    noise = [f"x{i * 7919 % 10007:x}" for i in range(3000)]
    lists = [nbest for word in noise for nbest in sample(format, 1, word)]
    if format not in ("conll", "tsv"):
        lists = [NBest(i, None, nbest.candidates) for i, nbest in enumerate(lists)]
    write_nbest(lists, path, format)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20] = b"\xff" * 20
    path.write_bytes(data)
    failure(path, format)


@every_format
def test_bytes_that_are_not_utf8(format, tmp_path):
    path = tmp_path / "a"
    write_nbest(sample(format), path, format)
    path.write_bytes(path.read_bytes().replace(b"word", b"w\xffrd"))
    assert ": not UTF-8: byte 0xff at column " in failure(path, format)


@every_format
def test_a_line_of_a_million_characters(format, tmp_path):
    lists = sample(format, 2, "x" * 1_000_000)
    write_nbest(lists, tmp_path / "a", format)
    assert list(read_nbest(tmp_path / "a", format)) == lists


def test_a_broken_line_7431(tmp_path):
    path = tmp_path / "a.jsonl"
    line = b'{"candidates": [{"output": "a"}]}\n'
    path.write_bytes(line * 7430 + b'{"candidates": [{"output" "a"}]}\n' + line)
    assert failure(path, None) == ":7431: broken JSON at column 27: expecting ':' delimiter"


def test_an_unbalanced_bracket(tmp_path):
    path = tmp_path / "a.bllip"
    write_nbest(sample("bllip", 9), path)
    path.write_bytes(
        path.read_bytes().replace(b"u4\n-1.5\n(S (NN word))", b"u4\n-1.5\n(S (NN word)")
    )
    assert failure(path, None).startswith(":19: ")


@every_format
def test_a_failure_midway_leaves_the_old_file(format, tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def lists():
        yield from sample(format)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_nbest(lists(), path, format)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert path.read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@every_format
def test_a_full_disk_is_an_error(format):
    with pytest.raises(OSError, match="No space left"):
        write_nbest(sample(format, 3), "/dev/full", format)


FULL_DISK = """
import resource, sys
from pathlib import Path
from runoff.data.formats import WRITTEN, write_nbest
from test_formats import sample
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
for format in WRITTEN:
    try:
        write_nbest(sample(format, 3_000), sys.argv[1] + "/" + format, format)
    except OSError as error:
        assert "too large" in str(error), error
        print(format)
assert not list(Path(sys.argv[1]).iterdir())
"""


def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path):
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)],
        env={"PYTHONPATH": f"{here}:{here.parents[2]}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout.split()) == ("", list(WRITTEN))


def test_the_name_tells_the_format():
    assert format_of("a/b.moses") == "moses"
    assert format_of(Path("b.json.gz")) == "espnet"
    assert format_of("nbest") == format_of("nbest.gz") == format_of("-") == "jsonl"
    assert format_of("best.txt") == "best"


def test_an_unknown_ending_is_refused(tmp_path):
    with pytest.raises(
        UsageError, match=r"names that end in '.josnl'\n\nHint: end the name in one"
    ):
        write_nbest(sample("jsonl"), tmp_path / "a.josnl")
    assert list(tmp_path.iterdir()) == []
    write_nbest(sample("jsonl"), tmp_path / "a.josnl", "jsonl")


def test_an_unknown_format_lists_the_choices(tmp_path):
    with pytest.raises(UsageError, match="unknown format 'mosses'; choose from: bllip, "):
        list(read_nbest(tmp_path / "a", "mosses"))
    with pytest.raises(UsageError, match="did you mean 'moses'"):
        write_nbest([], tmp_path / "a", "mosses")
    assert list(tmp_path.iterdir()) == []


def test_standard_input_and_output(monkeypatch):
    line = b'{"id":1,"candidates":[{"output":"a"}]}\n'
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(gzip.compress(line))))
    monkeypatch.setattr(sys, "stdout", types.SimpleNamespace(buffer=io.BytesIO()))
    write_nbest(read_nbest("-"), "-")
    assert sys.stdout.buffer.getvalue() == line


def test_reading_streams(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidates":[{"output":"a"}]}\nbroken\n')
    lists = read_nbest(path)
    assert next(lists) == NBest(candidates=[Candidate("a")])
    with pytest.raises(FormatError):
        next(lists)


def test_losses_count_lists_and_name_keys():
    rich = NBest("u", "in", [Candidate("a", -1.0, 0.5, extra={"columns": [], "beam": 3})] * 2, "a")
    lists = [rich, NBest("v", None, [Candidate("b", -2.0)], extra={"speaker": 1})]
    assert losses(lists, "jsonl") == {}
    assert losses(lists, "moses") == {
        "input": 1,
        "gold": 1,
        "quality": 1,
        "extra.beam": 1,
        "extra.speaker of the list": 1,
    }
    assert losses(lists, "espnet") == {"input": 1, "quality": 1}


def test_a_long_file_name_can_be_written(tmp_path):
    path = tmp_path / ("é" * 120 + ".tsv")
    write_nbest(sample("tsv"), path)
    assert list(read_nbest(path)) == sample("tsv")


def test_equal_content_gives_equal_zipped_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as stream:
            stream.write(b"same")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_an_error_names_the_file_that_was_asked_for():
    with pytest.raises(OSError, match="'/proc/nothing'"), open_output("/proc/nothing"):
        pass
