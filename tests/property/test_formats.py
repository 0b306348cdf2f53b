"""What is always true of the formats: lists come back, and bytes parse or give a FormatError."""

import contextlib
from pathlib import Path

import pytest
from helpers.strategies.lists import LISTS
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runoff.data.formats import FORMATS, losses, read_nbest, write_nbest
from runoff.data.tagged import TaggedSentence, read_tagged, write_tagged
from runoff.errors import FormatError

CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))  # a busy machine is no bug


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("formats")


def test_every_format_has_a_strategy():
    assert LISTS.keys() == FORMATS.keys()


@pytest.mark.parametrize("format", FORMATS)
@settings(CALM, max_examples=50)
@given(data=st.data(), zipped=st.booleans())
def test_lists_come_back(folder, format, data, zipped):
    lists = data.draw(LISTS[format])
    path = folder / f"lists.{format}{'.gz' * zipped}"
    write_nbest(lists, path, format)
    assert list(read_nbest(path, format)) == lists


@pytest.mark.parametrize("format", FORMATS)
@settings(CALM, max_examples=20)
@given(data=st.data())
def test_what_comes_back_has_no_losses(format, data):
    assert losses(data.draw(LISTS[format]), format) == {}


@settings(CALM, max_examples=30)
@given(data=st.data())
def test_losses_are_what_a_format_drops(data):
    lists = data.draw(LISTS["jsonl"])
    lost = losses(lists, "tsv")
    assert lost.get("gold", 0) == sum(nbest.gold is not None for nbest in lists)
    assert lost.get("score", 0) == sum(
        any(c.score is not None for c in nbest.candidates) for nbest in lists
    )
    assert not lost.keys() & {"output", "logprob"}


PIECES = [
    b"{", b"}", b"[", b"]", b'"candidates":', b'"output":', b'"features":', b'"utts":', b'"hyp_1":',
    b":", b",", b'"', b"\\ud800", b"NaN", b"1e999", b"null", b" ||| ", b"0", b"-1.5", b"LM=", b"=",
    b"\t", b" ", b"\n", b"\r", b"#", b"# 0 0.5\n", b"qid:", b"1:2", b"(S", b")", b"2 x\n", b"_",
    b"-DOCSTART-", b"\xff", b"\x00", b"\xef\xbb\xbf", b"\x1f\x8b", b"# feature 1 x\n",
]  # fmt: skip
soup = st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=30).map(b"".join)


@pytest.mark.parametrize("format", FORMATS)
@settings(CALM, max_examples=100)
@given(data=soup | st.binary(max_size=100))
@example(data=b"[" * 100_000)
@example(data=b'{"candidates":[{"output":' + b"9" * 5000 + b"}]}")
@example(data=b"9" * 5000 + b" ||| a ||| ||| 1")
@example(data=b"1 " + b"x\n1\n" + b"(S " * 100_000)
def test_any_bytes_parse_or_give_a_format_error(folder, format, data):
    path = folder / "soup"
    path.write_bytes(data)
    with contextlib.suppress(FormatError):
        assert all(nbest.candidates for nbest in read_nbest(path, format))


@pytest.mark.parametrize("format", FORMATS)
@settings(CALM, max_examples=50)
@given(data=st.data(), piece=soup)
def test_a_damaged_file_parses_or_gives_a_format_error(folder, format, data, piece):
    path = folder / "damaged"
    write_nbest(data.draw(LISTS[format]), path, format)
    sound = path.read_bytes()
    start = data.draw(st.integers(0, len(sound)))
    end = data.draw(st.integers(start, min(len(sound), start + 20)))
    path.write_bytes(sound[:start] + piece + sound[end:])
    with contextlib.suppress(FormatError):
        lists = list(read_nbest(path, format))
        write_nbest(lists, folder / "again.jsonl")
        assert list(read_nbest(folder / "again.jsonl")) == lists


@settings(CALM)
@given(data=soup)
def test_any_bytes_are_tagged_sentences_or_a_format_error(folder, data):
    path = folder / "tagged"
    path.write_bytes(data)
    with contextlib.suppress(FormatError):
        assert all(len(s.tags) == len(s) > 0 for s in read_tagged(path))


fields = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), min_size=1, max_size=4)


@settings(CALM, max_examples=50)
@given(data=st.data(), width=st.integers(1, 4))
def test_tagged_sentences_come_back(folder, data, width):
    row = st.tuples(*[fields] * width)
    sentences = st.builds(
        lambda rows, document: TaggedSentence(tuple(zip(*rows, strict=True)), (), *document),
        st.lists(row, min_size=1, max_size=4),
        st.tuples(fields, st.just("") | fields),
    )
    ours = sorted(data.draw(st.lists(sentences, max_size=4)), key=lambda s: s.document)
    notes = {s.document: s.note for s in reversed(ours)}
    ours = [TaggedSentence(s.columns, (), s.document, notes[s.document]) for s in ours]
    path = Path(folder, "tagged.tsv")
    write_tagged(ours, path)
    assert list(read_tagged(path)) == ours
