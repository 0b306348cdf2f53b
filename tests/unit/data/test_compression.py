"""Compressed files: gzip always, Zstandard where Python or the extra has it."""

import sys

import pytest

from runoff.data import compression
from runoff.data.files import open_output, peek, read_lines
from runoff.errors import FormatError

LINES = [f"line {number}".encode() for number in range(1000)]


@pytest.fixture
def zstd():
    if sys.version_info < (3, 14):
        pytest.importorskip("zstandard")


def test_zstandard_comes_back(zstd, tmp_path):
    path = tmp_path / "a.txt.zst"
    with open_output(path) as stream:
        stream.write(b"\n".join(LINES))
    assert path.read_bytes()[:4] == compression.ZSTD
    assert [line for _, line in read_lines(path)] == LINES
    assert peek(path).startswith(b"line 0\n")
    assert compression.beginning(path.read_bytes()[:500]) is not None


def test_broken_zstandard_is_an_error(zstd, tmp_path):
    path = tmp_path / "a.zst"
    path.write_bytes(compression.ZSTD + b"\xff" * 50)
    with pytest.raises(FormatError, match="broken Zstandard stream"):
        list(read_lines(path))


def test_without_a_package_the_extra_is_named(tmp_path, monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(compression, "import_module", missing)
    path = tmp_path / "a.zst"
    path.write_bytes(compression.ZSTD)
    with pytest.raises(FormatError, match=r"a.zst: .*\s+.*pip install 'runoff\[zstd\]'"):
        list(read_lines(path))


def test_the_beginning_of_a_gzip_file_is_seen():
    import gzip

    packed = gzip.compress(b"\n".join(LINES))
    assert compression.beginning(packed[:200]).startswith(b"line 0\n")
    assert compression.beginning(b"\x1f\x8b broken") == b""
